// SettingsDialog: /status, /config and /cost in one place: facts to read, and settings that are searched and changed.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, wrapText } from "../../src/lib/text-width.js";
import type { Picker, SettingRow } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, editorWith, emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox, type ListRow } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { Tabs } from "../ui/Tabs.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { pageRows } from "./Page.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type SettingsData = Extract<Picker, { kind: "settings" }>;

const tabs = ["status", "config", "usage"] as const;
const tabNames = ["Status", "Config", "Usage"] as const;
const hintMs = 4_000;
/** Rows below the list that tell about the setting in focus. */
const aboutRows = 2;

interface SettingsState {
  tab: number;
  /** The row in focus, or the first row shown of a page. */
  focus: number;
  search: EditorState;
  /** The new value of the setting in focus while it is being written. */
  value: { key: string; editor: EditorState } | null;
  /** Values asked for since the rows came: quick presses walk on from them. */
  wished: { of: SettingsData["settings"]; values: Readonly<Record<string, string>> };
}

/** Settings whose name or words contain the search text. */
export const settingsFound = (data: SettingsData, search: string): SettingRow[] => {
  const wanted = search.trim().toLowerCase();
  return data.settings.filter(({ key, doc }) => `${key} ${doc}`.toLowerCase().includes(wanted));
};

const rowsOf = (rows: readonly SettingRow[]): ListRow[] =>
  rows.map(({ key, value, from, locked, kind }) => ({
    id: key,
    label: key,
    detail: `${locked !== undefined && kind !== "file" ? "locked · " : ""}${sanitise(value).replace(/\s+/g, " ")}${from === "default" ? "" : ` · ${from.split(" ")[0]}`}`,
  }));

const found = (data: SettingsData, local: Local<SettingsState>): SettingRow[] =>
  settingsFound(data, fullText(local.get().search.cells));

/** Enter or Space on a setting: the next value, or a field to write it in. */
const useChange = (data: SettingsData, local: Local<SettingsState>): (() => void) => {
  const { actions } = useServices();
  return () => {
    const { focus, wished } = local.get();
    const row = found(data, local)[focus];
    if (!row) return;
    if (row.locked !== undefined) {
      actions.hint(sanitise(`${row.key}: ${row.locked}`), hintMs);
      return;
    }
    const values = wished.of === data.settings ? wished.values : {};
    const now = values[row.key] ?? row.value;
    if (row.kind !== "choice") {
      local.set({ value: { key: row.key, editor: editorWith(now === "not set" ? "" : now) } });
      return;
    }
    const next = row.values[(row.values.indexOf(now) + 1) % row.values.length]!;
    local.set({ wished: { of: data.settings, values: { ...values, [row.key]: next } } });
    actions.changeSetting(row.key, next);
  };
};

/** Keys while a value is being written. */
const useValueKeys = (local: Local<SettingsState>): ((press: KeyPress) => void) => {
  const { actions, now } = useServices();
  return (press) => {
    const { value } = local.get();
    const action = pickerAction(press.id);
    if (!value) return;
    if (action === "cancel") local.set({ value: null });
    else if (action === "accept") {
      actions.changeSetting(value.key, fullText(value.editor.cells));
      local.set({ value: null });
    } else {
      const field = fieldAction(press, now());
      if (field) local.set({ value: { ...value, editor: reduceEditor(value.editor, field) } });
    }
  };
};

const useSettingsKeys = (data: SettingsData, local: Local<SettingsState>, page: number, factRows: number): void => {
  const { actions, now } = useServices();
  const change = useChange(data, local);
  const onValueKey = useValueKeys(local);
  const close = (): void => {
    actions.setPicker(null);
    const changes = Object.values(data.changes ?? {});
    if (changes.length > 0) actions.notice("info", changes.join("\n"));
  };
  const onKey = (press: KeyPress): boolean => {
    const { tab, focus, search, value } = local.get();
    const isConfig = tabs[tab] === "config";
    const action = pickerAction(press.id);
    const count = isConfig ? found(data, local).length : lastOffset(factRows, page) + 1;
    const next = walkList(press, focus, count, page);
    if (value) onValueKey(press);
    else if (action === "cancel") close();
    else if (action === "tabLeft" || action === "tabRight")
      local.set({ tab: (tab + (action === "tabRight" ? 1 : tabs.length - 1)) % tabs.length, focus: 0 });
    else if (next !== null) local.set({ focus: isConfig || factRows > page ? next : 0 });
    else if (!isConfig) {
      if (action === "accept") close();
    } else if (action === "accept" || press.id === " ") change();
    else if (press.id !== "/" || search.cells.length > 0) {
      const field = fieldAction(press, now());
      if (field) local.set({ search: reduceEditor(search, field), focus: 0 });
    }
    return true;
  };
  useKeys({
    context: "picker",
    onKey,
    onPaste: (text) => {
      const { tab, search, value } = local.get();
      const insert = { type: "insert", text: oneLine(text) } as const;
      if (value) local.set({ value: { ...value, editor: reduceEditor(value.editor, insert) } });
      else if (tabs[tab] === "config") local.set({ search: reduceEditor(search, insert), focus: 0 });
      return true;
    },
  });
};

/** What the setting in focus is for and who decides it, in exactly `aboutRows` rows. */
const aboutText = (row: SettingRow | undefined, width: number): string[] => {
  const doc = row ? wrapText(sanitise(row.doc), width)[0]! : "";
  const place = row ? (row.locked ?? (row.from === "default" ? "its default" : `set by ${row.from}`)) : "";
  return [doc, cutToWidth(sanitise(place), width)].map((text) => (text === "" ? " " : text));
};

const Field = ({ mark, editor, width, placeholder }: Record<"mark" | "placeholder", string> & FieldSize) => {
  const theme = useTheme();
  return (
    <Box>
      <Text {...theme.ink("dim")}>{mark}</Text>
      <TextInput editor={editor} width={width - [...mark].length} isActive placeholder={placeholder} />
    </Box>
  );
};

interface FieldSize {
  editor: EditorState;
  width: number;
}

const footerOf = (tab: number, isWriting: boolean): string => {
  if (isWriting) return "empty: the default · enter keeps it · esc goes back";
  return tabs[tab] === "config"
    ? "type to search · ← → tabs · space or enter changes · esc closes"
    : "← → tabs · esc closes";
};

export const SettingsDialog = ({ data }: { data: SettingsData }) => {
  const theme = useTheme();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal<SettingsState>(() => ({
    tab: tabs.indexOf(data.tab),
    focus: 0,
    search: emptyEditor,
    value: null,
    wished: { of: data.settings, values: {} },
  }));
  const { tab, focus, search, value } = local.value;
  const isConfig = tabs[tab] === "config";
  const height = bodyRows(isConfig ? 2 + aboutRows : 1);
  const facts = isConfig
    ? []
    : pageRows({ kind: "page", title: "", rows: tabs[tab] === "status" ? data.status : data.usage }, inner, (text) =>
        theme.style("dim", text),
      );
  useSettingsKeys(data, local, height, facts.length);
  const rows = settingsFound(data, fullText(search.cells));
  return (
    <Panel title="Settings" footer={footerOf(tab, value !== null)} width={width} border="promptBorder">
      <Tabs names={tabNames} open={tab} onOpen={(at) => local.set({ tab: at, focus: 0, value: null })} />
      {!isConfig && <Rows rows={facts} height={height} offset={focus} />}
      {isConfig && value && (
        <Field mark={`${value.key} ❯ `} editor={value.editor} width={inner} placeholder="default" />
      )}
      {isConfig && !value && <Field mark="⌕ " editor={search} width={inner} placeholder="search" />}
      {isConfig && (
        <>
          <ListBox rows={rowsOf(rows)} focus={focus} width={inner} height={height} empty="No setting matches." />
          <Text wrap="truncate" {...theme.ink("dim")}>
            {aboutText(rows[focus], inner).join("\n")}
          </Text>
        </>
      )}
    </Panel>
  );
};
