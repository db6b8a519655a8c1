// Model server of the benchmarks, in a process of its own so that measuring and streaming do not disturb each other.
// A prompt says what it wants: "paced 800 200" = 800 deltas at 200 a second, "fast 4000" = at full speed,
// "tools 10" = ten rounds of Bash `true`, "agents 5 400" = five agents side by side, each streaming 400 deltas at 40 a
// second, "soak 100 #1 in FOLDER" = a hundred turns of everything (soak-answers.ts), anything else = a short answer. Reports over IPC.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSoak, type SoakAnswer } from "./soak-answers.js";

/** Every message this process sends. Times are milliseconds since the epoch. */
export type Report =
  | { kind: "listening"; url: string }
  | { kind: "request"; at: number }
  | { kind: "stopped"; at: number }
  | { kind: "deltas"; at: number[] };

/** The word a delta shows on the screen: its number, findable in the output. */
export const marker = (n: number): string => `w${String(n).padStart(4, "0")}`;

const now = () => performance.timeOrigin + performance.now();
const report = (message: Report) => void process.send?.(message);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const event = (response: ServerResponse, data: { type: string; [key: string]: unknown }) =>
  response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);

const open = (response: ServerResponse, inputTokens = 100) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const usage = {
    input_tokens: inputTokens,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  event(response, {
    type: "message_start",
    message: {
      id: `msg_${Math.round(now())}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
};

const close = (response: ServerResponse, stop_reason: string) => {
  event(response, { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  event(response, { type: "message_stop" });
  report({ kind: "stopped", at: now() });
  response.end();
};

/** Words in paragraphs of 60, as prose comes. */
const word = (n: number): string => `${marker(n)}${n % 60 === 59 ? "\n\n" : " "}`;

const text = async (response: ServerResponse, count: number, perSecond: number | undefined) => {
  open(response);
  event(response, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  const sent: number[] = [];
  const start = now();
  for (let n = 0; n < count && !response.closed; n++) {
    if (perSecond) {
      const due = start + (n * 1000) / perSecond;
      if (due > now()) await sleep(due - now());
    }
    sent.push(now());
    const isRoom = event(response, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: word(n) },
    });
    if (!isRoom) await new Promise((resolve) => response.once("drain", resolve));
  }
  event(response, { type: "content_block_stop", index: 0 });
  close(response, "end_turn");
  report({ kind: "deltas", at: sent });
};

const call = (response: ServerResponse, n: number) => {
  open(response);
  const block = { type: "tool_use", id: `toolu_${n}`, name: "Bash", input: {} };
  event(response, { type: "content_block_start", index: 0, content_block: block });
  const partial_json = JSON.stringify({ command: "true", description: "Do nothing" });
  event(response, { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } });
  event(response, { type: "content_block_stop", index: 0 });
  close(response, "tool_use");
};

const soak = createSoak();
let soakCalls = 0;

const soakAnswer = (response: ServerResponse, answer: SoakAnswer, inputTokens: number) => {
  open(response, inputTokens);
  if ("say" in answer) {
    event(response, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    const delta = { type: "text_delta", text: answer.say };
    event(response, { type: "content_block_delta", index: 0, delta });
    event(response, { type: "content_block_stop", index: 0 });
    return close(response, "end_turn");
  }
  for (const [index, { name, input }] of answer.calls.entries()) {
    soakCalls += 1;
    const block = { type: "tool_use", id: `toolu_soak_${soakCalls}`, name, input: {} };
    event(response, { type: "content_block_start", index, content_block: block });
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    event(response, { type: "content_block_delta", index, delta });
    event(response, { type: "content_block_stop", index });
  }
  close(response, "tool_use");
};

/** Several Agent calls in one answer; each agent's own prompt asks for a paced answer. */
const agentCalls = (response: ServerResponse, count: number, deltas: number) => {
  open(response);
  for (let index = 0; index < count; index++) {
    const block = { type: "tool_use", id: `toolu_agent_${index}`, name: "Agent", input: {} };
    event(response, { type: "content_block_start", index, content_block: block });
    const partial_json = JSON.stringify({ description: `part ${index + 1}`, prompt: `paced ${deltas} ${agentRate}` });
    event(response, { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
    event(response, { type: "content_block_stop", index });
  }
  close(response, "tool_use");
};

const agentRate = 40; // deltas a second of each

interface Body {
  messages: { role: string; content: string | { type: string; text?: string }[] }[];
}

const charsPerToken = 4;

const answer = async (body: Body, response: ServerResponse, chars: number) => {
  const soaked = soak.answer(body);
  if (soaked) return soakAnswer(response, soaked, Math.ceil(chars / charsPerToken));
  const texts = body.messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => (typeof content === "string" ? [content] : content.map((b) => b.text ?? "")));
  const wish = texts.flatMap((line) => /(paced|fast|tools|agents) (\d+)(?: (\d+))?/.exec(line) ?? []).slice(-4);
  const [, kind, count, rate] = wish.length === 4 ? wish : [];
  if (kind === "paced") return text(response, Number(count), Number(rate));
  if (kind === "fast") return text(response, Number(count), undefined);
  const rounds = body.messages.filter(({ role }) => role === "assistant").length;
  if (kind === "agents" && rounds === 0) return agentCalls(response, Number(count), Number(rate));
  if (kind === "tools" && rounds < Number(count)) return call(response, rounds + 1);
  return text(response, 2, undefined);
};

const server = createServer(async (request, response) => {
  const at = now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!request.url?.startsWith("/v1/messages")) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"type":"error","error":{"type":"not_found_error","message":"not here"}}');
    return;
  }
  report({ kind: "request", at });
  request.socket.setNoDelay(true);
  const text = Buffer.concat(chunks).toString("utf8");
  await answer(JSON.parse(text), response, text.length);
});
if (process.send)
  server.listen(0, "127.0.0.1", () =>
    report({ kind: "listening", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  );
