// AfterRun: in the place of the spinner, how long the last run took and what of it still runs.
import { Text } from "ink";
import { stillRunning } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";
import { durationText } from "./format.js";

/** Runs shorter than this need no word, unless something of them still runs. */
export const worthTellingMs = 2_000;

export const AfterRun = () => {
  const theme = useTheme();
  const ended = useAppState((state) => state.run.ended);
  const running = useAppState(stillRunning);
  if (!ended || (ended.durationMs < worthTellingMs && running === "")) return null;
  const rest = running === "" ? "" : ` · ${running} still running`;
  return (
    <Text wrap="truncate" {...theme.ink("dim")}>
      {`✻ ${ended.isCompleted ? "Worked for" : "Stopped after"} ${durationText(ended.durationMs)}${rest}`}
    </Text>
  );
};
