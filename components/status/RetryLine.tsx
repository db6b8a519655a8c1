// RetryLine: a transport error that is being retried, with its countdown.
import { Text, useAnimation } from "ink";
import { shortReason } from "../../src/lib/short-reason.js";
import { cutToWidth, textWidth } from "../../src/lib/text-width.js";
import { columns } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

const mark = "○ ";
const stops = " · esc stops";

export const RetryLine = () => {
  const theme = useTheme();
  const { now } = useServices();
  const width = useAppState(columns);
  const retry = useAppState((state) => state.run.retry);
  useAnimation({ interval: 1_000, isActive: retry !== null });
  if (!retry) return null;
  const seconds = Math.max(0, Math.ceil((retry.retryAt - now()) / 1_000));
  const count = retry.maxAttempts === null ? `try ${retry.attempt}` : `${retry.attempt} of ${retry.maxAttempts}`;
  const when = seconds === 0 ? "Trying again" : `Trying again in ${seconds} s`;
  const rest = `. ${when} (${count})`;
  // The reason gives way: how long it takes and which key stops it are what people need.
  const room = Math.max(12, width - textWidth(mark + rest + stops));
  return (
    <Text wrap="truncate">
      <Text {...theme.ink("warning")}>{mark}</Text>
      {cutToWidth(shortReason(retry.reason), room) + rest}
      <Text {...theme.ink("dim")}>{stops}</Text>
    </Text>
  );
};
