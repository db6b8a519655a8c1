// SessionPicker: earlier sessions, found by typing; Space shows more of the one in focus.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { SessionRow } from "../../src/protocol/pickers.js";
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

interface SessionState {
  search: EditorState;
  focus: number;
  hasPreview: boolean;
}

const previewRows = 4;

/** Age of a session in the words of a person: "just now", "5 min", "3 h", "2 d". */
export const ageText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
};

/** Sessions in whose title, last prompt, branch or id each word of the search occurs. */
export const findSessions = (sessions: readonly SessionRow[], search: string): SessionRow[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ title, lastPrompt = "", branch = "", sessionId }) => {
    const text = `${title}\n${lastPrompt}\n${branch}\n${sessionId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;

const previewOf = (row: SessionRow): string[] =>
  [row.cwd, `${row.messages} messages, ${sizeText(row.bytes)}`, row.lastPrompt ? `last: ${row.lastPrompt}` : ""].filter(
    Boolean,
  );

const useSessionKeys = (sessions: readonly SessionRow[], local: Local<SessionState>, page: number): void => {
  const { actions, now } = useServices();
  const found = (): SessionRow[] => findSessions(sessions, fullText(local.get().search.cells));
  const onKey = (press: KeyPress): boolean => {
    const { focus, search, hasPreview } = local.get();
    const rows = found();
    const action = pickerAction(press.id);
    const next = walkList(press, focus, rows.length, page);
    const field = fieldAction(press, now());
    if (action === "cancel") actions.setPicker(null);
    else if (action === "accept" && rows[focus]) {
      actions.setPicker(null);
      actions.resume(rows[focus].sessionId);
    } else if (next !== null) local.set({ focus: next });
    else if (press.id === " " && search.cells.length === 0) local.set({ hasPreview: !hasPreview });
    else if (field) local.set({ search: reduceEditor(search, field), focus: 0 });
    return true;
  };
  const onPaste = (text: string): boolean => {
    local.set({ search: reduceEditor(local.get().search, { type: "insert", text: oneLine(text) }), focus: 0 });
    return true;
  };
  useKeys({ context: "picker", onKey, onPaste });
};

export const SessionPicker = ({ sessions, query = "" }: { sessions: readonly SessionRow[]; query?: string }) => {
  const theme = useTheme();
  const { now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal<SessionState>(() => ({ search: editorWith(query), focus: 0, hasPreview: false }));
  const { search, focus, hasPreview } = local.value;
  const found = findSessions(sessions, fullText(search.cells));
  const height = bodyRows(1 + (hasPreview ? previewRows : 0));
  useSessionKeys(sessions, local, height);
  const rows = found.map((row) => ({
    id: row.sessionId,
    label: sanitise(row.title === "" ? (row.lastPrompt ?? row.sessionId) : row.title).replace(/\n/g, " "),
    detail: [ageText(now() - row.updatedAt), row.branch ? sanitise(row.branch) : ""].filter(Boolean).join(" · "),
  }));
  const focused = found[focus];
  return (
    <Panel
      title="Earlier sessions"
      note={`${found.length} of ${sessions.length}`}
      footer="type to search · space shows more · enter resumes · esc closes"
      width={width}
      border="promptBorder"
    >
      <Box>
        <Text {...theme.ink("accent")}>{"⌕ "}</Text>
        <TextInput editor={search} width={inner - 2} isActive placeholder="search" />
      </Box>
      <ListBox rows={rows} focus={focus} width={inner} height={height} empty="No session matches." />
      {hasPreview && focused ? (
        <Box flexDirection="column" marginTop={1}>
          <Text wrap="truncate" {...theme.ink("dim")}>
            {previewOf(focused)
              .flatMap((line) => wrapText(sanitise(line), inner))
              .slice(0, previewRows - 1)
              .join("\n")}
          </Text>
        </Box>
      ) : null}
    </Panel>
  );
};
