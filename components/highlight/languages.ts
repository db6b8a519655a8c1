// Which language a file or a code block is in, by the names the highlighter knows. Imports nothing heavy.
import { basename, extname } from "node:path";

/** Extensions that are not a name of the language themselves. */
const byExtension: Record<string, string> = {
  cjs: "javascript",
  mjs: "javascript",
  mts: "typescript",
  cts: "typescript",
  h: "c",
  hh: "cpp",
  hpp: "cpp",
  cc: "cpp",
  cxx: "cpp",
  htm: "xml",
  html: "xml",
  svg: "xml",
  vue: "xml",
  jsonl: "json",
  yml: "yaml",
  toml: "ini",
  conf: "ini",
  cfg: "ini",
  bash: "bash",
  zsh: "bash",
  ksh: "bash",
  env: "bash",
  pyi: "python",
  gemspec: "ruby",
  rake: "ruby",
  patch: "diff",
  markdown: "markdown",
};

const byName: Record<string, string> = {
  makefile: "makefile",
  gnumakefile: "makefile",
  dockerfile: "bash",
  gemfile: "ruby",
  rakefile: "ruby",
  ".bashrc": "bash",
  ".zshrc": "bash",
  ".profile": "bash",
  ".gitconfig": "ini",
  ".npmrc": "ini",
  ".editorconfig": "ini",
};

/** The language of a file by its name; "" when there is none to tell. */
export const languageOfPath = (path: string): string => {
  const name = basename(path).toLowerCase();
  const extension = extname(name).slice(1);
  return byName[name] ?? byExtension[extension] ?? extension;
};

/** The language a fence names: its first word, without what some writers put behind it. */
export const languageOfFence = (info: string): string => {
  const word = info.toLowerCase().replace(/[{,:].*$/, "");
  return byExtension[word] ?? word;
};
