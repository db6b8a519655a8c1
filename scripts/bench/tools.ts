// What the list of tools costs in a request, with deferred tools and without.
import { startModelServer } from "../../test/helpers/model-server.js";
import { launcher, Workspace } from "../../test/helpers/workspace.js";
import type { Measure } from "./rows.js";

const mcpTools = 20; // a server of ordinary size

/** A tool as MCP servers have them: a paragraph of description, six documented parameters. */
const mcpTool = (n: number) => ({
  name: `mcp__server__action_${n}`,
  description: `Does action ${n} on an item of the service. ${"What it does, when to use it and what it returns. ".repeat(4)}`,
  input_schema: {
    type: "object",
    properties: Object.fromEntries(
      ["owner", "item", "query", "page", "limit", "order"].map((name) => [
        name,
        { type: "string", description: `The ${name} of the item, as the service shows it` },
      ]),
    ),
    required: ["owner", "item"],
  },
});

const tokens = (value: unknown): number => JSON.stringify(value).length / 4;

/** The first request of a run: its list of tools, and the part of the first message that names the others. */
const firstRequest = async (setting: string) => {
  const server = await startModelServer({ answers: [{ say: "hello" }] });
  const workspace = new Workspace({ server });
  try {
    await workspace.run(launcher, ["-p", "hello"], { env: { ENABLE_TOOL_SEARCH: setting } });
    const body = server.turns()[0]?.body;
    if (!body) throw new Error("no request was sent");
    const listing = /# deferredTools\\n(.*?)(?:\\n\\n#|\\n<\/system)/.exec(JSON.stringify(body.messages))?.[1] ?? "";
    return { tools: body.tools ?? [], listing };
  } finally {
    await server.close();
    await workspace.dispose();
  }
};

/** Tokens (characters ÷ 4) of the list and the names, against the list with everything in full. */
export const toolTokens = async (): Promise<Measure[]> => {
  const [by, full] = [await firstRequest("true"), await firstRequest("false")];
  const sample = Array.from({ length: mcpTools }, (_, n) => mcpTool(n));
  const names = sample.map(({ name }) => name).join("\n");
  const own = { by: tokens(by.tools) + tokens(by.listing), full: tokens(full.tools) };
  const all = { by: own.by + tokens(names), full: own.full + tokens(sample) };
  return [
    {
      what: `tokens of the tools, deferred / in full, with ${mcpTools} MCP tools`,
      note: `${all.by.toFixed(0)} of ${all.full.toFixed(0)}; built in alone ${(own.by / own.full).toFixed(2)}`,
      value: all.by / all.full,
      unit: "x",
      budget: 0.6,
      budgetOnly: true,
    },
  ];
};
