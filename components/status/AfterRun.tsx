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
  const isTold = useAppState((state) => state.session?.interface?.showTurnDuration !== false);
  const running = useAppState(stillRunning);
  if (!ended) return null;
  const took = `${ended.isCompleted ? "Worked for" : "Stopped after"} ${durationText(ended.durationMs)}`;
  const isLong = ended.durationMs >= worthTellingMs || running !== "";
  const said = [isTold && isLong ? took : "", running === "" ? "" : `${running} still running`].filter(Boolean);
  if (said.length === 0) return null;
  return <Text wrap="truncate" {...theme.ink("dim")}>{`✻ ${said.join(" · ")}`}</Text>;
};
