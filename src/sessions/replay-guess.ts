// Displays and titles for records of other writers, which do not carry ours.
import type { Display, Hunk } from "../protocol/display.js";

const titleKeys = ["file_path", "path", "command", "pattern", "url", "query", "description", "subject", "skill"];
const longestTitle = 200; // characters; the screen cuts further

/** A short argument for a tool line, from the input's best known field. */
export const guessTitle = (input: Record<string, unknown>): string => {
  const key = titleKeys.find((name) => typeof input[name] === "string" && input[name] !== "");
  const value = key === undefined ? Object.values(input).find((entry) => typeof entry === "string") : input[key];
  return typeof value === "string" ? (value.split("\n", 1)[0] ?? "").slice(0, longestTitle) : "";
};

type Structured = Record<string, unknown>;

const isObject = (value: unknown): value is Structured => typeof value === "object" && value !== null;

/** The best display for a stored result: a diff or a shell block where the structured output allows it, else its text. */
export const guessDisplay = (
  call: { name: string; input: Record<string, unknown> },
  structured: unknown,
  text: string,
): Display => {
  if (!isObject(structured)) return { kind: "text", text };
  return diffOf(structured) ?? shellOf(call.input, structured) ?? { kind: "text", text };
};

const diffOf = (structured: Structured): Display | undefined => {
  const { structuredPatch, filePath } = structured;
  if (!Array.isArray(structuredPatch) || typeof filePath !== "string") return undefined;
  const hunks = structuredPatch.filter(isHunk);
  if (hunks.length === 0) return undefined;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    kind: "diff",
    path: filePath,
    change: structured.type === "create" ? "create" : "update",
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    hunks,
  };
};

const isHunk = (value: unknown): value is Hunk =>
  isObject(value) &&
  ["oldStart", "oldLines", "newStart", "newLines"].every((key) => typeof value[key] === "number") &&
  Array.isArray(value.lines) &&
  value.lines.every((line) => typeof line === "string");

const shellOf = (input: Structured, structured: Structured): Display | undefined => {
  const { stdout, stderr, interrupted } = structured;
  if (typeof stdout !== "string" || typeof input.command !== "string") return undefined;
  const output = [stdout, typeof stderr === "string" ? stderr : ""].filter((part) => part !== "").join("\n");
  return { kind: "shell", command: input.command, output, exitCode: null, interrupted: interrupted === true };
};
