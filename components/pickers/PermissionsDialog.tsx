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
import { OptionList } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { Tabs } from "../ui/Tabs.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";
import { addRule, destinations, type PermissionsData, parseRule, removeRule } from "./rule-edit.js";

const tabs = ["Denied", "Allow", "Ask", "Deny", "Folders"] as const;
const behaviors = [null, "allow", "ask", "deny", null] as const;

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

const usePermissionKeys = (data: PermissionsData, local: Local<PermissionsState>, page: number): void => {
  const { actions, now } = useServices();
  const apply = (change: ReturnType<typeof removeRule>): void => {
    if (!change) return;
    actions.setPicker(change.data);
    actions.updatePermissions(change.updates);
  };
  const onField = (press: KeyPress, name: "search" | "rule"): boolean => {
    const field = fieldAction(press, now());
    if (field) local.set({ [name]: reduceEditor(local.get()[name], field), focus: 0 });
    return field !== null;
  };
  const deleteFocused = (): void => {
    const { tab, focus, search } = local.get();
    const row = rulesOf(data, tab, fullText(search.cells))[focus];
    if (!row) return;
    const change = removeRule(data, row);
    if (change) local.set({ focus: Math.max(0, focus - 1) });
    else actions.hint(`rules from ${row.source} cannot be changed here`, 3_000);
    apply(change);
  };
  const onList = (press: KeyPress): void => {
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
  const onSearch = (press: KeyPress): void => {
    const action = pickerAction(press.id);
    if (action === "cancel") local.set({ step: "list", search: emptyEditor, focus: 0 });
    else if (action === "accept" || action === "next") local.set({ step: "list" });
    else onField(press, "search");
  };
  const onRule = (press: KeyPress): void => {
    const action = pickerAction(press.id);
    if (action === "cancel") local.set({ step: "list" });
    else if (action !== "accept") onField(press, "rule");
    else if (parseRule(fullText(local.get().rule.cells))) local.set({ step: "destination", focus: 0 });
    else actions.hint("a rule looks like  Bash(npm run *)  or  Edit(src/**)", 4_000);
  };
  const keep = (at: number): void => {
    const { tab, rule } = local.get();
    const behavior = behaviors[tab];
    const destination = destinations[at];
    local.set({ step: "list", focus: 0 });
    if (behavior && destination) apply(addRule(data, fullText(rule.cells), behavior, destination.id));
  };
  const onDestination = (press: KeyPress): void => {
    const { focus } = local.get();
    const action = pickerAction(press.id);
    const next = walkList(press, focus, destinations.length, destinations.length);
    if (action === "cancel") local.set({ step: "rule" });
    else if (action === "accept") keep(focus);
    else if (next !== null) local.set({ focus: next });
    else if (/^[1-4]$/.test(press.text)) keep(Number(press.text) - 1);
  };
  const handlers = { list: onList, search: onSearch, rule: onRule, destination: onDestination };
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
      <Tabs names={tabs} open={tab} />
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
