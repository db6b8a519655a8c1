// A small program on the real screen engine, for tests in a pty: each key is one way to leave, or shows something.
import { Box, render, Text, useInput, usePaste } from "ink";
import { useEffect, useState } from "react";
import { createTerminal } from "../../../../components/terminal/terminal.js";

const log: string[] = [];
const terminal = createTerminal({ log: (text) => log.push(text) });
terminal.enter();
terminal.setTranscriptRows((height, width) =>
  Array.from({ length: height }, (_, index) => `row ${index} of ${height} at ${width}`),
);

const App = () => {
  const [text, setText] = useState("");
  const [size, setSize] = useState(terminal.size);
  useEffect(() => terminal.onResize(setSize), []);
  usePaste((pasted) => setText((old) => `${old}[${pasted.length}]`));
  useInput((input, key) => {
    terminal.setCursor({ rowFromBottom: 0, column: 2 });
    if (key.ctrl && input === "z") terminal.stop();
    else if (input === "q") void terminal.settle().then(() => finish());
    else if (input === "e") process.exit(3);
    else if (input === "t") setTimeout(() => throwNow(), 0);
    else if (input === "r") void Promise.reject(new Error("rejected on purpose"));
    else if (input === "s") editOutside();
    else if (input === "b") paintWildly(setText);
    else if (input === "l") {
      console.log("must not be seen");
      setText("printed");
    } else setText((old) => old + input);
  });
  return (
    <Box flexDirection="column">
      <Text>{"─".repeat(size.columns)}</Text>
      <Text>{`> ${text}`}</Text>
    </Box>
  );
};

const throwNow = () => {
  throw new Error("thrown on purpose");
};

/** Repaints everything as fast as it may for 2.5 s, then shows the longest time the event loop stood still. */
const paintWildly = (show: (text: string) => void) => {
  const start = performance.now();
  let last = start;
  let longest = 0;
  const step = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    terminal.setTranscriptRows((height, width) =>
      Array.from({ length: height }, (_, index) =>
        String(Math.round(now) + index)
          .repeat(20)
          .slice(0, width),
      ),
    );
    terminal.request(true);
    if (now - start < 2500) setTimeout(step, 5);
    else show(`longest ${Math.round(longest)} blocked ${terminal.isBlocked}`);
  };
  step();
};

const editOutside = () => {
  terminal.suspend();
  process.stdout.write("");
  setTimeout(() => terminal.resume(), 50);
};

const view = render(<App />, {
  stdin: terminal.inkStdin,
  stdout: terminal.inkStdout,
  debug: true,
  interactive: true,
  exitOnCtrlC: false,
  patchConsole: false,
  kittyKeyboard: { mode: "enabled" },
});

const finish = () => {
  view.unmount();
  terminal.leave();
  process.stdout.write(`logged ${log.length}\n`);
};
