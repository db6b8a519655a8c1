// TodoPanel: the tasks of the work in hand: on one line while they fit, else the five that matter now.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { textWidth } from "../../src/lib/text-width.js";
import type { Todo } from "../../src/protocol/display.js";
import { columns } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import { keyFor } from "../keys/keymap.js";
import type { Token } from "../theme/tokens.js";
import { useTheme } from "../theme/use-theme.js";

const maxRows = 5;
const glyphs: Record<Todo["status"], { glyph: string; token: Token }> = {
  completed: { glyph: "✓", token: "success" },
  in_progress: { glyph: "●", token: "accent" },
  pending: { glyph: "○", token: "dim" },
};

/** The window of tasks to show: it begins so that the active one and what follows are seen. */
export const todoWindow = (todos: readonly Todo[], count = maxRows): { shown: Todo[]; hidden: number } => {
  const firstOpen = todos.findIndex(({ status }) => status !== "completed");
  const start = Math.max(0, Math.min(firstOpen < 0 ? todos.length : firstOpen - 1, todos.length - count));
  const shown = todos.slice(start, start + count);
  return { shown, hidden: todos.length - shown.length };
};

const Entry = ({ todo }: { todo: Todo }) => {
  const theme = useTheme();
  const { glyph, token } = glyphs[todo.status];
  const isActive = todo.status === "in_progress";
  return (
    <Text>
      <Text {...theme.ink(token)}>{glyph}</Text>
      <Text {...theme.ink(isActive ? "strong" : "dim")}>{` ${sanitise(todo.subject)}`}</Text>
    </Text>
  );
};

export const TodoPanel = () => {
  const theme = useTheme();
  const todos = useAppState((state) => state.todos);
  const isShown = useAppState((state) => state.showTodos);
  const width = useAppState(columns);
  const hasOpen = todos.some(({ status }) => status !== "completed");
  if (!isShown || !hasOpen) return null;
  const lineWidth = todos.reduce((sum, { subject }) => sum + textWidth(subject) + 5, 2);
  if (lineWidth <= width)
    return (
      <Text wrap="truncate">
        {todos.map((todo) => (
          <Text key={todo.id}>
            {"  "}
            <Entry todo={todo} />{" "}
          </Text>
        ))}
      </Text>
    );
  const { shown, hidden } = todoWindow(todos);
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      {shown.map((todo) => (
        <Text key={todo.id} wrap="truncate">
          {"  "}
          <Entry todo={todo} />
        </Text>
      ))}
      <Text
        {...theme.ink("dim")}
      >{`    ${hidden > 0 ? `${hidden} more · ` : ""}${keyFor("app:toggleTodos")} hides`}</Text>
    </Box>
  );
};
