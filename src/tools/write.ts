// Write: creates a file or replaces its whole content. Line ends are stored as given; encoding and byte-order mark of
// an existing file are kept.
import { z } from "zod";
import { FileProblem, fileInTheWay, fileKind, landingPath, readBytes } from "../platform/fs.js";
import { blockedText, writeFailure, writeFileWhole } from "../platform/write-file.js";
import { diffDisplay, diffHunks, diffText } from "./shared/diff.js";
import { absolutePath, bothNames, shortPath } from "./shared/paths.js";
import { hashOf, noteRead, recordOf, snapshotOf } from "./shared/read-state.js";
import { detectEncoding, isBinary, readableText } from "./shared/text-encoding.js";
import { defineTool, type ToolContext } from "./tool.js";

const input = z.object({
  file_path: z.string().min(1).describe("Absolute path of the file"),
  content: z.string().describe("The whole content of the file"),
});
type Input = z.infer<typeof input>;

const prompt = `Writes a file as a whole; missing folders are created.

- An existing file is replaced. Read all of it first in this conversation, otherwise the call is refused.
- To change parts of an existing file use Edit: it is safer and shorter.
- The content is stored exactly as given, line ends included.
- Do not create documentation or README files unless asked to.`;

export const write = defineTool<Input>({
  name: "Write",
  aliases: ["write_file"],
  searchHint: "write create file overwrite",
  prompt,
  input,
  title: ({ file_path = "" }) => file_path,
  validate: async (call, context) => {
    const plan = await planWrite(call, context);
    return typeof plan === "string" ? plan : undefined;
  },
  checkPermissions: async ({ file_path }, context) => ({
    reads: [],
    writes: await bothNames(absolutePath(file_path, context)),
  }),
  preview: async (call, context) => {
    const plan = await planWrite(call, context);
    return typeof plan === "string" ? undefined : displayOf(plan, call.content, context);
  },
  call: async (call, context) => {
    const plan = await planWrite(call, context);
    if (typeof plan === "string") return { content: plan, isError: true };
    try {
      const written = await writeFileWhole(plan.path, plan.bytes, { landing: plan.landing });
      noteRead(context.fileState, written.path, { bytes: plan.bytes, mtimeMs: written.mtimeMs, extent: "whole" });
    } catch (error) {
      return { content: writeFailure(plan.path, error), isError: true };
    }
    const hunks = await diffHunks(plan.before ?? "", call.content);
    const target = plan.landing === plan.path ? plan.path : `${plan.path} (a link to ${plan.landing})`;
    return {
      content:
        plan.before === undefined
          ? `Created ${target}.`
          : `Replaced the content of ${target}.${lineEndNote(plan.before, call.content)}`,
      display: await displayOf(plan, call.content, context),
      structured: {
        type: plan.before === undefined ? "create" : "update",
        filePath: plan.path,
        content: call.content,
        structuredPatch: plan.before === undefined ? [] : hunks,
        originalFile: plan.before ?? null,
      },
    };
  },
});

/** CRLF, LF, or undefined for none and for a mixture. */
const lineEndOf = (text: string): "CRLF" | "LF" | undefined => {
  const all = text.match(/\r?\n/g) ?? [];
  const crlf = all.filter((end) => end === "\r\n").length;
  if (all.length === 0 || (crlf > 0 && crlf < all.length)) return undefined;
  return crlf > 0 ? "CRLF" : "LF";
};

/** The content is stored as given: a change of all line ends is probably not meant, so the result says it. */
const lineEndNote = (before: string, after: string): string => {
  const [old, now] = [lineEndOf(before), lineEndOf(after)];
  if (old === undefined || now === undefined || old === now) return "";
  return ` Its line ends were ${old} and are ${now} now, as in the content given; to keep ${old}, write it again with them or change parts with Edit.`;
};

interface WritePlan {
  path: string;
  landing: string;
  /** Text that is replaced; undefined for a new file. */
  before: string | undefined;
  bytes: Buffer;
}

/** Everything that must hold before writing; a string refuses. */
const planWrite = async (call: Input, context: ToolContext): Promise<WritePlan | string> => {
  const path = absolutePath(call.file_path, context);
  if (call.file_path.endsWith("/")) return `${call.file_path} names a folder, not a file.`;
  try {
    const landing = await landingPath(path);
    if (/^\/(proc|sys|dev)\//.test(landing))
      return `${path} belongs to the running system, not to a disk: Write does not write there.`;
    const kind = await fileKind(landing);
    if (kind === "missing") {
      const blocking = await fileInTheWay(landing);
      return blocking === undefined ? newFile(path, landing, call.content) : blockedText(path, blocking);
    }
    if (kind === "unreadable") return `No permission to read ${path}.`;
    if (kind !== "file") return `${path} is a ${kind}, not a regular file.`;
    const { bytes } = await readBytes(landing);
    return (await refuseUnread(path, landing, bytes, context)) ?? replacement(path, landing, bytes, call.content);
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
};

const newFile = (path: string, landing: string, content: string): WritePlan | string =>
  content.isWellFormed() ? { path, landing, before: undefined, bytes: Buffer.from(content, "utf8") } : halfCharacter;

const halfCharacter = "content contains half a character (a lone surrogate), which no file can hold.";

const refuseUnread = async (
  path: string,
  landing: string,
  bytes: Buffer,
  context: ToolContext,
): Promise<string | undefined> => {
  const record = await recordOf(context.fileState, landing);
  if (!record) return `${path} exists and has not been read yet. Read it first, then write, or use Edit.`;
  if (record.extent !== "whole")
    return `Only a part of ${path} has been read. Read all of it before replacing it, or use Edit.`;
  if (record.hash === hashOf(bytes)) return undefined;
  const seen = snapshotOf(context.fileState, landing);
  const change =
    seen === undefined ? "" : ` What changed:\n${diffText(await diffHunks(seen, bytes.toString("utf8")), 30)}`;
  return `${path} has changed on disk since it was read. Read it again, then write.${change}`;
};

/** The content in the encoding that the file has. */
const replacement = (path: string, landing: string, old: Buffer, content: string): WritePlan | string => {
  if (!content.isWellFormed()) return halfCharacter;
  const encoding = detectEncoding(old);
  const before = isBinary(old) ? "" : readableText(old, encoding);
  if (encoding.name === "utf-8" || encoding.name === "bytes" || isBinary(old)) {
    const bom = content.startsWith("\uFEFF") ? Buffer.alloc(0) : encoding.bom;
    return { path, landing, before, bytes: Buffer.concat([bom, Buffer.from(content, "utf8")]) };
  }
  const body = encoding.encode(content.replace(/^\uFEFF/, ""));
  if (!body) {
    return `${path} is not valid UTF-8 but ${encoding.name}, and the content has characters that this encoding lacks. Nothing was written; use plain letters or convert the file first.`;
  }
  return { path, landing, before, bytes: Buffer.concat([encoding.bom, body]) };
};

const displayOf = async (plan: WritePlan, content: string, context: ToolContext) =>
  diffDisplay(
    shortPath(plan.path, context.cwd),
    plan.before === undefined ? "create" : "update",
    await diffHunks(plan.before ?? "", content),
  );
