// biome-ignore-all lint/correctness/noComponentHookFactories: tools are no components
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOffline } from "../../../../src/providers/offline/offline.js";
import { parsePrompt } from "../../../../src/providers/offline/parse.js";
import { offlinePatterns } from "../../../../src/providers/offline/patterns.js";
import { replyEvents } from "../../../../src/providers/offline/stream.js";
import { assemble, denied, eventsOf, planTools, requestFor, startSession } from "./session.js";

const folder = (files: Record<string, string> = {}): string => {
  const cwd = mkdtempSync(join(tmpdir(), "offline-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};

describe("parsing of plain words", () => {
  const cases: [string, ReturnType<typeof parsePrompt>][] = [
    ["read a.txt and b.txt", [{ kind: "read", files: ["a.txt", "b.txt"] }]],
    ["Could you please show me the file src/x.ts?", [{ kind: "read", files: ["src/x.ts"] }]],
    ["read lines 10-20 of main.go", [{ kind: "read", files: ["main.go"], offset: 10, limit: 11 }]],
    ["show the first 5 lines of a.md", [{ kind: "read", files: ["a.md"], offset: 1, limit: 5 }]],
    ['open "my notes.txt"', [{ kind: "read", files: ["my notes.txt"] }]],
    ["list files", [{ kind: "list", folder: undefined, glob: "*" }]],
    ["what files are here?", [{ kind: "list", folder: undefined, glob: "*" }]],
    ["list all files in src", [{ kind: "list", folder: "src", glob: "**/*" }]],
    ["find files matching **/*.ts in lib", [{ kind: "list", folder: "lib", glob: "**/*.ts" }]],
    ["list the files in this folder", [{ kind: "list", folder: undefined, glob: "*" }]],
    ['search for "a.b(" in src', [{ kind: "search", pattern: "a\\.b\\(", shown: "a.b(", path: "src" }]],
    ["grep /fo+/", [{ kind: "search", pattern: "fo+", shown: "/fo+/", path: undefined }]],
    ["run `ls -la; echo hi`", [{ kind: "run", command: "ls -la; echo hi" }]],
    ["run npm test", [{ kind: "run", command: "npm test" }]],
    ["`git status`", [{ kind: "run", command: "git status" }]],
    [
      'replace "let x = 1" with "let x = 2" in src/a.js',
      [{ kind: "replace", from: "let x = 1", to: "let x = 2", file: "src/a.js", all: false }],
    ],
    [
      "in a.txt, replace foo by bar everywhere",
      [{ kind: "replace", from: "foo", to: "bar", file: "a.txt", all: true }],
    ],
    [
      "change “don't” to 'do not' in x.md.",
      [{ kind: "replace", from: "don't", to: "do not", file: "x.md", all: false }],
    ],
    ['create notes.txt with "one\\ntwo"', [{ kind: "write", file: "notes.txt", content: "one\ntwo\n" }]],
    ["write hello world to greeting.txt", [{ kind: "write", file: "greeting.txt", content: "hello world\n" }]],
    [
      "create a file called x.sh with:\n```sh\necho 1; echo 2\n```",
      [{ kind: "write", file: "x.sh", content: "echo 1; echo 2\n" }],
    ],
    ["make an empty file a/b.txt", [{ kind: "write", file: "a/b.txt", content: "" }]],
    ['append "- last" to the end of list.md', [{ kind: "append", file: "list.md", content: "- last" }]],
    [
      "make a task list: read the code, write tests and run them",
      [{ kind: "tasks", items: ["read the code", "write tests", "run them"] }],
    ],
    ["show my tasks", [{ kind: "showTasks" }]],
    ["mark task #2 as in progress", [{ kind: "taskStatus", id: "2", status: "in_progress" }]],
    ["complete task 3", [{ kind: "taskStatus", id: "3", status: "completed" }]],
    [
      "ask me which colour: red, green or blue",
      [{ kind: "ask", question: "which colour", options: ["red", "green", "blue"] }],
    ],
    [
      "plan to replace a with b in c.txt",
      [{ kind: "plan", goal: "replace a with b in c.txt", steps: ["replace a with b in c.txt"] }],
    ],
    ["make me a sandwich", [{ kind: "unknown", text: "make me a sandwich" }]],
    ["what can you do?", [{ kind: "help" }]],
    ["take the guided tour", [{ kind: "tour" }]],
    [
      "read a.txt, then run `wc -l a.txt` and search for x",
      [
        { kind: "read", files: ["a.txt"] },
        { kind: "run", command: "wc -l a.txt" },
        { kind: "search", pattern: "x", shown: "x", path: undefined },
      ],
    ],
  ];
  it.each(cases)("%s", (prompt, expected) => {
    expect(parsePrompt(prompt)).toEqual(expected);
  });

  it("every documented example is understood as what it stands for", () => {
    for (const { example } of offlinePatterns.filter((pattern) => pattern.example !== "")) {
      for (const { kind } of parsePrompt(example)) expect(`${example}: ${kind}`).not.toContain("unknown");
    }
  });

  it("never throws, and always finds something to do", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => parsePrompt(text).length > 0),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe("requests through the tools", () => {
  it("reads several files at once and says what is in them", async () => {
    const cwd = folder({ "a.txt": "alpha\n", "b.txt": "beta\nbeta\n" });
    const session = startSession(cwd);
    const said = await session.run("read a.txt and b.txt");
    expect(session.messages).toHaveLength(4);
    expect(session.calls).toEqual(["Read a.txt", "Read b.txt"]);
    expect(said).toBe("a.txt, 1 line:\n```\nalpha\n```\n\nb.txt, 2 lines:\n```\nbeta\nbeta\n```");
  });

  it("says that a missing file is missing", async () => {
    const said = await startSession(folder()).run("read nothing.txt");
    expect(said).toMatch(/^I could not read nothing\.txt: File not found/);
  });

  it("reads before it replaces, and names the way to replace all", async () => {
    const cwd = folder({ "a.js": "x = 1; x = 1\n" });
    const session = startSession(cwd);
    const said = await session.run('replace "1" with "2" in a.js');
    expect(said).toContain("I could not change a.js: old_string occurs 2 times");
    await session.run('replace all "1" with "2" in a.js');
    expect(session.calls).toEqual(["Read a.js", "Edit a.js", "Read a.js", "Edit a.js"]);
    expect(readFileSync(join(cwd, "a.js"), "utf8")).toBe("x = 2; x = 2\n");
  });

  it("appends to a file whose last line is not unique, and creates one that is missing", async () => {
    const cwd = folder({ "list.md": "- a\n- b\n- a\n" });
    const session = startSession(cwd);
    await session.run('append "- c" to list.md then append "first" to new.md');
    expect(readFileSync(join(cwd, "list.md"), "utf8")).toBe("- a\n- b\n- a\n- c\n");
    expect(readFileSync(join(cwd, "new.md"), "utf8")).toBe("first\n");
  });

  it("a refused change is reported as refused and the next step still runs", async () => {
    const cwd = folder({ "a.txt": "x\n" });
    const session = startSession(cwd, { Write: denied });
    const said = await session.run("create b.txt with hello then read a.txt");
    expect(said).toContain("I was not allowed to write b.txt, so I left it.");
    expect(session.calls).toEqual(["Write b.txt", "Read a.txt"]);
  });

  it("reports the exit code and output of a command", async () => {
    const session = startSession(folder(), { Bash: () => ({ text: "Exit code 2\nboom", isError: true }) });
    expect(await session.run("run `false`")).toBe("`false` ended with exit code 2.\n```\nboom\n```");
  });

  it("plans a change in plan mode instead of making it", async () => {
    const cwd = folder({ "a.txt": "old\n" });
    const session = startSession(
      cwd,
      planTools(cwd, () => ({ text: "Approved." })),
    );
    const on = `<system-reminder>\n# Plan mode is on\nPlan file: \`${cwd}/plan.md\`\n</system-reminder>`;
    await session.run(`${on}\nreplace "old" with "new" in a.txt`);
    expect(session.calls).toEqual(["Write plan.md", "ExitPlanMode", "Read a.txt", "Edit a.txt"]);
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toContain('1. Replace "old" with "new" in a.txt');
  });

  it("gives the plan as text where nobody can approve it", async () => {
    const cwd = folder();
    const on = `<system-reminder>\n# Plan mode is on\nPlan file: \`${cwd}/plan.md\`\n</system-reminder>`;
    const said = await startSession(cwd).run(`${on}\nplan to run \`npm test\``);
    expect(said).toContain('1. Run "npm test"');
  });

  it("puts tasks on the list and asks a question", async () => {
    const seen: unknown[] = [];
    const session = startSession(folder(), {
      TaskCreate: (input) => ({ text: `Task #${seen.push(input)} created` }),
      AskUserQuestion: (input) => ({
        text: `colour = ${JSON.stringify(input.questions).includes("green") ? "green" : "?"}`,
      }),
    });
    expect(await session.run("todo: a, b")).toBe("2 tasks on the list.");
    expect(await session.run("ask me which colour: red or green")).toContain("Your answer: colour = green");
  });

  it("is honest about what it does not understand", async () => {
    const said = await startSession(folder()).run("refactor the parser into modules");
    expect(said).toContain("a script without AI");
  });

  it("does what was added while the run was going on", async () => {
    const cwd = folder({ "a.txt": "x\n", "b.txt": "y\n" });
    const session = startSession(cwd);
    await session.run("read a.txt");
    const result = session.messages[2]!.content as unknown[];
    const messages = [
      ...session.messages.slice(0, 2),
      { role: "user" as const, content: [...result, { type: "text", text: "read b.txt" }] as never },
    ];
    const blocks = assemble(await eventsOf(createOffline({ delayMs: 0 }).stream(requestFor(cwd, messages, ["Read"]))));
    expect(blocks.map(({ type }) => type)).toEqual(["text", "tool_use"]);
    expect(blocks[1]).toMatchObject({ name: "Read", input: { file_path: `${cwd}/b.txt` } });
  });
});

describe("the stream of the offline model", () => {
  it("carries any text and any input unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.dictionary(fc.string(), fc.string()), (text, input) => {
        const request = requestFor("/x", [{ role: "user", content: "hi" }], []);
        const blocks = assemble([...replyEvents(request, { text, calls: [{ name: "T", input }] })]);
        expect(blocks).toEqual([
          ...(text ? [{ type: "text", text }] : []),
          { type: "tool_use", id: expect.any(String), name: "T", input: JSON.parse(JSON.stringify(input)) },
        ]);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it("gives equal replies to equal requests and other ids to later ones", async () => {
    const one = startSession(folder({ "a.txt": "x\n" }));
    await one.run("read a.txt");
    await one.run("read a.txt");
    const ids = one.messages.flatMap(({ content }) =>
      Array.isArray(content)
        ? content.flatMap((block) => (block.type === "tool_use" ? [(block as { id: string }).id] : []))
        : [],
    );
    expect(new Set(ids).size).toBe(2);
    const request = requestFor(one.cwd, one.messages.slice(0, 1), ["Read"]);
    const provider = createOffline({ delayMs: 0 });
    expect(await eventsOf(provider.stream(request))).toEqual(await eventsOf(provider.stream(request)));
  });

  it("stops with kind aborted when the signal fires", async () => {
    const abort = new AbortController();
    const request = { ...requestFor("/x", [{ role: "user", content: "help" }], []), signal: abort.signal };
    const reading = (async () => {
      for await (const event of createOffline({ delayMs: 1 }).stream(request)) {
        if (event.type === "content_block_delta") abort.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "ProviderError", kind: "aborted", retryable: false });
  });

  it("answers the special purposes", async () => {
    const cwd = folder({ "a.txt": "x\n" });
    const session = startSession(cwd);
    await session.run("read a.txt");
    const ask = async (purpose: "compact" | "title" | "classifier" | "hook" | "recall", last: string) => {
      const request = requestFor(cwd, [...session.messages, { role: "user", content: last }], [], purpose);
      const [block] = assemble(await eventsOf(createOffline({ delayMs: 0 }).stream(request)));
      return block?.type === "text" ? block.text : "";
    };
    expect(await ask("title", "title?")).toBe("read a.txt");
    expect(await ask("compact", "summarise")).toContain(`## Files read\n- ${cwd}/a.txt`);
    expect(await ask("classifier", "?")).toBe("BLOCK"); // not a call to judge
    expect(JSON.parse(await ask("hook", "?"))).toMatchObject({ ok: true });
    expect(
      JSON.parse(
        await ask("recall", "- deploy.md: how releases are deployed\n- food.md: lunch\nhow are releases made?"),
      ),
    ).toEqual(["deploy.md"]);
  });
});
