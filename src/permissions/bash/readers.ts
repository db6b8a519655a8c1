// The commands that are read by a language or grammar of their own, by name.
import { readAwk } from "./languages/awk.js";
import { readDate, readPrintenv, readPs, readRead, readTest } from "./languages/builtins.js";
import { readFd, readFind, readRg } from "./languages/find.js";
import { readGit } from "./languages/git.js";
import { readJq } from "./languages/jq.js";
import { readSed } from "./languages/sed.js";
import { readXargs } from "./languages/xargs.js";
import type { Reader } from "./read-only/classify.js";

export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["awk", readAwk],
  ["gawk", readAwk],
  ["mawk", readAwk],
  ["nawk", readAwk],
  ["date", readDate],
  ["fd", readFd],
  ["fdfind", readFd],
  ["find", readFind],
  ["git", readGit],
  ["jq", readJq],
  ["printenv", readPrintenv],
  ["ps", readPs],
  ["read", readRead],
  ["rg", readRg],
  ["sed", readSed],
  ["test", readTest],
  ["[", readTest],
  ["[[", readTest],
  ["xargs", readXargs],
]);
