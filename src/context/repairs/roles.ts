// Repair: what only the model or only the person may say stands in their messages, neighbours of one role are one message,
// and the conversation begins and ends with the person.
import type { Message } from "../../protocol/messages.js";
import { asBlock, type BlockMessage, note, type Repair } from "./repair.js";

const onlyBy: Readonly<Record<string, Message["role"]>> = {
  tool_use: "assistant",
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_result: "user",
  image: "user",
  document: "user",
};

/** Splits a message where a block cannot stand under its role. */
export const blocksUnderTheirRole: Repair = (messages) =>
  messages.flatMap((message) => {
    const roleOf = (type: string): Message["role"] => onlyBy[type] ?? message.role;
    if (message.content.every(({ type }) => roleOf(type) === message.role)) return [message];
    return message.content.map((block): BlockMessage => ({ role: roleOf(block.type), content: [block] }));
  });

/** Neighbours of one role as one message. */
export const joinedRoles: Repair = (messages) => {
  const out: BlockMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role !== message.role) out.push(message);
    else out[out.length - 1] = { role: last.role, content: [...last.content, ...message.content] };
  }
  return out;
};

const missingStart = asBlock(note("What was said before this is missing."));
const goOn = asBlock(note("Please go on."));

/** A first message where the person's is missing. */
export const personBegins: Repair = (messages) =>
  messages[0]?.role === "user" ? [...messages] : [{ role: "user", content: [missingStart] }, ...messages];

/** A last message where the person's is missing; not behind a paused answer, which goes back as it is. */
export const personEnds: Repair = (messages) => {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return [...messages];
  return [...messages, { role: "user", content: [goOn] }];
};
