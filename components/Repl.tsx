// Repl: the layout of the bottom pane. A question or a picker stands in the place of the prompt.
import { Box } from "ink";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { columns, isRunning, questionCount, rows } from "../state/selectors.js";
import { AgentLines, AgentPanes } from "./agents/AgentPanes.js";
import { useAppState, useServices } from "./app-context.js";
import { HistorySearchPane } from "./history/HistorySearchPane.js";
import { PickerHost } from "./pickers/PickerHost.js";
import { Completions } from "./prompt/Completions.js";
import { PromptInput } from "./prompt/PromptInput.js";
import { QueuedPrompts } from "./prompt/QueuedPrompts.js";
import { QuestionHost } from "./questions/QuestionHost.js";
import { AfterRun } from "./status/AfterRun.js";
import { Footer } from "./status/Footer.js";
import { NewOutput } from "./status/NewOutput.js";
import { Notices } from "./status/Notices.js";
import { RetryLine } from "./status/RetryLine.js";
import { Spinner } from "./status/Spinner.js";
import { StatusLines } from "./status/StatusLines.js";
import { TodoPanel } from "./status/TodoPanel.js";
import { KeyHints } from "./ui/KeyHints.js";
import { ViewerPane } from "./viewer/ViewerPane.js";

/** Rows of the screen that always stay to the transcript. */
const transcriptRows = 3;

/** The spinner, or the countdown while a request is being retried; after a run what there is to say of it. */
const StatusLine = () => {
  const isRetrying = useAppState((state) => state.run.retry !== null);
  const running = useAppState(isRunning);
  if (!running) return <AfterRun />;
  return isRetrying ? <RetryLine /> : <Spinner />;
};

const BelowPrompt = () => {
  const { promptStore } = useServices();
  const showKeys = useStore(promptStore, (state) => state.showKeys);
  const width = useAppState(columns);
  const height = useAppState(rows);
  return showKeys ? <KeyHints width={width} height={Math.max(2, Math.floor(height / 2) - 2)} /> : <Footer />;
};

/** Keeps its rows where others are cut: Ink shrinks a bare line to nothing. */
const Whole = ({ children }: { children: ReactNode }) => <Box flexShrink={0}>{children}</Box>;

/** What gives way first when rows are scarce stands in `upper`: its oldest rows are cut, the prompt never is. */
const Pane = ({ upper, lower }: { upper: ReactNode; lower: ReactNode }) => {
  const width = useAppState(columns);
  const height = useAppState(rows);
  return (
    <Box flexDirection="column" width={width} maxHeight={Math.max(1, height - transcriptRows)} overflow="hidden">
      <Box flexDirection="column" flexShrink={1} minHeight={0} overflow="hidden" justifyContent="flex-end">
        {upper}
      </Box>
      <Box flexDirection="column" flexShrink={0}>
        {lower}
      </Box>
    </Box>
  );
};

export const Repl = () => {
  const hasQuestion = useAppState(questionCount) > 0;
  const hasPicker = useAppState((state) => state.picker !== null);
  const { viewer, history } = useServices();
  const isViewing = useStore(viewer.store, ({ isOpen }) => isOpen);
  const isSearching = useStore(history.store, ({ isOpen }) => isOpen);
  if (isViewing) return <Pane upper={<Notices />} lower={<ViewerPane />} />;
  if (hasQuestion)
    return (
      <Pane
        upper={
          <>
            <AgentLines />
            <Notices />
          </>
        }
        lower={<QuestionHost />}
      />
    );
  if (isSearching) return <Pane upper={<Notices />} lower={<HistorySearchPane />} />;
  if (hasPicker) return <Pane upper={<Notices />} lower={<PickerHost />} />;
  return (
    <Pane
      upper={
        <>
          <Whole>
            <NewOutput />
          </Whole>
          <TodoPanel />
          <Whole>
            <AgentPanes />
          </Whole>
          <Whole>
            <StatusLine />
          </Whole>
          <Whole>
            <Notices />
          </Whole>
          <QueuedPrompts />
          <Completions />
        </>
      }
      lower={
        <>
          <PromptInput />
          <StatusLines />
          <BelowPrompt />
        </>
      }
    />
  );
};
