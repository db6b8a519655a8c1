// Puts the system prompt together: the stable part with a cache mark at its end, then what changes from session to session.
import type { SystemBlock } from "../providers/provider.js";
import { sections } from "./sections/index.js";
import type { PromptContext } from "./sections/section.js";

/** Stands between the part that is the same everywhere and the part that is not. A custom prompt may use it too; it is never sent. */
export const dynamicBoundary = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/** Values of the placeholders of a custom system prompt; one that is absent becomes an empty text. */
export interface PromptValues {
  date?: string;
  gitContext?: string;
  claudeMd?: string;
  memory?: string;
  skills?: string;
  agents?: string;
}

export interface PromptOptions {
  /** Replaces every section (`--system-prompt`). */
  custom?: string;
  /** Follows everything else (`--append-system-prompt`). */
  append?: string;
  values?: PromptValues;
}

const fillPlaceholders = (text: string, context: PromptContext, values: PromptValues): string => {
  const known: Record<string, string> = {
    cwd: context.cwd,
    platform: context.platform,
    shell: context.shell,
    date: values.date ?? "",
    git_context: values.gitContext ?? "",
    claude_md: values.claudeMd ?? "",
    memory: values.memory ?? "",
    skills: values.skills ?? "",
    agents: values.agents ?? "",
  };
  return text.replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (whole, name: string) => known[name] ?? whole);
};

/** The whole prompt as one text with the boundary in it. */
export const renderSystemPrompt = (context: PromptContext, options: PromptOptions = {}): string => {
  const parts: string[] = [];
  if (options.custom === undefined) {
    const rendered = sections.map(({ stable, render }) => ({ stable, text: render(context) }));
    parts.push(...rendered.filter(({ stable }) => stable).flatMap(({ text }) => text ?? []));
    parts.push(dynamicBoundary);
    parts.push(...rendered.filter(({ stable }) => !stable).flatMap(({ text }) => text ?? []));
  } else {
    parts.push(fillPlaceholders(options.custom, context, options.values ?? {}));
  }
  if (options.append?.trim()) parts.push(options.append.trim());
  return parts.join("\n\n");
};

/**
 * The `system` field of a request: one block for the part before the boundary, marked for caching, and one for the part behind it.
 * A prompt without a boundary is one marked block; empty parts are left out. Equal arguments give equal bytes.
 */
export const buildSystemPrompt = (context: PromptContext, options: PromptOptions = {}): SystemBlock[] => {
  const [head = "", ...tail] = renderSystemPrompt(context, options).split(dynamicBoundary);
  const blocks: SystemBlock[] = [];
  if (head.trim()) blocks.push({ type: "text", text: head.trim(), cache_control: { type: "ephemeral" } });
  const changing = tail.join("").trim();
  if (changing) blocks.push({ type: "text", text: changing });
  return blocks;
};
