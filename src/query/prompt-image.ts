// An image for the prompt: from the clipboard or from a file that was pasted or dragged as its path.
import type { Emit } from "../execution/context.js";
import { decidePath } from "../permissions/paths.js";
import { clipboardImage } from "../platform/clipboard.js";
import { readBytes } from "../platform/fs.js";
import { expandPath } from "../platform/paths.js";
import type { RequestOf } from "../protocol/requests.js";
import { fitImage, imageBlock } from "../tools/shared/read-image.js";
import { decisionContext } from "./execution-context.js";
import { childEnv, type Session } from "./session.js";

const maxBytes = 50 * 1024 * 1024; // of the file, before it is made fit

const fileImage = async (session: Session, written: string): Promise<Buffer | string> => {
  const path = expandPath(written, session.cwd, session.places.home);
  const verdict = decidePath("read", path, decisionContext(session));
  if (verdict.outcome === "deny") return verdict.reasons.map(({ text }) => text).join("; ");
  return readBytes(path, maxBytes).then(
    ({ bytes }) => bytes,
    (error: Error) => error.message,
  );
};

/** Answers with the image made fit for the model, or with why there is none. */
export const promptImage = async (
  session: Session,
  { id, path }: RequestOf<"read_image">,
  emit: Emit,
): Promise<void> => {
  const source = path === undefined ? await clipboardImage(childEnv(session)) : await fileImage(session, path);
  const image = typeof source === "string" ? source : await fitImage(source);
  await emit(
    typeof image === "string" ? { type: "image", id, problem: image } : { type: "image", id, image: imageBlock(image) },
  );
};
