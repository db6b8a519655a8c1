// RetryLine: a transport error that is being retried, with its countdown.
import { Box, Text, useAnimation } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { useAppState, useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

export const RetryLine = () => {
  const theme = useTheme();
  const { now } = useServices();
  const retry = useAppState((state) => state.run.retry);
  useAnimation({ interval: 1_000, isActive: retry !== null });
  if (!retry) return null;
  const seconds = Math.max(0, Math.ceil((retry.retryAt - now()) / 1_000));
  const count = retry.maxAttempts === null ? `try ${retry.attempt}` : `${retry.attempt} of ${retry.maxAttempts}`;
  const when = seconds === 0 ? "Trying again" : `Trying again in ${seconds} s`;
  // Only the reason gives way on a narrow screen: when it goes on and how to stop it are what one needs to know.
  return (
    <Box>
      <Text {...theme.ink("warning")}>{"○ "}</Text>
      <Box flexShrink={1}>
        <Text wrap="truncate">{sanitise(retry.reason).replace(/\.$/, "")}</Text>
      </Box>
      <Box flexShrink={0}>
        <Text>{`. ${when} (${count})`}</Text>
        <Text {...theme.ink("dim")}>{" · esc stops"}</Text>
      </Box>
    </Box>
  );
};
