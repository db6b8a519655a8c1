import { describe, expect, it } from "vitest";
import { buildSystemPrompt, dynamicBoundary, renderSystemPrompt } from "../../../src/prompt/build.js";
import { sections } from "../../../src/prompt/sections/index.js";
import type { PromptContext } from "../../../src/prompt/sections/section.js";

const context: PromptContext = {
  cwd: "/work/shop",
  extraDirs: ["/lib"],
  isGitRepo: true,
  platform: "linux",
  osVersion: "Linux 6.1",
  shell: "bash",
  model: { id: "claude-sonnet-5-5", label: "Claude Sonnet 5.5" },
  tools: [
    "Read",
    "Write",
    "Edit",
    "Glob",
    "Grep",
    "Bash",
    "TaskCreate",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
  ],
  isHeadless: false,
};

describe("the system prompt", () => {
  it("has its stable sections first", () => {
    expect(sections.map(({ name }) => name)).toEqual([
      "identity",
      "system facts",
      "doing tasks",
      "actions",
      "using tools",
      "tone",
      "brevity",
      "environment",
      "output style",
    ]);
    expect(sections.map(({ stable }) => stable)).toEqual([true, true, true, true, true, true, true, false, false]);
  });

  it("is two blocks, the first marked for caching, the second with the environment", () => {
    const [head, tail, ...more] = buildSystemPrompt(context);
    expect(head?.cache_control).toEqual({ type: "ephemeral" });
    expect(tail).toEqual({
      type: "text",
      text: [
        "# Environment",
        "- Working directory: /work/shop",
        "- Additional working directories: /lib",
        "- Git repository: yes",
        "- Platform: linux (Linux 6.1)",
        "- Shell: bash",
        "- Model: Claude Sonnet 5.5 (claude-sonnet-5-5)",
      ].join("\n"),
    });
    expect(more).toEqual([]);
  });

  it("has a first block that is the same bytes in every folder and at every call", () => {
    const elsewhere = { ...context, cwd: "/elsewhere", isGitRepo: false, model: { id: "x", label: "x" } };
    expect(buildSystemPrompt(elsewhere)[0]).toEqual(buildSystemPrompt(context)[0]);
    expect(renderSystemPrompt(context)).toBe(renderSystemPrompt(structuredClone(context)));
  });

  it("names only tools that are offered", () => {
    const text = renderSystemPrompt({ ...context, tools: ["Read", "Bash"], isHeadless: true });
    expect(text).not.toMatch(/\b(TaskCreate|TodoWrite|AskUserQuestion|EnterPlanMode|Glob|Grep|Edit|ToolSearch)\b/);
    expect(text).toContain("Read, not cat");
  });

  it("ends with the output style, then the appended text", () => {
    const style = { keepsCoding: true, name: "Explanatory", text: "Explain.\n" };
    const [, tail] = buildSystemPrompt({ ...context, outputStyle: style }, { append: "Be nice.\n" });
    expect(tail?.text).toMatch(/# Output style: Explanatory\nExplain\.\n\nBe nice\.$/);
  });

  it("is replaced by a custom prompt, whose placeholders are filled and unknown ones left", () => {
    const custom = `You are X on {{platform}} in {{ cwd }}. {{unknown}} {{memory}}\n${dynamicBoundary}\nToday {{date}}`;
    expect(buildSystemPrompt(context, { custom, values: { date: "2026-11-30" } })).toEqual([
      { type: "text", text: "You are X on linux in /work/shop. {{unknown}}", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Today 2026-11-30" },
    ]);
    expect(buildSystemPrompt(context, { custom: "Only this." })).toEqual([
      { type: "text", text: "Only this.", cache_control: { type: "ephemeral" } },
    ]);
    expect(buildSystemPrompt(context, { custom: "" })).toEqual([]);
  });
});
