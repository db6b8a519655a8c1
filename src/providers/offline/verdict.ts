// Verdicts of the offline model on calls in auto mode: by fixed word lists, the same for the same call.
import { blocksOf, type Message } from "../../protocol/messages.js";

const destroys =
  /\b(rm\s+-\w*[rf]|git\s+(reset\s+--hard|clean|checkout\s+--|push|filter-branch)|mkfs|dd|shred|truncate|drop\s+(table|database)|terraform\s+(apply|destroy)|kubectl\s+delete|docker\s+(system\s+prune|volume\s+rm)|npm\s+publish|twine|gh\s+(pr|release|repo))\b/i;
const reaches = /\b(curl|wget|nc|ncat|ssh|scp|sftp|rsync|telnet|ftp)\b|https?:\/\/|\/dev\/tcp\//i;
const privileged =
  /\b(sudo|doas|su|chmod|chown|crontab|systemctl|launchctl|iptables|mount|kill|killall|pkill|eval|base64|xxd)\b/i;
const secrets =
  /(\.ssh\b|\.aws\b|\.netrc|\.env\b|id_(rsa|ed25519)|credential|secret|token|password|\.bashrc|\.zshrc|\.profile|\.git\/hooks)/i;
const everyday =
  /^(npm|pnpm|yarn)\s+(test|t|ci|run\s+(test|lint|build|check|format|types|dev)\b|install$|i$)|^(npx|pnpx)\s+(vitest|jest|tsc|eslint|prettier|biome)\b|^(cargo|go)\s+(build|test|check|fmt|vet|clippy|run)\b|^(make|just)(\s+[\w-]+)*$|^(pytest|python3?\s+-m\s+pytest|ruff|mypy|black|tsc|eslint|vitest|jest)\b|^git\s+(add|commit|switch|branch|stash|fetch|merge|mv|tag)\b|^(mkdir|touch|cp|mv)\s/;

interface Judged {
  decide?: unknown;
  input?: Record<string, unknown>;
}

/** The call under judgement: the last line of the first text. */
const judgedCall = (messages: readonly Message[]): Judged | undefined => {
  const [first] = messages.flatMap(({ content }) => blocksOf(content));
  if (first?.type !== "text") return undefined;
  try {
    return JSON.parse(first.text.split("\n").at(-1) ?? "") as Judged;
  } catch {
    return undefined; // not our prefix: nothing is known
  }
};

type Found = "allow" | "block" | "ask";

const judge = ({ decide, input = {} }: Judged): [Found, string] => {
  if (decide !== "Bash") return ["ask", "only a person can say whether this tool may be used"];
  const command = String(input.command ?? "").trim();
  if (secrets.test(command)) return ["block", "it touches credentials or start files"];
  if (reaches.test(command)) return ["block", "it reaches the network"];
  if (destroys.test(command) || privileged.test(command))
    return ["block", "it destroys, publishes or changes the system"];
  const parts = command.split(/&&|\|\||[;|\n]/).map((part) => part.trim());
  if (parts.every((part) => everyday.test(part))) return ["allow", "an everyday step of the project"];
  return ["ask", "the offline model does not know this command"];
};

const questionOf = (messages: readonly Message[]): string => {
  const last = messages.flatMap(({ content }) => blocksOf(content)).at(-1);
  return last?.type === "text" ? last.text : "";
};

/** The answer to one pass, in the form it asks for: one word, or reason and verdict. */
export const verdictAnswer = (messages: readonly Message[]): string => {
  const call = judgedCall(messages);
  const [verdict, reason]: [Found, string] = call ? judge(call) : ["block", "there was no call to judge"];
  if (!/<verdict>/.test(questionOf(messages))) return verdict === "allow" ? "ALLOW" : "BLOCK";
  return `<reason>${reason} (offline model: fixed word lists, no AI)</reason>\n<verdict>${verdict}</verdict>`;
};
