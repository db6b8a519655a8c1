// Agents in a prompt: offered behind "@", and what naming one tells the model.
import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const files = {
  "review.md": "notes\n",
  ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: reviews\n---\nReview.",
};

const open = async () => {
  const { workspace, server } = await engineWorld({}, { files });
  const session = await openEngine(workspace, { clock: handClock() });
  const offered = async (query: string): Promise<string[]> => {
    const from = session.events.length;
    await session.send({ type: "complete_path", id: query, query, of: "mention" });
    const last = session.events.slice(from).findLast((event) => event.type === "completions");
    return last?.type === "completions" ? last.paths : [];
  };
  return { server, session, offered };
};

test("agents are offered beside files: first when their name begins as it is typed", async () => {
  const { session, offered } = await open();
  expect(await offered("rev")).toEqual(["reviewer (agent)", "review.md", ".claude/agents/reviewer.md"]);
  expect(await offered("agent-rev")).toEqual(["reviewer (agent)"]);
  expect(await offered("")).toEqual([
    "review.md",
    "general-purpose (agent)",
    "Explore (agent)",
    "Plan (agent)",
    "reviewer (agent)",
  ]);
  expect(await offered("zzz")).toEqual([]);
  await session.close();
});

test.each(["@agent-reviewer look at this", '@"reviewer (agent)" look at this'])(
  "%s asks for that agent",
  async (prompt) => {
    const { server, session } = await open();
    server.push({ say: "I ask it." });
    await session.prompt(prompt);
    const sent = JSON.stringify(server.turns()[0]?.body.messages);
    expect(sent).toContain('call Agent with subagent_type \\"reviewer\\"');
    expect(session.events).toContainEqual(expect.objectContaining({ type: "notice", text: "For the agent reviewer" }));
    await session.close();
  },
);

test("a name that no agent has is plain text, and a file of that name is a file", async () => {
  const { workspace, server } = await engineWorld({}, { files: { ...files, "agent-reviewer": "a file\n" } });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "ok" }, { say: "ok" });
  await session.prompt("@agent-nobody look");
  await session.prompt("@agent-reviewer look");
  const [first, second] = server.turns().map(({ body }) => JSON.stringify(body.messages));
  expect(first).not.toContain("subagent_type");
  expect(second).not.toContain("subagent_type");
  expect(second).toContain("a file");
  await session.close();
});
