// biome-ignore-all lint/correctness/noComponentHookFactories: tools are no components
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tourPrompt } from "../../../../src/providers/offline/offline.js";
import { denied, planTools, startSession } from "./session.js";

const folder = (files: Record<string, string> = {}): string => {
  const cwd = mkdtempSync(join(tmpdir(), "offline-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};
const notesOf = (cwd: string): string => readFileSync(join(cwd, "claude-tour/notes.md"), "utf8");
const approve = () => ({ text: "The plan is approved. You may start." });

const reporting = (prompts: string[]) => ({
  Agent: ({ prompt = "" }: Record<string, string>) => {
    prompts.push(prompt);
    return { text: `Report ${prompts.length}\nmore of it\nagentId: a1\n<usage>tool_uses: 1</usage>` };
  },
});

describe("the guided tour", () => {
  it("reads a file, creates and edits its notes, runs a command, has a plan approved and carries it out", async () => {
    const cwd = folder({ "ideas.txt": "one\ntwo\n", "photo.png": "x" });
    const session = startSession(cwd, planTools(cwd, approve));
    const said = await session.run(tourPrompt);
    expect(session.calls).toEqual([
      "Glob *",
      "Read ideas.txt",
      "Write claude-tour/notes.md",
      "Edit claude-tour/notes.md",
      "Bash wc -l claude-tour/notes.md",
      "Bash sleep 1 && wc -l claude-tour/notes.md",
      "EnterPlanMode",
      "Write plan.md",
      "ExitPlanMode",
      "Read claude-tour/notes.md",
      "Edit claude-tour/notes.md",
      "Read claude-tour/notes.md",
    ]);
    expect(notesOf(cwd)).toBe(
      "# Notes from the tour\n\n- I was created by the guided tour, then changed by it.\n- The plan was approved and carried out.\n",
    );
    expect(said).toContain("delete the folder claude-tour");
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain("# Plan: finish the tour");
  });

  it("works in an empty folder", async () => {
    const cwd = folder();
    const session = startSession(cwd, planTools(cwd, approve));
    const said = await session.run("show me around");
    expect(session.calls.slice(0, 3)).toEqual(["Glob *", "Glob */*", "Write claude-tour/notes.md"]);
    expect(said).toContain("works in an empty folder too");
    const numbers = session.said.join("\n").match(/(?<=\*\*)\d(?= · )/g);
    expect(numbers).toEqual(numbers?.map((_, at) => `${at + 1}`));
    expect(numbers?.length).toBeGreaterThan(3);
    expect(existsSync(join(cwd, "claude-tour/notes.md"))).toBe(true);
  });

  it("goes on calmly when every change is refused, and leaves nothing behind", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const tools = { ...planTools(cwd, approve), Write: denied, Edit: denied, Bash: denied };
    const session = startSession(cwd, tools);
    const said = await session.run("start the tour");
    expect(session.calls).toEqual([
      "Glob *",
      "Read a.md",
      "Write claude-tour/notes.md",
      "Bash pwd",
      "Bash sleep 1 && pwd",
      "EnterPlanMode",
      "Write plan.md",
    ]);
    expect(said).toContain("It was refused, so nothing was written");
    expect(said).toContain("It left nothing behind");
  });

  it("leaves planning out where its tools are not offered", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const session = startSession(cwd);
    const said = await session.run("tour");
    expect(session.calls.at(-1)).toBe("Bash sleep 1 && wc -l claude-tour/notes.md");
    expect(said).toContain("That was the tour. To remove what the tour made");
    expect(said).not.toContain("Planning");
  });

  it("has two agents look around where agents can be started, and says what they report", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const prompts: string[] = [];
    const session = startSession(cwd, reporting(prompts));
    const said = await session.run("tour");
    expect(said).toContain("- what lies here: Report 1\n- what is written: Report 2");
    for (const prompt of prompts) {
      const agent = startSession(cwd);
      await agent.run(`<system-reminder>\nBackground.\n</system-reminder>\n${prompt}`);
      expect(agent.calls).toHaveLength(3);
    }
  });

  it("goes on after a refusal that ended the run when the person says so", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const session = startSession(cwd);
    const whole = startSession(cwd, { Write: denied });
    await whole.run("tour");
    const refused = whole.messages.findIndex((message) => JSON.stringify(message).includes("rejected this call"));
    session.messages.push(...whole.messages.slice(0, refused + 1), {
      role: "user",
      content: "[Request interrupted by user for tool use]",
    });
    const said = await session.run("go on");
    expect(said).toContain("It was refused, so nothing was written");
    expect(session.calls).toEqual(["Bash pwd", "Bash sleep 1 && pwd"]);
  });

  /** The messages of a session that stopped at the first refusal. */
  const stopped = async (cwd: string, tool: string) => {
    const session = startSession(cwd, planTools(cwd, approve));
    const whole = startSession(cwd, { ...planTools(cwd, approve), [tool]: denied });
    await whole.run("tour");
    const refused = whole.messages.findIndex((message) => JSON.stringify(message).includes("rejected this call"));
    session.messages.push(...whole.messages.slice(0, refused + 1), {
      role: "user",
      content: "[Request interrupted by user for tool use]",
    });
    return session;
  };

  it.each(["Write", "Edit"])("answers words after a refused %s and goes on to the plan", async (tool) => {
    const session = await stopped(folder({ "a.md": "x\n" }), tool);
    const said = await session.run("rather another name");
    expect(said).toContain('You said: "rather another name"');
    expect(said).not.toContain("do not understand");
    expect(session.calls).toContain("ExitPlanMode");
  });

  it("waits while another request is carried out after a refusal, and is taken up again", async () => {
    const session = await stopped(folder({ "a.md": "x\n" }), "Write");
    expect(await session.run('say "hello"')).toBe(
      'hello\n\nThe tour waits where it stopped: say "go on with the tour".',
    );
    expect(await session.run("go on with the tour")).toContain("It was refused, so nothing was written");
    expect(session.calls[0]).toBe("Bash pwd");
    expect(session.calls).toContain("ExitPlanMode");
  });

  it("hears a comment that came with a refusal without an end of the run", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const Write = () => ({
      text: "The person did not allow this call, and nothing was done. They said: use my words",
      isError: true,
    });
    const session = startSession(cwd, { Write });
    const said = await session.run("tour");
    expect(said).toContain('You said: "use my words"');
    expect(said).toContain("It was refused, so nothing was written");
  });

  it("words after a plan that was refused become its next step", async () => {
    const cwd = folder();
    const session = startSession(
      cwd,
      planTools(cwd, () => ({ text: "The person did not approve the plan.", isError: true })),
    );
    await session.run("tour");
    session.messages.pop();
    session.messages.push({ role: "user", content: "[Request interrupted by user for tool use]" });
    session.handlers.ExitPlanMode = approve;
    await session.run("make it shorter");
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain("4. Make it shorter");
    expect(session.calls.filter((call) => call === "ExitPlanMode")).toHaveLength(2);
  });

  it("tells the end of its command in the background: from the notice, or by waiting", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const waiting = startSession(cwd, { ...reporting([]), TaskOutput: () => ({ text: "done" }) });
    expect(await waiting.run("tour")).toContain("It has ended.");
    expect(waiting.calls.at(-1)).toBe("TaskOutput");
    const told = startSession(cwd, { ...reporting([]), TaskOutput: () => ({ text: "done" }) });
    const agents = waiting.messages.findIndex((message) => JSON.stringify(message).includes("agentId: a1"));
    told.messages.push(...waiting.messages.slice(0, agents + 1));
    const said = await told.run(
      "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>The command ended.</summary>\n</task-notification>",
    );
    expect(said).toContain("The notice from the background has come: The command ended.");
    expect(told.calls).toEqual([]);
  });

  it("goes straight to the plan when plan mode is on", async () => {
    const cwd = folder({ "a.md": "x\n" });
    const session = startSession(cwd, planTools(cwd, approve));
    const said = await session.run(
      `<system-reminder>\n# Plan mode is on\nPlan file: \`${cwd}/plan.md\` (it does not exist yet)\n</system-reminder>\nstart the tour`,
    );
    expect(session.calls).toEqual([
      "Glob *",
      "Read a.md",
      "Write plan.md",
      "ExitPlanMode",
      "Write claude-tour/notes.md",
      "Read claude-tour/notes.md",
    ]);
    expect(said).toContain("You are in plan mode");
  });

  it("a plan that is refused with feedback is shown again with the feedback in it", async () => {
    const cwd = folder();
    const answers = [{ text: "Not approved. The person's feedback: read plan.md as well", isError: true }, approve()];
    const session = startSession(
      cwd,
      planTools(cwd, () => answers.shift()!),
    );
    await session.run("tour");
    expect(session.calls.filter((call) => call === "ExitPlanMode")).toHaveLength(2);
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain("4. Read plan.md as well");
  });

  it("a refused plan without feedback ends the run with nothing changed", async () => {
    const cwd = folder();
    const session = startSession(
      cwd,
      planTools(cwd, () => ({ text: "The person rejected the plan.", isError: true })),
    );
    const said = await session.run("tour");
    expect(said).toContain("The plan is not approved, so nothing is changed");
    expect(session.calls.at(-1)).toBe("ExitPlanMode");
  });

  it("a fresh context that starts with the plan carries it out", async () => {
    const cwd = folder({ "notes.txt": "a\n" });
    const session = startSession(cwd);
    await session.run(
      'Carry out this approved plan:\n\n# Plan: x\n\n## Steps\n\n1. Replace "a" with "b" in notes.txt\n2. Dance (needs a real model: will be skipped)\n3. Read notes.txt\n',
    );
    expect(session.calls).toEqual(["Read notes.txt", "Edit notes.txt", "Read notes.txt"]);
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("b\n");
    expect(session.said.at(-1)).toContain("b");
  });
});
