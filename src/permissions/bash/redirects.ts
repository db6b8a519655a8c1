// Redirections: their targets, what they feed, and the words that stand behind them.
import type { Finding, Operand } from "./analysis.js";
import type { Collector, Tail } from "./collector.js";
import { evaluateBody, evaluateValue, evaluateWords } from "./evaluate.js";
import { operandsOf } from "./operand.js";
import type { SyntaxNode } from "./parse.js";
import type { Feed, Scope } from "./scope.js";
import { sliceOf } from "./walk.js";
import { isStaticWord, onlyValue, secretsOf, type Word } from "./words.js";

const harmlessTargets: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const isNetwork = (path: string): boolean => /^\/dev\/(tcp|udp)\//.test(path);

const targetFindings = (word: Word, isWrite: boolean): Finding[] => {
  const text = onlyValue(word);
  if (text !== undefined && isNetwork(text)) return [{ check: "R2", text: `${text} opens a network connection` }];
  if (
    text === undefined &&
    !(
      isStaticWord(word) ||
      word.alternatives.every(
        (pieces) =>
          pieces.length === 1 && pieces[0]?.kind === "unknown" && (pieces[0].under !== undefined || pieces[0].isPipe),
      )
    )
  )
    return [{ check: "R4", text: `the target ${word.written} is not known` }];
  if (text === undefined && isWrite) return [{ check: "R4", text: `the target ${word.written} is not known` }];
  return [];
};

const operandOf = (word: Word, scope: Scope): Operand => operandsOf(word, scope)[0] ?? { text: word.written };

/** One `>`, `<`, `>&` …; words behind the target belong to the command. */
const fileRedirect = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): void => {
  const operator = node.children.find(({ isNamed }) => !isNamed)?.type ?? "";
  const [first, ...others] = node.children.filter(({ field }) => field === "destination");
  for (const other of others) tail.words.push(...evaluateWords(other, collector, scope));
  if (operator.endsWith("&-") || !first) return;
  const isRead = operator === "<" || operator === "<&";
  const words = evaluateWords(first, collector, scope);
  const [word] = words;
  const text = sliceOf(collector, node);
  if (!word || words.length > 1) {
    collector.redirections.push({
      text,
      target: { text },
      access: isRead ? "read" : "write",
      findings: [{ check: "R4", text: `the target of ${text} is not known` }],
    });
    return;
  }
  const value = onlyValue(word);
  const isDescriptor = operator.endsWith("&") && value !== undefined && /^\d+-?$|^-$/.test(value);
  if (isDescriptor) return;
  if (!isRead && value !== undefined && harmlessTargets.has(value)) {
    if (value === "/dev/null") tail.isSilent ||= !/^2/.test(text);
    return;
  }
  if (isRead && first.type === "process_substitution") return;
  if (isRead && value === "/dev/null") return;
  const findings = targetFindings(word, !isRead);
  if (!isRead && scope.hasMoved) findings.push({ check: "C2", text: "writes a file after changing the folder" });
  if (operator === "<>") findings.push({ check: "R1", text: `${text} opens for writing` });
  collector.redirections.push({ text, target: operandOf(word, scope), access: isRead ? "read" : "write", findings });
  if (isRead) tail.stdin = {};
  else tail.isSilent = true;
};

/** The text of a here-document, when it is static. */
const bodyFeed = (body: SyntaxNode, isQuoted: boolean, collector: Collector, scope: Scope): Feed => {
  if (isQuoted) return { text: sliceOf(collector, body) };
  const word = evaluateBody(body, collector, scope);
  for (const name of secretsOf(word)) collector.note("F2", `would show the variable ${name}, which looks secret`);
  const text = onlyValue(word);
  return text === undefined ? {} : { text };
};

/** A here-document, with everything the grammar hangs on its first line. */
const heredoc = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): SyntaxNode[] => {
  const later: SyntaxNode[] = [];
  let isQuoted = false;
  let hasEnd = false;
  for (const child of node.children) {
    if (child.type === "heredoc_start") isQuoted = /['"\\]/.test(sliceOf(collector, child));
    else if (child.type === "heredoc_body") tail.stdin = bodyFeed(child, isQuoted, collector, scope);
    else if (child.type === "heredoc_end") hasEnd = !child.isMissing && child.end > child.start;
    else if (child.type === "file_redirect" || child.type === "herestring_redirect")
      redirect(child, collector, scope, tail);
    else if (child.field === "argument") tail.words.push(...evaluateWords(child, collector, scope));
    else if (child.isNamed && child.type !== "file_descriptor") later.push(child);
  }
  if (!hasEnd) {
    collector.isOpaque = true;
    collector.note("P1", "a here-document without its end");
  }
  return later;
};

const herestring = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): void => {
  const value = node.children.find(({ isNamed, type }) => isNamed && type !== "file_descriptor");
  if (!value) return;
  const word = evaluateValue(value, collector, scope);
  for (const name of secretsOf(word)) collector.note("F2", `would show the variable ${name}, which looks secret`);
  const text = onlyValue(word);
  tail.stdin = text === undefined ? {} : { text };
};

/** Reads one redirection into the tail; returns statements that stand behind a here-document's marker. */
export const redirect = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): SyntaxNode[] => {
  if (node.type === "heredoc_redirect") return heredoc(node, collector, scope, tail);
  if (node.type === "herestring_redirect") herestring(node, collector, scope, tail);
  else fileRedirect(node, collector, scope, tail);
  return [];
};

export const isRedirect = ({ type }: SyntaxNode): boolean =>
  type === "file_redirect" || type === "heredoc_redirect" || type === "herestring_redirect";
