// `@path` in a prompt: the file goes along as Read shows it, a folder as a list of its entries. Deny rules hold.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mentionedAgent } from "../lib/agent-mention.js";
import { decide } from "../permissions/decide.js";
import { fileKind } from "../platform/fs.js";
import { expandPath } from "../platform/paths.js";
import { newId } from "../protocol/ids.js";
import type { ContentBlock, ImageBlock } from "../protocol/messages.js";
import { read } from "../tools/read.js";
import { bothNames } from "../tools/shared/paths.js";
import type { ToolResult } from "../tools/tool.js";
import { agentTypes } from "./agent-thread.js";
import { decisionContext, readFilter, toolContext } from "./execution-context.js";
import { resultsDir, type Session } from "./session.js";
import { promptContent } from "./user-input.js";

export interface Mention {
  /** As written, without the "@". */
  path: string;
  /** 1-based lines, when a range was given. */
  from?: number;
  to?: number;
}

const maxMentions = 20;
const maxEntries = 200;

const mentionPattern =
  /(?<=^|[\s([{,;])@(?:"([^"\n]+)(?:"|(?=\n|$))|([^\s"]+?))(?:#L(\d+)(?:-L?(\d+))?)?(?=[.,;:!?)\]}'"]*(?:\s|$))/g;

/** The mentions in a text, in order, each once. A full stop or bracket behind one does not belong to it. */
export const mentionsIn = (text: string): Mention[] => {
  const found = [...text.matchAll(mentionPattern)].map(([, quoted, plain, from, to]): Mention => {
    const path = (quoted ?? plain ?? "").trim();
    if (from === undefined) return { path };
    return { path, from: Number(from), to: Number(to ?? from) };
  });
  const unique = new Map(found.filter(({ path }) => path !== "").map((mention) => [JSON.stringify(mention), mention]));
  return [...unique.values()].slice(0, maxMentions);
};

interface Attached {
  blocks: ContentBlock[];
  /** For the person: what went along, or why not. */
  note: { level: "info" | "warning"; text: string };
}

const reminder = (head: string, body: string): ContentBlock => ({
  type: "text",
  text: `<system-reminder>\n${head}\n${body.replaceAll("</system-reminder>", "<\\/system-reminder>")}\n</system-reminder>`,
});

const shortened = ({ path, from, to }: Mention): string =>
  from === undefined ? path : `${path}#L${from}${to === from ? "" : `-${to}`}`;

const folderBlocks = async (session: Session, name: string, path: string): Promise<Attached> => {
  const accept = readFilter(session);
  const all = (await readdir(path, { withFileTypes: true }))
    .filter((entry) => !accept || accept(join(path, entry.name)))
    .map((entry) => `${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort();
  const more = all.length > maxEntries ? `\n(${all.length - maxEntries} more)` : "";
  const body = `${all.slice(0, maxEntries).join("\n")}${more}`;
  return {
    blocks: [reminder(`The person mentioned the folder @${name}. Its entries:`, body)],
    note: { level: "info", text: `Listed ${name} (${all.length} ${all.length === 1 ? "entry" : "entries"})` },
  };
};

const fileBlocks = (name: string, { content, display }: ToolResult, what?: string): Attached => {
  const head = what
    ? `${what} @${name}. Its content:`
    : `The person mentioned @${name}. Its content, as Read gives it:`;
  const summary = display && "summary" in display && display.summary ? ` (${display.summary})` : "";
  const note = { level: "info" as const, text: `Read ${name}${summary}` };
  if (typeof content === "string") return { blocks: [reminder(head, content)], note };
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const others = content.filter((block) => block.type === "image" || block.type === "document");
  return { blocks: [reminder(head, texts.join("\n")), ...others], note };
};

/** An agent that was mentioned: the model is asked to hand it the work. Undefined: there is none of this name. */
const agentAttached = async (session: Session, name: string): Promise<Attached | undefined> => {
  const { agents } = await agentTypes(session);
  if (!agents.some((agent) => agent.name === name)) return undefined;
  if (!session.tools.some((tool) => tool.name === "Agent"))
    return { blocks: [], note: { level: "warning", text: `@${name}: agents cannot be started in this session` } };
  const text = `The person wants the agent "${name}" for this: call Agent with subagent_type "${name}" and give it all it needs to know of the task.`;
  return { blocks: [reminder(text, "")], note: { level: "info", text: `For the agent ${name}` } };
};

/** `@server:uri`: a resource of an MCP server; undefined when no server of this name is there. */
const resourceBlocks = async (
  session: Session,
  { path }: Mention,
  signal: AbortSignal,
): Promise<Attached | undefined> => {
  const statuses = session.mcp?.servers.statuses() ?? [];
  const server = statuses.find(({ name, state }) => state === "connected" && path.startsWith(`${name}:`))?.name;
  if (server === undefined || !session.mcp) return undefined;
  const uri = path.slice(server.length + 1);
  const { resourceResult } = await import("../tools/mcp/result.js");
  const answer = await session.mcp.servers.readResource(server, uri, { signal });
  const result = await resourceResult(answer, { resultsDir: resultsDir(session), id: `mention_${newId()}` });
  const { blocks } = fileBlocks(path, result, "The person mentioned the MCP resource");
  return { blocks, note: { level: "info", text: `Read ${path}` } };
};

/** Said of what looks like a file or an agent and is none; `@user`, `@types/x` and the like are plain text. */
const notFound = (path: string): Attached | undefined => {
  const isMeant = /^agent-./.test(path) || /\s|(?:^|[^@.])\.[A-Za-z0-9]{1,8}$/.test(path);
  if (!isMeant) return undefined;
  return { blocks: [], note: { level: "info", text: `@${path} names nothing here: sent as text` } };
};

/** One mention as blocks; undefined when it names nothing that is there. */
const attach = async (session: Session, mention: Mention, signal: AbortSignal): Promise<Attached | undefined> => {
  const path = expandPath(mention.path, session.cwd, session.places.home);
  const kind = await fileKind(path);
  const agent = kind === "missing" ? mentionedAgent(mention.path) : undefined;
  if (agent !== undefined) return (await agentAttached(session, agent)) ?? notFound(mention.path);
  if (kind !== "file" && kind !== "directory")
    return (await resourceBlocks(session, mention, signal)) ?? notFound(mention.path);
  const name = shortened(mention);
  const input = {
    file_path: path,
    offset: mention.from,
    limit: mention.from && (mention.to ?? mention.from) - mention.from + 1,
  };
  const facts = { reads: await bothNames(path), writes: [] };
  const decision = decide({ tool: "Read", input, facts, isReadOnly: true }, decisionContext(session));
  const refused = (why: string): Attached => ({
    blocks: [],
    note: { level: "warning", text: `@${name} was not attached: ${why}` },
  });
  // What would only ask is answered already: the person named it.
  if (decision.outcome === "deny") return refused(decision.reasons.map(({ text }) => text).join("; "));
  if (kind === "directory") return folderBlocks(session, name, path);
  const context = toolContext(session, { toolUseId: `mention_${newId()}`, signal, emit: async () => undefined });
  const result = await read.call(input, context, () => undefined);
  if (result.isError) return refused(typeof result.content === "string" ? result.content : "it cannot be read");
  return fileBlocks(name, result);
};

export interface ExpandedInput {
  content: string | ContentBlock[];
  notes: Attached["note"][];
}

/** A prompt with what it mentions in front of it. Never rejects: what cannot be attached is noted. */
export const expandInput = async (
  session: Session,
  input: { text: string; images?: readonly ImageBlock[] },
  signal: AbortSignal,
): Promise<ExpandedInput> => {
  const own = promptContent(input);
  const mentions = mentionsIn(input.text);
  if (mentions.length === 0) return { content: own, notes: [] };
  const all = await Promise.all(
    mentions.map((mention) =>
      attach(session, mention, signal).catch(
        (error: Error): Attached => ({
          blocks: [],
          note: { level: "warning", text: `@${mention.path} was not attached: ${error.message}` },
        }),
      ),
    ),
  );
  const attached = all.filter((one) => one !== undefined);
  const blocks = attached.flatMap((one) => one.blocks);
  const notes = attached.map(({ note }) => note);
  if (blocks.length === 0) return { content: own, notes };
  return { content: [...blocks, ...(typeof own === "string" ? [{ type: "text" as const, text: own }] : own)], notes };
};
