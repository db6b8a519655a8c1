// The checks of an edit, in their fixed order. Each looks at one thing and says what to do about it.
import { codeOf, FileProblem, fileKind, formatBytes, landingPath, readBytes, similarNames } from "../../platform/fs.js";
import { diffHunks, diffText } from "../shared/diff.js";
import { lineAt } from "../shared/numbering.js";
import { hashOf, recordOf, snapshotOf } from "../shared/read-state.js";
import { detectEncoding, isBinary } from "../shared/text-encoding.js";
import { type EditCheck, spliceBytes } from "./draft.js";
import { explainMiss } from "./hints.js";
import { applyReplacements, findAllMatches, findMatches, replacementAt } from "./match.js";

const maxBytes = 64 * 1024 * 1024; // above this no one edits by exact text

const exists: EditCheck = async (draft) => {
  try {
    draft.landing = await landingPath(draft.path);
  } catch (error) {
    return error instanceof FileProblem ? error.message : `${draft.path} cannot be resolved (${codeOf(error)}).`;
  }
  draft.kind = await fileKind(draft.landing);
  if (draft.kind !== "missing" || draft.oldString === "") return undefined;
  const similar = await similarNames(draft.path);
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(" or ")}?` : "";
  return `${draft.path} does not exist.${hint} To create it, use Write.`;
};

const isRegularFile: EditCheck = async ({ kind, path }) => {
  if (kind === "file" || kind === "missing") return undefined;
  if (kind === "unreadable") return `No permission to read ${path}.`;
  return `${path} is a ${kind}, not a regular file.`;
};

const hasFitSize: EditCheck = async (draft) => {
  if (draft.kind === "missing") return undefined;
  try {
    draft.bytes = (await readBytes(draft.landing, maxBytes)).bytes;
    return undefined;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.kind !== "too_large") return error.message;
    return `${draft.path} is larger than ${formatBytes(maxBytes)}: change it with sed or a script in Bash.`;
  }
};

const hasKnownEncoding: EditCheck = async (draft) => {
  if (isBinary(draft.bytes)) return `${draft.path} is a binary file; Edit changes text only.`;
  draft.encoding = detectEncoding(draft.bytes);
  draft.text = draft.encoding.decode(draft.bytes.subarray(draft.encoding.bom.length));
  return undefined;
};

const wasRead: EditCheck = async (draft) => {
  if (draft.kind === "missing" || (draft.oldString === "" && draft.text === "")) return undefined;
  const record = await recordOf(draft.fileState, draft.landing);
  if (!record) return `${draft.path} has not been read yet. Read it first, then edit.`;
  if (record.extent !== "partial") return undefined;
  return `Only the first part of ${draft.path} has been shown (PARTIAL). Read the lines to change with offset and limit, then edit.`;
};

const isUnchangedSinceRead: EditCheck = async (draft) => {
  const record = await recordOf(draft.fileState, draft.landing);
  if (!record || draft.kind === "missing" || record.hash === hashOf(draft.bytes)) return undefined;
  const seen = snapshotOf(draft.fileState, draft.landing);
  const change =
    seen === undefined ? "" : ` What changed:\n${diffText(await diffHunks(seen, draft.bytes.toString("utf8")), 30)}`;
  return `${draft.path} has changed on disk since it was read. Read it again, then edit.${change}`;
};

const oldDiffersFromNew: EditCheck = async ({ oldString, newString }) =>
  oldString === newString ? "old_string and new_string are the same: there is nothing to change." : undefined;

const isFound: EditCheck = async (draft) => {
  if (draft.oldString === "") {
    if (draft.text !== "")
      return `${draft.path} is not empty: an empty old_string only creates a file. Use Write to replace it as a whole.`;
    draft.places = [{ start: 0, end: 0 }];
    return undefined;
  }
  const wanted = draft.encoding.needle(draft.oldString);
  draft.places = (draft.replaceAll ? findAllMatches : findMatches)(draft.text, wanted).places;
  if (draft.places.length > 0) return undefined;
  return `old_string was not found in ${draft.path}. ${explainMiss(draft.text, wanted)}`;
};

const isUnique: EditCheck = async ({ places, replaceAll, text, path }) => {
  if (replaceAll || places.length === 1) return undefined;
  const lines = places.slice(0, 10).map(({ start }) => lineAt(text, start));
  return `old_string is in ${path} ${places.length} times (lines ${lines.join(", ")}${places.length > 10 ? ", …" : ""}). Add lines around it so that it is unique, or set replace_all.`;
};

const changesMoreThanLineEnds: EditCheck = async (draft) => {
  const [old, now] = [draft.encoding.needle(draft.oldString), draft.encoding.needle(draft.newString)];
  const replacements = draft.places.map((place) => replacementAt(draft.text, place, old, now));
  if (replacements.includes(undefined)) {
    return "old_string and new_string differ in line ends only, and Edit keeps the file's own. Use Write, or a program in Bash, to convert line ends.";
  }
  draft.replacements = replacements.filter((replacement) => replacement !== undefined);
  return undefined;
};

const fitsEncoding: EditCheck = async (draft) => {
  if (!draft.newString.isWellFormed()) {
    return "new_string contains half a character (a lone surrogate), which no file can hold.";
  }
  const bytes = spliceBytes(draft.bytes, draft.text, draft.encoding, draft.replacements);
  if (!bytes) {
    return `${draft.path} is not valid UTF-8 but ${draft.encoding.name}, and new_string has characters that this encoding lacks. Nothing was written; use plain letters or convert the file first.`;
  }
  draft.newBytes = bytes;
  draft.newText = applyReplacements(draft.text, draft.replacements);
  return undefined;
};

const systemFolders = /^\/(proc|sys|dev)\//;

const isOrdinaryPlace: EditCheck = async ({ landing, path }) =>
  systemFolders.test(landing)
    ? `${path} belongs to the running system, not to a disk: Edit does not write there.`
    : undefined;

/** In this order; the first that speaks ends the edit. What is written and how is verified in edit/apply.ts. */
export const editChecks: readonly EditCheck[] = [
  exists,
  isRegularFile,
  hasFitSize,
  hasKnownEncoding,
  wasRead,
  isUnchangedSinceRead,
  oldDiffersFromNew,
  isFound, // with the quote, escape and indent hints
  isUnique,
  changesMoreThanLineEnds,
  fitsEncoding,
  isOrdinaryPlace,
];
