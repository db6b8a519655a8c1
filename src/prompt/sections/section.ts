// What a section of the system prompt is, and the facts it may use.

export interface PromptContext {
  cwd: string;
  /** Further folders the session may work in. */
  extraDirs: readonly string[];
  isGitRepo: boolean;
  /** `process.platform`. */
  platform: string;
  /** Name and version of the operating system. */
  osVersion: string;
  /** Name of the shell that runs commands: "bash". */
  shell: string;
  model: { id: string; label: string };
  /** Names of the tools the request offers. */
  tools: readonly string[];
  /** Nobody can answer questions: `-p`. */
  isHeadless: boolean;
  /** Text of the chosen output style; absent for the default one. */
  outputStyle?: { name: string; text: string; keepsCoding: boolean };
  /** Language the person wants to be answered in (setting `language`). */
  language?: string;
}

export interface Section {
  name: string;
  /** True: the text is the same in every session with the same tools, so it stands before the cache boundary. */
  stable: boolean;
  /** The section's text, undefined when it has nothing to say. Equal contexts give equal bytes. */
  render(context: PromptContext): string | undefined;
}

/** A list in Markdown, absent entries left out. */
export const bullets = (items: readonly (string | false | undefined)[]): string =>
  items
    .filter((item): item is string => typeof item === "string")
    .map((item) => `- ${item}`)
    .join("\n");
