// PermissionsDialog: the rules in force by tab, with search, adding and deleting.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox, type ListRow } from "../ui/ListBox.js";
import { numbered, OptionList } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { Tabs } from "../ui/Tabs.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";
import { addRule, destinations, type PermissionsData, parseRule, removeRule } from "./rule-edit.js";

const tabs = ["Denied", "Allow", "Ask", "Deny", "Folders"] as const;
const behaviors = [null, "allow", "ask", "deny", null] as const;

const hintMs = 4_000;

interface PermissionsState {
  tab: number;
  focus: number;
  /** What is being done: walking, searching, typing a rule, choosing where to keep it. */
  step: "list" | "search" | "rule" | "destination";
  search: EditorState;
  rule: EditorState;
}

/** Rules of a tab that contain the search text. */
export const rulesOf = (data: PermissionsData, tab: number, search: string): PermissionsData["rules"] =>
  data.rules.filter(
    ({ rule, behavior }) => behavior === behaviors[tab] && rule.toLowerCase().includes(search.toLowerCase()),
  );

/** The rows of a tab. */
export const permissionRows = (data: PermissionsData, tab: number, search: string): ListRow[] => {
  if (tab === 0)
    return data.denied.map(({ tool, title, reason }, at) => ({
      id: String(at),
      label: sanitise(`${tool} ${title}`),
      detail: sanitise(reason),
    }));
  if (tab === 4)
    return data.directories.map(({ path, source }) => ({ id: path, label: sanitise(path), detail: sanitise(source) }));
  return rulesOf(data, tab, search).map(({ rule, source }) => ({
    id: `${source}:${rule}`,
    label: sanitise(rule),
    detail: source,
  }));
};

type StepKeys = (press: KeyPress) => void;

/** A key for the search or the rule field; typing starts at the first row again. */
const typeInto = (local: Local<PermissionsState>, name: "search" | "rule", press: KeyPress, now: number): void => {
  const field = fieldAction(press, now);
  if (field) local.set({ [name]: reduceEditor(local.get()[name], field), focus: 0 });
};

/** Keys while walking through the rows of a tab. */
const useListKeys = (data: PermissionsData, local: Local<PermissionsState>, page: number): StepKeys => {
  const { actions } = useServices();
  const deleteFocused = (): void => {
    const { tab, focus, search } = local.get();
    const row = rulesOf(data, tab, fullText(search.cells))[focus];
    if (!row) return;
    const change = removeRule(data, row);
    if (!change) {
      actions.hint(`rules from ${row.source} cannot be changed here`, hintMs);
      return;
    }
    local.set({ focus: Math.max(0, focus - 1) });
    actions.setPicker(change.data);
    actions.updatePermissions(change.updates);
  };
  return (press) => {
    const { tab, focus, search } = local.get();
    const count = permissionRows(data, tab, fullText(search.cells)).length;
    const action = pickerAction(press.id);
    const next = walkList(press, focus, count, page);
    const canChange = behaviors[tab] !== null;
    if (action === "cancel") actions.setPicker(null);
    else if (action === "tabLeft" || action === "tabRight")
      local.set({ tab: (tab + (action === "tabRight" ? 1 : tabs.length - 1)) % tabs.length, focus: 0 });
    else if (next !== null) local.set({ focus: next });
    else if (press.id === "/") local.set({ step: "search" });
    else if (press.id === "a" && canChange) local.set({ step: "rule", rule: emptyEditor });
    else if ((press.id === "d" || press.id === "delete") && canChange) deleteFocused();
  };
};

/** Keys while a rule is typed and its place is chosen. */
const useRuleKeys = (data: PermissionsData, local: Local<PermissionsState>): { rule: StepKeys; place: StepKeys } => {
  const { actions, now } = useServices();
  const keep = (at: number): void => {
    const { tab, rule } = local.get();
    const behavior = behaviors[tab];
    const destination = destinations[at];
    local.set({ step: "list", focus: 0 });
    const change = behavior && destination ? addRule(data, fullText(rule.cells), behavior, destination.id) : null;
    if (!change) return;
    actions.setPicker(change.data);
    actions.updatePermissions(change.updates);
  };
  return {
    rule: (press) => {
      const action = pickerAction(press.id);
      if (action === "cancel") local.set({ step: "list" });
      else if (action !== "accept") typeInto(local, "rule", press, now());
      else if (parseRule(fullText(local.get().rule.cells))) local.set({ step: "destination", focus: 0 });
      else actions.hint("a rule looks like  Bash(npm run *)  or  Edit(src/**)", hintMs);
    },
    place: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, destinations.length, destinations.length);
      const at = numbered(press.text, destinations.length);
      if (action === "cancel") local.set({ step: "rule" });
      else if (action === "accept") keep(focus);
      else if (next !== null) local.set({ focus: next });
      else if (at !== null) keep(at);
    },
  };
};

const usePermissionKeys = (data: PermissionsData, local: Local<PermissionsState>, page: number): void => {
  const { now } = useServices();
  const list = useListKeys(data, local, page);
  const { rule, place } = useRuleKeys(data, local);
  const search: StepKeys = (press) => {
    const action = pickerAction(press.id);
    if (action === "cancel") local.set({ step: "list", search: emptyEditor, focus: 0 });
    else if (action === "accept" || action === "next") local.set({ step: "list" });
    else typeInto(local, "search", press, now());
  };
  const handlers: Record<PermissionsState["step"], StepKeys> = { list, search, rule, destination: place };
  useKeys({
    context: "picker",
    onKey: (press) => {
      handlers[local.get().step](press);
      return true;
    },
    onPaste: (text) => {
      const { step } = local.get();
      if (step === "search" || step === "rule")
        local.set({ [step]: reduceEditor(local.get()[step], { type: "insert", text: oneLine(text) }) });
      return true;
    },
  });
};

const hintsOf = (step: PermissionsState["step"], canChange: boolean): string => {
  if (step === "rule") return "enter goes on · esc goes back";
  if (step === "destination") return "number or enter keeps it there · esc goes back";
  return `← → tabs · / search${canChange ? " · a adds · d deletes" : ""} · esc closes`;
};

export const PermissionsDialog = ({ data }: { data: PermissionsData }) => {
  const theme = useTheme();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal<PermissionsState>(() => ({
    tab: 1,
    focus: 0,
    step: "list",
    search: emptyEditor,
    rule: emptyEditor,
  }));
  const { tab, focus, step, search, rule } = local.value;
  const searchText = fullText(search.cells);
  const hasSearch = step === "search" || searchText !== "";
  const height = bodyRows(1 + (hasSearch ? 1 : 0) + (step === "rule" ? 1 : 0));
  usePermissionKeys(data, local, height);
  return (
    <Panel
      title="Permissions"
      note={`mode: ${data.mode}`}
      footer={hintsOf(step, behaviors[tab] !== null)}
      width={width}
      border="promptBorder"
    >
      <Tabs names={tabs} open={tab} onOpen={(at) => local.set({ tab: at, focus: 0, step: "list" })} />
      {hasSearch && (
        <Box>
          <Text {...theme.ink("dim")}>{"⌕ "}</Text>
          <TextInput editor={search} width={inner - 2} isActive={step === "search"} />
        </Box>
      )}
      {step === "rule" && (
        <Box>
          <Text {...theme.ink("accent")}>{`${behaviors[tab]} ❯ `}</Text>
          <TextInput editor={rule} width={inner - 8} isActive placeholder="Bash(npm run *)" />
        </Box>
      )}
      {step === "destination" ? (
        <OptionList options={destinations} focus={focus} width={inner} detailColumn={26} />
      ) : (
        <ListBox
          rows={permissionRows(data, tab, searchText)}
          focus={focus}
          width={inner}
          height={height}
          empty={tab === 0 ? "Nothing was denied lately." : "None."}
        />
      )}
    </Panel>
  );
};
