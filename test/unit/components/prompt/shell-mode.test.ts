// The prompt's other lives: commands for the shell, mentions, images, and moving what runs to the background.
import { expect, it } from "vitest";
import { imagePathIn } from "../../../../components/prompt/cells.js";
import { initialState } from "../../../../state/store.js";
import { setUpPrompt } from "../support/prompt.js";

const isShell = ({ store }: Awaited<ReturnType<typeof setUpPrompt>>): boolean => store.getState().isShell;

it("! on an empty prompt enters the shell mode; esc, backspace and ctrl+u on an empty one leave it", async () => {
  const kit = await setUpPrompt();
  for (const key of ["esc", "backspace", "ctrl+u"]) {
    kit.type("!");
    expect([isShell(kit), kit.full()]).toEqual([true, ""]);
    kit.press(key);
    expect(isShell(kit)).toBe(false);
  }
  kit.type("a!");
  expect([isShell(kit), kit.full()]).toEqual([false, "a!"]);
});

it("a command is sent as a shell request, recalled with its mark, and cleared into the history", async () => {
  const kit = await setUpPrompt();
  kit.type("!ls -l");
  kit.press("enter");
  await kit.settle();
  expect(kit.engine.requests.at(-1)).toMatchObject({ type: "shell", command: "ls -l" });
  expect(isShell(kit)).toBe(false);
  kit.type("draft");
  kit.press("up");
  expect([isShell(kit), kit.full()]).toEqual([true, "ls -l"]);
  kit.press("down");
  expect([isShell(kit), kit.full()]).toEqual([false, "draft"]);
  kit.prompt.clear();
  kit.type("!pwd");
  kit.prompt.clear();
  expect(isShell(kit)).toBe(false);
  expect(kit.app.getState().input.history).toEqual(["!ls -l", "draft", "!pwd"]);
});

it("a slash in the shell mode is no command menu; tab takes the newest earlier command that begins so", async () => {
  const kit = await setUpPrompt();
  kit.app.setState(({ input }) => ({ input: { ...input, history: ["!npm test", "!npm run build", "npm"] } }));
  kit.type("!np");
  kit.press("tab");
  expect(kit.full()).toBe("npm run build");
});

it("@ asks for paths; tab puts the chosen one in, enter sends when it is written out", async () => {
  const kit = await setUpPrompt();
  kit.type("see @al");
  await kit.settle();
  expect(kit.engine.requests.at(-1)).toMatchObject({ type: "complete_path", query: "al", of: "mention" });
  kit.app.setState({ completions: { id: "1", query: "al", paths: ["src/alpha.ts", "al/"], isComplete: true } });
  kit.press("down", "up", "tab");
  expect(kit.full()).toBe("see @src/alpha.ts ");
  kit.type("@b");
  kit.app.setState({ completions: { id: "2", query: "b", paths: ["b"], isComplete: true } });
  kit.press("enter");
  await kit.settle();
  expect(kit.sent()).toEqual(["see @src/alpha.ts @b"]);
});

it("# right behind a completed mention begins its line range; later it is text", async () => {
  const kit = await setUpPrompt();
  const complete = (query: string) => {
    kit.type(`@${query}`);
    kit.app.setState({ completions: { id: "1", query, paths: ["src/alpha.ts"], isComplete: true } });
    kit.press("tab");
  };
  complete("al");
  kit.type("#L2-5 ");
  complete("alp");
  kit.type("x #3");
  expect(kit.full()).toBe("@src/alpha.ts#L2-5 @src/alpha.ts x #3");
});

it("ctrl+b moves a command that runs to the background, else the caret to the left", async () => {
  const kit = await setUpPrompt();
  kit.type("ab");
  kit.press("ctrl+b");
  expect(kit.store.getState().editor.caret).toBe(1);
  const call = { id: "call:1", v: 0, kind: "tool", callId: "1", name: "Bash", title: "x", input: {} } as const;
  kit.app.setState({
    run: { ...initialState().run, isRunning: true },
    transcript: { items: [{ ...call, isReadOnly: false, state: "running", canMove: true }], rev: 1 },
  });
  kit.press("ctrl+b", "ctrl+x ctrl+b");
  await kit.settle();
  expect(kit.store.getState().editor.caret).toBe(1);
  expect(kit.engine.requests.filter(({ type }) => type === "move_to_background")).toHaveLength(2);
});

it("the path of an image is known in the forms in which terminals write dragged files", () => {
  expect(
    ["/a/b.png", "'/a/my shot.PNG'", "/a/my\\ shot.jpg ", "file:///a/my%20shot.webp", "~/x.gif", "./x.jpeg"].map(
      imagePathIn,
    ),
  ).toEqual(["/a/b.png", "/a/my shot.PNG", "/a/my shot.jpg", "/a/my shot.webp", "~/x.gif", "./x.jpeg"]);
  expect(["see /a/b.png", "b.png", "/a/b.txt", "/a/b.png\n/c.png", "/a/my shot.png"].map(imagePathIn)).toEqual(
    Array(5).fill(undefined),
  );
});
