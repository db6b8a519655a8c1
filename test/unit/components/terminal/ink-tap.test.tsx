// Contract with Ink 8.0.0: with `debug: true` each commit writes the whole frame as plain rows to the stdout we hand
// in, and control strings come on their own. If an upgrade breaks this, see the fallback in Transcript ("text").
import { readFileSync } from "node:fs";
import { Box, render, Text, useInput, usePaste } from "ink";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { createInkStdin } from "../../../../components/terminal/ink-stdin.js";
import { createInkStdout } from "../../../../components/terminal/ink-stdout.js";

const tick = () => new Promise((resolve) => setImmediate(resolve));

const setUp = () => {
  const frames: string[][] = [];
  const controls: string[] = [];
  const size = { columns: 20, rows: 10 };
  const stdout = createInkStdout({
    size: () => size,
    onFrame: (rows) => frames.push(rows),
    onControl: (bytes) => controls.push(bytes),
  });
  const stdin = createInkStdin();
  const mount = (node: React.ReactNode) =>
    render(node, {
      stdout: stdout.stream,
      stdin: stdin.stream,
      debug: true,
      interactive: true,
      concurrent: false,
      exitOnCtrlC: false,
      patchConsole: false,
      kittyKeyboard: { mode: "auto" },
    });
  return { frames, controls, size, stdout, stdin, mount };
};

const Keys = ({ seen }: { seen: string[] }) => {
  useInput((input, key) => {
    seen.push(key.return ? "RETURN" : key.escape ? "ESCAPE" : input);
  });
  usePaste((text) => {
    seen.push(`paste:${text}`);
  });
  return <Text>x</Text>;
};

const Echo = () => {
  const [text, setText] = useState("");
  useInput((input) => setText((old) => old + input));
  return <Text>{`> ${text}`}</Text>;
};

let unmount = () => {};
afterEach(() => unmount());

test("the pinned version is the one this contract was written for", () => {
  const { version } = JSON.parse(readFileSync("node_modules/ink/package.json", "utf8"));
  expect(version).toBe("8.0.0");
});

test("a commit writes one whole frame as rows, without cursor codes", async () => {
  const { frames, mount } = setUp();
  const view = mount(
    <Box flexDirection="column">
      <Text color="red">one</Text>
      <Text>two</Text>
    </Box>,
  );
  unmount = () => view.unmount();
  await tick();
  expect(frames.at(-1)?.map((row) => row.replace(/\u001b\[[0-9;]*m/g, ""))).toEqual(["one", "two"]);
  expect(frames.flat().join("")).not.toMatch(/\u001b\[[0-9;?]*[A-HJKhl]/);
});

test("control strings are passed apart from frames: kitty query, push after the answer, pop at the end", async () => {
  const { controls, frames, stdin, mount } = setUp();
  const view = mount(<Keys seen={[]} />);
  await tick();
  expect(controls).toEqual(["\u001b[?u", "\u001b[?2004h"]);
  stdin.enqueue("\u001b[?0u");
  await tick();
  expect(controls.at(-1)).toBe("\u001b[>1u");
  view.unmount();
  await view.waitUntilExit();
  expect(controls).toContain("\u001b[<u");
  expect(frames.flat().every((row) => !row.includes("\u001b[?"))).toBe(true);
});

test("events reach useInput and usePaste one by one, keys typed before mounting included", async () => {
  const { stdin, mount } = setUp();
  const seen: string[] = [];
  stdin.enqueue("early");
  const view = mount(<Keys seen={seen} />);
  unmount = () => view.unmount();
  await tick();
  for (const event of ["abc", "\r", "\u001b[200~one\rtwo\u001b[201~", "\u001b[27u"]) stdin.enqueue(event);
  await tick();
  expect(seen).toEqual(["early", "abc", "RETURN", "paste:one\rtwo", "ESCAPE"]);
});

test("a resize event makes Ink lay out again at the new size", async () => {
  const { frames, size, stdout, mount } = setUp();
  const view = mount(
    <Box width="100%" borderStyle="single">
      <Text>x</Text>
    </Box>,
  );
  unmount = () => view.unmount();
  await tick();
  size.columns = 8;
  stdout.emitResize();
  await tick();
  expect(frames.at(-1)?.[0]?.length).toBe(8);
});

test("state updates produce a new frame each", async () => {
  const { frames, stdin, mount } = setUp();
  const view = mount(<Echo />);
  unmount = () => view.unmount();
  await tick();
  stdin.enqueue("a");
  await tick();
  stdin.enqueue("b");
  await tick();
  expect(frames.at(-1)).toEqual(["> ab"]);
});
