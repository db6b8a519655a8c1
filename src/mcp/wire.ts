// What servers say, read with tolerance: one odd entry is left out or cleaned, it never costs the whole list.
import { z } from "zod";
import { sanitise } from "../lib/sanitise.js";

const object = z.record(z.string(), z.unknown());

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Any answer: what is in it is looked at field by field. */
export const anyAnswer = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const maxDescription = 2048; // spec: descriptions and instructions are cut at 2 KB

// The sanitiser shows hidden characters in inverse video: the words stay, the style goes.
const style = new RegExp(`${String.fromCharCode(27)}\\[[0-9;:]*m`, "g");

/** A server's text for the model or the person: no escape codes at all, at most 2 KB. */
export const serverText = (value: unknown): string => {
  const text = sanitise(asText(value), { tabSize: 0 }).replace(style, "").trim();
  return text.length > maxDescription ? `${text.slice(0, maxDescription)}…` : text;
};

export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  isReadOnly: boolean;
  isDestructive: boolean;
  /** The person is asked whatever the rules say. */
  needsPerson: boolean;
  isAlwaysLoaded: boolean;
  maxResultChars?: number;
}

const maxResultChars = 500_000; // the most a tool may wish for

/** A tool of a list; undefined when it has no name. */
export const listedTool = (raw: unknown): ListedTool | undefined => {
  const tool = asObject(raw);
  if (typeof tool.name !== "string" || tool.name === "") return undefined;
  const annotations = asObject(tool.annotations);
  const meta = asObject(tool._meta);
  const wish = meta["anthropic/maxResultSizeChars"];
  const title = serverText(tool.title ?? annotations.title).replace(/\s+/g, " ");
  return {
    name: tool.name,
    ...(title ? { title } : {}),
    description: serverText(tool.description),
    inputSchema: { ...asObject(tool.inputSchema) },
    isReadOnly: annotations.readOnlyHint === true,
    isDestructive: annotations.destructiveHint === true,
    needsPerson: meta["anthropic/requiresUserInteraction"] === true,
    isAlwaysLoaded: meta["anthropic/alwaysLoad"] === true,
    ...(typeof wish === "number" && wish > 0 ? { maxResultChars: Math.min(wish, maxResultChars) } : {}),
  };
};

export interface ListedPrompt {
  name: string;
  description: string;
  args: { name: string; isRequired: boolean }[];
}

/** A prompt of a list; undefined when it has no name. */
export const listedPrompt = (raw: unknown): ListedPrompt | undefined => {
  const prompt = asObject(raw);
  if (typeof prompt.name !== "string" || prompt.name === "") return undefined;
  const args = (Array.isArray(prompt.arguments) ? prompt.arguments : [])
    .map(asObject)
    .flatMap(({ name, required }) => (typeof name === "string" ? [{ name, isRequired: required === true }] : []));
  return { name: prompt.name, description: serverText(prompt.description ?? prompt.title), args };
};

export interface ListedResource {
  uri: string;
  name: string;
  description: string;
  mimeType?: string;
}

/** A resource of a list; undefined when it has no address. */
export const listedResource = (raw: unknown): ListedResource | undefined => {
  const resource = asObject(raw);
  if (typeof resource.uri !== "string" || resource.uri === "") return undefined;
  return {
    uri: resource.uri,
    name: serverText(resource.title ?? resource.name),
    description: serverText(resource.description),
    ...(typeof resource.mimeType === "string" ? { mimeType: serverText(resource.mimeType) } : {}),
  };
};

/** The entries under one key of an answer; none when there is no list. */
export const entriesOf = (answer: unknown, key: string): unknown[] => {
  const list = asObject(answer)[key];
  return Array.isArray(list) ? list : [];
};

/** The mark behind which the next page of a list begins. */
export const nextCursor = (answer: unknown): string | undefined => {
  const { nextCursor: cursor } = asObject(answer);
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
};

/** The object that a headers helper printed. Throws an Error for the person. */
export const parseHeaders = (text: string): Record<string, string> => {
  const parsed = object.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error("it must print one JSON object");
  return Object.fromEntries(Object.entries(parsed.data).map(([name, value]) => [name, String(value)]));
};
