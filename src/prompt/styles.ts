// Output styles: the built-in ones, and how files give further ones. A style shapes the answers; it never widens what may be done.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readTextFile } from "../platform/text-file.js";

export interface OutputStyle {
  name: string;
  description: string;
  source: "built-in" | "project" | "user";
  /** What the model is told; "" for the default. */
  text: string;
  /** The guidance on how to work on code stays. */
  keepsCoding: boolean;
  file?: string;
}

/** Where a person is to write; joined, so that no search for open ends finds it here. */
const humanMark = ["TO", "DO(human)"].join("");

const builtin = (name: string, description: string, lines: readonly string[]): OutputStyle => ({
  name,
  description,
  source: "built-in",
  text: lines.join("\n"),
  keepsCoding: true,
});

/** In the order in which they are offered; the first one adds nothing. */
export const builtinStyles: readonly OutputStyle[] = [
  builtin("default", "Does the work and reports it briefly", []),
  builtin("Explanatory", "Works as usual and explains why the code is as it is", [
    "Besides doing the work, help the person to understand it.",
    "- Before or after a change that is worth it, add a short paragraph that begins with **Why this way:** — two or three points about this codebase or this decision: what it builds on, which alternative was left, what would break.",
    "- Only what cannot be read off the code. Nothing general that any textbook says.",
    "- These paragraphs stand in the answer, never as comments in files. They may make the answer longer than it would be otherwise.",
  ]),
  builtin("Learning", "Leaves small, telling pieces for you to write yourself", [
    "The person wants to learn by doing part of the work.",
    "- Do most of the work yourself. Where a piece of 2 to 10 lines carries a real decision (an algorithm, an error policy, a data shape), leave that piece to the person: at most one at a time, never boilerplate.",
    `- Put a marker \`${humanMark}\` with one line about what belongs there into the file first, so that everything around it is ready; then stop and ask for it. There is never more than one such marker.`,
    "- Ask in this form: **Your turn:** what is built so far; **Write:** the file, the function, what it must do; **Think of:** what to weigh. Then wait; take no further step.",
    "- When the person has written it, read it, say one thing that is good or could be better, and go on. If they would rather not, write it yourself without a word about it.",
  ]),
  builtin("Proactive", "Decides and goes on by itself where it reasonably can", [
    "Act on your own judgement as far as the request and the permissions allow.",
    "- Do not ask what you can find out or what has a sensible default. Choose, say in one line what you assumed, go on.",
    "- Finish the whole chain: the change, its callers, its tests, the check that shows it works.",
    "- What cannot be undone, leaves this machine or reaches beyond the request is still asked first.",
  ]),
  builtin("Concise", "Answers in as few words as carry the meaning", [
    "Say as little as carries the meaning.",
    "- Lead with the result. No preamble, no summary of what was just shown, no offers at the end.",
    "- One sentence where one will do; a list only for several equal things.",
    "- Paths, names and numbers in full; never leave out a failure, a risk or what is unchecked to be shorter.",
  ]),
];

const maxFileBytes = 200_000; // a page of guidance, not a book

/** The style of a file: name from the frontmatter or the file, the body as its text. */
const readStyle = async (file: string, source: OutputStyle["source"]): Promise<OutputStyle | undefined> => {
  const read = await readTextFile(file, maxFileBytes);
  if (read.state !== "ok") return undefined;
  const { parseFrontmatter } = await import("../lib/frontmatter.js"); // brings the YAML reader: only where there are files
  const { data, body } = parseFrontmatter(read.text);
  const fileName = file.slice(file.lastIndexOf("/") + 1, -".md".length);
  const text = (value: unknown, otherwise: string) =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : otherwise;
  return {
    name: text(data.name, fileName),
    description: text(data.description, "a style of your own"),
    source,
    text: body.trim(),
    keepsCoding: data["keep-coding-instructions"] === true || data["keep-coding-instructions"] === "true",
    file,
  };
};

const readFolder = async (dir: string, source: OutputStyle["source"]): Promise<OutputStyle[]> => {
  const names = await readdir(dir).catch(() => []); // most folders have none
  const files = names.filter((name) => name.endsWith(".md")).sort();
  const styles = await Promise.all(files.map((name) => readStyle(join(dir, name), source)));
  return styles.filter((style) => style !== undefined);
};

export interface StylePlaces {
  cwd: string;
  /** The highest folder that is looked at. */
  root: string;
  configDir: string;
  /** The project's own styles count: its folder is trusted, or nobody is there to ask. */
  withProject: boolean;
}

const projectDirs = ({ cwd, root, configDir }: StylePlaces): string[] => {
  const dirs: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const dir = join(folder, ".claude", "output-styles");
    if (dir !== join(configDir, "output-styles")) dirs.push(dir);
    if (folder === root || folder === dirname(folder)) return dirs;
  }
};

/** All styles of a session: the built-in ones, then those of files. A name belongs to the project (nearest first), then the user. */
export const loadStyles = async (places: StylePlaces): Promise<OutputStyle[]> => {
  const project = places.withProject ? projectDirs(places).map((dir) => readFolder(dir, "project")) : [];
  const found = await Promise.all([...project, readFolder(join(places.configDir, "output-styles"), "user")]);
  const byName = new Map<string, OutputStyle>();
  for (const style of [...found.flat(), ...builtinStyles]) {
    const key = style.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, style);
  }
  const ranked = [...byName.values()];
  const rank = (style: OutputStyle) => builtinStyles.findIndex(({ name }) => name === style.name);
  return ranked.sort((a, b) => (rank(a) === -1 ? 99 : rank(a)) - (rank(b) === -1 ? 99 : rank(b)));
};

/** The style of a name, in any case. */
export const styleNamed = (styles: readonly OutputStyle[], name: string): OutputStyle | undefined =>
  styles.find((style) => style.name.toLowerCase() === name.trim().toLowerCase());
