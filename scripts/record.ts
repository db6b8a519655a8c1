// Turns a live session into a scenario: keys and what stood on the screen become user steps, answers become model turns.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import type { Pty } from "../test/helpers/pty.js";
import { readTranscript } from "../test/helpers/scenario.js";
import type { Scenario, Step } from "../test/helpers/scenario-schema.js";
import { Workspace } from "../test/helpers/workspace.js";

type Answer = Record<string, unknown>;
interface Block {
  type: string;
  [key: string]: unknown;
}

/** An answer of the script from the blocks of a real message. */
const answerOf = (content: Block[], stop: string | null | undefined): Answer => {
  const answer: Answer = {};
  const thoughts = content.filter(({ type }) => type === "thinking").map(({ thinking }) => String(thinking));
  if (thoughts.length) answer.thinking = thoughts.length === 1 ? thoughts[0] : thoughts.map((text) => ({ text }));
  const said = content.filter(({ type }) => type === "text").map(({ text }) => String(text));
  if (said.length) answer.say = said.join("");
  const calls = content.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ [String(name)]: input }));
  if (calls.length) answer.calls = calls;
  if (stop && stop !== (calls.length ? "tool_use" : "end_turn")) answer.stop = stop;
  return answer;
};

/** Puts the message of an SSE body back together. */
const readStream = (body: string): { content: Block[]; stop: string | null } => {
  const content: Block[] = [];
  const json: string[] = [];
  let stop: string | null = null;
  for (const line of body.split("\n")) {
    if (!line.startsWith("data:")) continue;
    const event = JSON.parse(line.slice(5));
    const block = content[event.index];
    if (event.type === "content_block_start") content[event.index] = { ...event.content_block };
    else if (event.type === "message_delta") stop = event.delta.stop_reason ?? stop;
    else if (event.type === "content_block_delta" && block) {
      const { type, text, thinking, partial_json } = event.delta;
      if (type === "text_delta") block.text = String(block.text ?? "") + text;
      if (type === "thinking_delta") block.thinking = String(block.thinking ?? "") + thinking;
      if (type === "input_json_delta") json[event.index] = (json[event.index] ?? "") + partial_json;
    } else if (event.type === "content_block_stop" && block && json[event.index])
      block.input = JSON.parse(json[event.index] ?? "{}");
  }
  return { content, stop };
};

const errorAnswer = (status: number, text: string): Answer => {
  try {
    const { error } = JSON.parse(text);
    return { status, error: { type: error.type, message: error.message } };
  } catch {
    // Not the API's own error shape: keep the text as it came.
    return { status, body: text };
  }
};

/** A proxy in front of the real API that notes each answer. */
const startProxy = async (target: string, answers: Answer[]) => {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (!["host", "connection", "content-length", "accept-encoding"].includes(name)) headers.set(name, String(value));
    const upstream = await fetch(new URL(request.url ?? "/", target), {
      method: request.method,
      headers,
      ...(chunks.length ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(upstream.status, { "content-type": upstream.headers.get("content-type") ?? "text/plain" });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of upstream.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      response.write(chunk);
    }
    response.end();
    if (!request.url?.startsWith("/v1/messages")) return;
    if (!upstream.ok) answers.push(errorAnswer(upstream.status, text));
    else if (text.trimStart().startsWith("{")) {
      const message = JSON.parse(text);
      answers.push(answerOf(message.content, message.stop_reason));
    } else {
      const { content, stop } = readStream(text);
      answers.push(answerOf(content, stop));
    }
  };
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      response.destroy();
      process.stderr.write(`recording proxy: ${error}\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

/** The offline model makes no requests: its answers are read from the session's own record. */
const answersFromTranscript = (workspace: Workspace): Answer[] => {
  const turns = new Map<string, Block[]>();
  for (const line of readTranscript(workspace)) {
    const message = line.message as { id: string; content: Block[] } | undefined;
    if (line.type === "assistant" && message && !line.isApiErrorMessage)
      turns.set(message.id, [...(turns.get(message.id) ?? []), ...message.content]);
  }
  return [...turns.values()].map((content) => answerOf(content, undefined));
};

const keyNames: Record<string, string> = {
  "\r": "enter",
  "\x1b": "esc",
  "\t": "tab",
  "\x1b[Z": "shift-tab",
  "\x7f": "backspace",
  "\x1b[A": "up",
  "\x1b[B": "down",
  "\x1b[C": "right",
  "\x1b[D": "left",
};

/** A chunk of keyboard bytes as a step: typed text, a paste or a named key. Undefined for reports (mouse, focus). */
export const stepOf = (chunk: string): Step | undefined => {
  const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(chunk)?.[1];
  if (pasted !== undefined) return { paste: pasted };
  const named = keyNames[chunk];
  if (named) return { press: named };
  if (/^[\x01-\x1a]$/.test(chunk)) return { press: `ctrl-${String.fromCharCode(chunk.charCodeAt(0) + 96)}` };
  if (/^\x1b./.test(chunk)) return undefined;
  return { type: chunk };
};

/** Joins typed characters, and a key after them, into one step; a dialog that came or went begins a new one. */
export const addStep = (steps: Step[], step: Step, before?: string, now?: string): void => {
  const last = steps.at(-1);
  const isSame = before === now;
  // In a dialog single characters are keys: the numbers of its choices.
  const act: Step = now !== undefined && step.type?.length === 1 ? { press: step.type } : step;
  if (isSame && last?.type !== undefined && !last.press && act.type !== undefined) last.type += act.type;
  else if (isSame && last?.type !== undefined && !last.press && act.press) last.press = act.press;
  else if (isSame) steps.push(act);
  else steps.push(now === undefined ? { notSee: before, ...act } : { see: now, ...act });
};

/** Title of the dialog on the screen, if there is one: what a replay waits for. */
const dialogTitle = (pty: Pty): string | undefined =>
  pty
    .screen()
    .map((line) => /^╭ (.+?) ─/.exec(line)?.[1]?.trim())
    .findLast(Boolean);

const snapshot = (workspace: Workspace): Record<string, string> =>
  Object.fromEntries(
    readdirSync(workspace.project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("/.git"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(workspace.project, file), readFileSync(file, "utf8")]),
  );

/** Lets a person use the program in the scenario's folder; writes what happened to `file`. */
export const recordScenario = async (basis: Scenario, args: string[], file: string): Promise<void> => {
  const answers: Answer[] = [];
  const isOffline = args.includes("offline");
  const proxy = isOffline
    ? undefined
    : await startProxy(process.env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com", answers);
  const workspace = new Workspace({ trusted: basis.trusted });
  workspace.populate(basis);
  const before = snapshot(workspace);
  const { columns: cols = 80, rows = 24 } = process.stdout;
  const pty = workspace.startCli(args, {
    cols,
    rows,
    env: proxy
      ? {
          ANTHROPIC_BASE_URL: proxy.url,
          ANTHROPIC_API_KEY: process.env.ANTHROPIC_API_KEY,
          ANTHROPIC_AUTH_TOKEN: process.env.ANTHROPIC_AUTH_TOKEN,
        }
      : {},
    onData: (data) => process.stdout.write(data),
  });
  const steps: Step[] = [];
  let seenTitle: string | undefined;
  const onKeys = (data: Buffer) => {
    const chunk = data.toString("utf8");
    const title = dialogTitle(pty);
    const step = stepOf(chunk);
    if (step) {
      addStep(steps, step, seenTitle, title);
      seenTitle = title;
    }
    pty.type(chunk);
  };
  process.stdin.setRawMode?.(true);
  process.stdin.on("data", onKeys);
  const { code } = await pty.exit;
  steps.push({ exit: code });
  process.stdin.setRawMode?.(false);
  process.stdin.pause();
  proxy?.close();

  const after = snapshot(workspace);
  const changed = Object.fromEntries(Object.entries(after).filter(([path, text]) => before[path] !== text));
  const model = isOffline ? answersFromTranscript(workspace) : answers;
  const plain = (text: string) =>
    text
      .replaceAll(JSON.stringify(workspace.project).slice(1, -1), "{{project}}")
      .replaceAll(workspace.home, "{{home}}");
  const recorded = {
    title: basis.title,
    ...(Object.keys(basis.files).length ? { files: basis.files } : {}),
    ...(basis.settings ? { settings: basis.settings } : {}),
    args: args.filter((arg, i) => arg !== "offline" && !(arg === "--model" && args[i + 1] === "offline")),
    size: `${cols}x${rows}`,
    model,
    user: steps,
    after: {
      ...(Object.keys(changed).length ? { files: changed } : {}),
      absent: Object.keys(before).filter((path) => !(path in after)),
      turns: model.length,
    },
  };
  if (existsSync(file)) process.stdout.write(`${file} is replaced.\n`);
  writeFileSync(file, stringify(JSON.parse(plain(JSON.stringify(recorded)))));
  await workspace.dispose();
  process.stdout.write(`Written: ${file}. Read it through, then: npm run scenario ${basis.name}\n`);
};
