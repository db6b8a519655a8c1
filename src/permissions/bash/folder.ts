// Follows cd, pushd and popd through a text.
import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { realFolder } from "../resolve.js";
import type { Finding, Operand } from "./analysis.js";
import type { Collector } from "./collector.js";
import type { Scope } from "./scope.js";
import { onlyValue, type Word } from "./words.js";

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // missing: the command will fail and the shell stays where it is
  }
};

const lost = (scope: Scope, check: string, text: string): { findings: Finding[]; reads: Operand[] } => {
  scope.cwd = undefined;
  scope.hasMoved = true;
  return { findings: [{ check, text }], reads: [] };
};

const goBack = (rest: readonly unknown[], scope: Scope): { findings: Finding[]; reads: Operand[] } => {
  const folder = scope.stack?.at(-1);
  if (rest.length > 0 || folder === undefined) return lost(scope, "C1", "popd leads to a folder that is not tracked");
  scope.stack = scope.stack?.slice(0, -1);
  scope.cwd = folder;
  return { findings: [], reads: [] };
};

/** Applies a change of folder; the target is judged as a place that is looked at. */
export const changeFolder = (
  words: readonly Word[],
  collector: Collector,
  scope: Scope,
): { findings: Finding[]; reads: Operand[] } => {
  const [name, ...rest] = words.map(onlyValue);
  if (name === "popd") return goBack(rest, scope);
  if (name === "pushd") scope.stack = [...(scope.stack ?? []), scope.cwd];
  const operands = rest.filter((word) => word === undefined || !/^-[LPe@]+$|^--$/.test(word));
  if (operands.length > 1 || (name === "pushd" && operands.length === 0))
    return lost(scope, "C1", `${name} with these words is not tracked`);
  const target = operands.length === 0 ? collector.context.home : operands[0];
  if (target === undefined || target === "-" || target === "" || (name === "pushd" && /^[+-]\d/.test(target)))
    return lost(scope, "C1", "the folder is not known");
  if (scope.cwd === undefined && !isAbsolute(target)) return lost(scope, "C1", "the folder is not known");
  const hasSearch = collector.context.env.CDPATH || scope.variables.has("CDPATH");
  if (hasSearch && !/^[./]/.test(target)) return lost(scope, "C1", "CDPATH can lead elsewhere");
  // bash folds `..` by the text, the system by the links: both places must be allowed, and they must agree to go on.
  const logical = resolve(scope.cwd ?? "/", target);
  const physical = realFolder(`${isAbsolute(target) ? "" : `${scope.cwd}/`}${target}`);
  const reads: Operand[] = [...new Set([logical, physical])].map((path) => ({ text: target, path, isMetadata: true }));
  if (!isFolder(logical)) {
    // It may fail, and the next command then runs where the shell was.
    scope.cwd = undefined;
    scope.hasMoved = true;
    return { findings: [], reads };
  }
  const next = realFolder(logical);
  if (next !== realFolder(collector.context.cwd)) scope.hasMoved = true;
  scope.cwd = next === realFolder(collector.context.cwd) ? collector.context.cwd : next;
  return { findings: [], reads };
};
