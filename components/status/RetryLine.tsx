// RetryLine: a transport error that is being retried, with its countdown.
import { Text, useAnimation } from "ink";
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
  return (
    <Text wrap="truncate">
      <Text {...theme.ink("warning")}>{"○ "}</Text>
      {`${sanitise(retry.reason).replace(/\.$/, "")}. ${when} (${count})`}
      <Text {...theme.ink("dim")}>{" · esc stops"}</Text>
    </Text>
  );
};
