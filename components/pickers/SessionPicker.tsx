// SessionPicker: earlier sessions, found by typing; Space shows more of the one in focus.
import { Box, Text } from "ink";
import { useEffect, useRef } from "react";
import { wrapText } from "../../src/lib/text-width.js";
import type { Picker, SessionRow, SessionScope } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, editorWith, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";
import { previewOf, rowDetail, rowLabel, type ShownRow, shownRows } from "./session-rows.js";

type SessionsData = Extract<Picker, { kind: "sessions" }>;

interface SessionState {
  search: EditorState;
  focus: number;
  hasPreview: boolean;
  /** Only sessions of the branch the person is on. */
  isBranchOnly: boolean;
  expanded: ReadonlySet<string>;
  /** The new name of the session in focus while it is being written. */
  name: { sessionId: string; editor: EditorState } | null;
}

const previewRows = 7;

const rowsOf = ({ sessions, branch }: SessionsData, { search, isBranchOnly, expanded }: SessionState): ShownRow[] =>
  shownRows(sessions, {
    search: fullText(search.cells),
    branch: isBranchOnly ? (branch ?? "") : undefined,
    expanded,
  });

const useResume = (): ((row: SessionRow) => void) => {
  const { actions } = useServices();
  return (row) => {
    if (row.problem !== undefined) {
      actions.hint(`This session cannot be resumed: ${row.problem}. Its file stays as it is.`, 5_000);
      return;
    }
    actions.setPicker(null);
    if (row.command === undefined) actions.resume(row.sessionId);
    else {
      actions.copy(row.command);
      actions.notice("info", `That conversation belongs to another folder. This goes to it (copied): ${row.command}`);
    }
  };
};

/** Keys while a name is being written. */
const onNameKey = (press: KeyPress, local: Local<SessionState>, now: number, save: (name: string) => void): void => {
  const { name } = local.get();
  const action = pickerAction(press.id);
  if (!name) return;
  if (action === "cancel") local.set({ name: null });
  else if (action === "accept") {
    const text = fullText(name.editor.cells).trim();
    if (text !== "") save(text);
    local.set({ name: null });
  } else {
    const field = fieldAction(press, now);
    if (field) local.set({ name: { ...name, editor: reduceEditor(name.editor, field) } });
  }
};

const toggled = (set: ReadonlySet<string>, group: string, isIn: boolean): ReadonlySet<string> =>
  new Set(isIn ? [...set, group] : [...set].filter((one) => one !== group));

/** Keys with a meaning of their own in this list; false: none of them. */
const useListKeys = (data: SessionsData, local: Local<SessionState>) => {
  const { actions } = useServices();
  const show = (scope: SessionScope): void => {
    local.set({ focus: 0 });
    actions.listSessions(data.scope === scope ? "project" : scope);
  };
  return ({ id }: KeyPress, focused: ShownRow | undefined): boolean => {
    const { search, hasPreview, isBranchOnly, expanded } = local.get();
    const isEmpty = search.cells.length === 0;
    if (id === "ctrl+a") show("all");
    else if (id === "ctrl+w") show("worktrees");
    else if (id === "ctrl+b") local.set({ isBranchOnly: !isBranchOnly, focus: 0 });
    else if (id === "ctrl+r") {
      if (focused && focused.row.problem === undefined)
        local.set({ name: { sessionId: focused.row.sessionId, editor: editorWith(focused.row.name ?? "") } });
    } else if (isEmpty && id === " ") local.set({ hasPreview: !hasPreview });
    else if (isEmpty && (id === "right" || id === "left")) {
      if (focused?.group) local.set({ expanded: toggled(expanded, focused.group, id === "right") });
    } else return isEmpty && id === "/"; // the search is open anyway
    return true;
  };
};

const useSessionKeys = (data: SessionsData, local: Local<SessionState>, page: number): void => {
  const { actions, now } = useServices();
  const resume = useResume();
  const onListKey = useListKeys(data, local);
  const onKey = (press: KeyPress): boolean => {
    const { focus, search, name } = local.get();
    if (name) {
      onNameKey(press, local, now(), (text) => actions.renameSession(name.sessionId, text));
      return true;
    }
    const rows = rowsOf(data, local.get());
    const action = pickerAction(press.id);
    const next = walkList(press, focus, rows.length, page);
    if (action === "cancel") actions.setPicker(null);
    else if (action === "accept") {
      if (rows[focus]) resume(rows[focus].row);
    } else if (next !== null) local.set({ focus: next });
    else if (!onListKey(press, rows[focus])) {
      const field = fieldAction(press, now());
      if (field) local.set({ search: reduceEditor(search, field), focus: 0 });
    }
    return true;
  };
  const onPaste = (text: string): boolean => {
    const { search, name } = local.get();
    const insert = { type: "insert", text: oneLine(text) } as const;
    if (name) local.set({ name: { ...name, editor: reduceEditor(name.editor, insert) } });
    else local.set({ search: reduceEditor(search, insert), focus: 0 });
    return true;
  };
  useKeys({ context: "picker", onKey, onPaste });
};

const scopeTexts: Record<SessionScope, string> = {
  project: "",
  worktrees: "all worktrees",
  all: "all projects",
};

const noteOf = (data: SessionsData, count: number, { isBranchOnly }: SessionState): string =>
  [
    `${count} of ${data.sessions.length}`,
    scopeTexts[data.scope],
    isBranchOnly ? `branch ${data.branch ?? "(none)"}` : "",
    data.isComplete ? "" : "reading …",
  ]
    .filter(Boolean)
    .join(" · ");

const emptyText = ({ sessions, scope, isComplete }: SessionsData): string => {
  if (!isComplete) return "Reading …";
  if (sessions.length > 0) return "No session matches.";
  return scope === "project"
    ? "There is no earlier session in this folder. ctrl+a shows those of all projects."
    : "There is no earlier session.";
};

const listHints =
  "ctrl+b branch · ctrl+w worktrees · ctrl+a all · ctrl+r name · space more · enter resumes · esc closes";

const Preview = ({ row, inner }: { row: SessionRow; inner: number }) => {
  const theme = useTheme();
  const lines = previewOf(row).flatMap((line) => wrapText(line, inner));
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text wrap="truncate" {...theme.ink("dim")}>
        {lines.slice(0, previewRows).join("\n")}
      </Text>
    </Box>
  );
};

export const SessionPicker = ({ data }: { data: SessionsData }) => {
  const theme = useTheme();
  const { actions, now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal<SessionState>(() => ({
    search: editorWith(data.query ?? ""),
    focus: 0,
    hasPreview: false,
    isBranchOnly: false,
    expanded: new Set<string>(),
    name: null,
  }));
  const { search, focus, hasPreview, name } = local.value;
  const found = rowsOf(data, local.value);
  const height = bodyRows(1 + (hasPreview ? previewRows + 1 : 0));
  useSessionKeys(data, local, height);
  const opened = useRef(data);
  useEffect(() => {
    const { isComplete, scope } = opened.current;
    if (!isComplete) actions.listSessions(scope); // older ones, once the newest are shown
  }, [actions]);
  const at = Math.min(focus, Math.max(0, found.length - 1));
  const rows = found.map((shown) => ({
    id: shown.row.sessionId,
    // Made when drawn: of thousands of rows a screen shows a few.
    get label() {
      return rowLabel(shown);
    },
    get detail() {
      return rowDetail(shown, now(), data.scope !== "project");
    },
  }));
  const focused = found[at];
  return (
    <Panel
      title="Earlier sessions"
      note={noteOf(data, found.length, local.value)}
      footer={name ? "enter keeps the name · esc leaves it" : listHints}
      width={width}
      border="promptBorder"
    >
      <Box>
        <Text {...theme.ink("accent")}>{name ? "✎ " : "⌕ "}</Text>
        <TextInput
          editor={name ? name.editor : search}
          width={inner - 2}
          isActive
          placeholder={name ? "new name" : "search"}
        />
      </Box>
      <ListBox rows={rows} focus={at} width={inner} height={height} empty={emptyText(data)} />
      {hasPreview && focused ? <Preview row={focused.row} inner={inner} /> : null}
    </Panel>
  );
};
