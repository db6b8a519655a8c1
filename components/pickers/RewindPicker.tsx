// RewindPicker: earlier prompts; for the chosen one, what going back would do to files, and what to take back.
import { Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth } from "../../src/lib/text-width.js";
import type { RewindPoint } from "../../src/protocol/pickers.js";
import { useAppState, useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox } from "../ui/ListBox.js";
import { numbered, OptionList, optionsHeight } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";
import {
  clearedId,
  conflictCount,
  currentId,
  fileRows,
  firstChoice,
  pointRows,
  type RewindData,
  type ScopeOption,
  scopeOptions,
} from "./rewind-rows.js";

interface RewindState {
  focus: number;
  /** The point that was chosen; null: still choosing. */
  chosen: string | null;
  /** Place in the choices; null: where it begins. */
  choice: number | null;
  takesConflicts: boolean;
}

const reportFor = ({ report }: RewindData, id: string | null) => (report?.id === id ? report : undefined);

const usePointKeys = (data: RewindData, local: Local<RewindState>, page: number): ((press: KeyPress) => void) => {
  const { actions, now } = useServices();
  return (press) => {
    const rows = pointRows(data, now());
    const { focus } = local.get();
    const action = pickerAction(press.id);
    const next = walkList(press, focus, rows.length, page);
    const row = rows[focus];
    if (action === "cancel") actions.setPicker(null);
    else if (next !== null) local.set({ focus: next });
    else if (action !== "accept" || !row) return;
    else if (row.id === currentId) actions.setPicker(null);
    else if (row.id === clearedId) {
      actions.setPicker(null);
      if (data.cleared) actions.resume(data.cleared.sessionId);
    } else {
      local.set({ chosen: row.id, choice: null, takesConflicts: false });
      if (data.points.find(({ id }) => id === row.id)?.hasCode) actions.previewRewind(row.id);
    }
  };
};

const useScopeKeys = (data: RewindData, local: Local<RewindState>): ((press: KeyPress) => void) => {
  const { actions } = useServices();
  const take = ({ id }: ScopeOption, point: string, takesConflicts: boolean): void => {
    actions.setPicker(null);
    if (id !== "never") actions.rewind(point, id, takesConflicts);
  };
  return (press) => {
    const { chosen, choice, takesConflicts } = local.get();
    const point = data.points.find(({ id }) => id === chosen);
    if (!point) return;
    const report = reportFor(data, chosen);
    const options = scopeOptions(point, report);
    const focus = choice ?? firstChoice(options);
    const next = walkList(press, focus, options.length, options.length);
    const number = numbered(press.text, options.length);
    const action = pickerAction(press.id);
    if (action === "cancel") local.set({ chosen: null });
    else if (next !== null) local.set({ choice: next });
    else if (number !== null) take(options[number]!, point.id, takesConflicts);
    else if (action === "accept" && options[focus]) take(options[focus], point.id, takesConflicts);
    else if (press.text === "x" && report && conflictCount(report) > 0) local.set({ takesConflicts: !takesConflicts });
  };
};

/** What the files would do, as many rows as there is room for. */
const Preview = ({ lines, width, height }: { lines: readonly string[]; width: number; height: number }) => {
  const theme = useTheme();
  const hidden = lines.length > height ? lines.length - height + 1 : 0;
  const shown = hidden > 0 ? lines.slice(0, Math.max(0, height - 1)) : lines;
  const more = hidden > 0 ? [`… ${hidden} more`] : [];
  return (
    <Text wrap="truncate" {...theme.ink("dim")}>
      {[...shown, ...more].map((line) => cutToWidth(line, width)).join("\n")}
    </Text>
  );
};

const Choices = ({ data, local, point }: { data: RewindData; local: Local<RewindState>; point: RewindPoint }) => {
  const { width, inner, bodyRows } = usePickerSize();
  const cwd = useAppState(({ session }) => session?.cwd ?? "");
  const { choice, takesConflicts } = local.value;
  const report = reportFor(data, point.id);
  const options = scopeOptions(point, report);
  const conflicts = report ? conflictCount(report) : 0;
  const height = bodyRows(optionsHeight(options, inner) + 1);
  const lines = report
    ? fileRows(report, { takesConflicts, cwd })
    : [point.hasCode ? "Looking at the files …" : "No file was changed since."];
  const toggle = takesConflicts
    ? `x leaves the ${conflicts} as they are`
    : `x overwrites the ${conflicts} that changed since`;
  return (
    <Panel
      title={
        point.kind === "undo" ? "Undo the last rewind" : `Back to before: ${sanitise(point.text).replace(/\s+/g, " ")}`
      }
      footer={[conflicts > 0 ? toggle : "", "enter or number chooses", "esc back"].filter(Boolean).join(" · ")}
      width={width}
      border="promptBorder"
    >
      <Preview lines={lines.length > 0 ? lines : ["No file has to change."]} width={inner} height={height} />
      <Text> </Text>
      <OptionList options={options} focus={choice ?? firstChoice(options)} width={inner} />
    </Panel>
  );
};

export const RewindPicker = ({ data }: { data: RewindData }) => {
  const { now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const rows = pointRows(data, now());
  const local = useLocal<RewindState>(() => ({
    focus: rows.length - 1,
    chosen: null,
    choice: null,
    takesConflicts: false,
  }));
  const height = bodyRows(0);
  const onPoint = usePointKeys(data, local, height);
  const onScope = useScopeKeys(data, local);
  useKeys({
    context: "picker",
    onKey: (press) => {
      if (local.get().chosen === null) onPoint(press);
      else onScope(press);
      return true;
    },
    onPaste: () => true,
  });
  const point = data.points.find(({ id }) => id === local.value.chosen);
  if (point) return <Choices data={data} local={local} point={point} />;
  return (
    <Panel title="Go back to before" footer="enter chooses · esc closes" width={width} border="promptBorder">
      <ListBox rows={rows} focus={local.value.focus} width={inner} height={height} empty="" />
    </Panel>
  );
};
