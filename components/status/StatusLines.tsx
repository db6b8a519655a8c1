// StatusLines: what the person's own command printed, between the prompt and the footer.
import { Text } from "ink";
import { sanitiseLinks } from "../../src/lib/sanitise-links.js";
import { cutToWidth } from "../../src/lib/text-width.js";
import { columns, rows } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import { lineSetting } from "./follow-status-line.js";

/** Lines shown: one on a low screen. */
const mostLines = (height: number): number => (height < 16 ? 1 : 3);

export const StatusLines = () => {
  const shown = useAppState((state) => state.statusLine);
  const padding = useAppState((state) => lineSetting(state)?.padding ?? 0);
  const width = useAppState(columns);
  const height = useAppState(rows);
  if (shown === null || shown.lines.every((line) => line.trim() === "")) return null;
  const indent = " ".repeat(2 + Math.max(0, Math.min(padding, 20)));
  const lines = shown.lines
    .slice(0, mostLines(height))
    .map((line) => indent + cutToWidth(sanitiseLinks(line), Math.max(1, width - indent.length)));
  return <Text wrap="truncate">{lines.join("\n")}</Text>;
};
