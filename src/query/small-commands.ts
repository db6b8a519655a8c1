// What a few small slash commands do to a session.
import { stat } from "node:fs/promises";
import type { EffortWish } from "../commands/effort.js";
import type { Emit } from "../execution/context.js";
import { expandPath } from "../platform/paths.js";
import { type Session, sessionInfo, workingDirs } from "./session.js";
import { changeSetting } from "./settings-rows.js";

/** Texts of the model's answers, oldest first; those of one run that stand between calls count one by one. */
export const answerTexts = ({ messages }: Pick<Session, "messages">): string[] =>
  messages.flatMap(({ role, content }) => {
    if (role !== "assistant") return [];
    const text =
      typeof content === "string"
        ? content
        : content.flatMap((block) => (block.type === "text" ? String(block.text) : [])).join("");
    return text.trim() === "" ? [] : [text];
  });

/** One more working folder for this session. Gives a line for the person; throws an Error for them. */
export const addWorkingDir = async (session: Session, path: string): Promise<string> => {
  const folder = expandPath(path, session.cwd, session.places.home);
  const found = await stat(folder).catch(() => undefined); // said below
  if (!found) throw new Error(`there is no folder ${folder}`);
  if (!found.isDirectory()) throw new Error(`${folder} is a file, not a folder`);
  const inside = workingDirs(session).find((dir) => folder === dir || folder.startsWith(`${dir}/`));
  if (inside !== undefined) return `${folder} is among the working folders already (${inside}).`;
  session.sessionDirs = [...session.sessionDirs, folder];
  return `${folder} is a working folder for this session. /permissions lists them all.`;
};

/** Changes the effort: "max" for this session, the others for good; "auto" forgets it. Throws an Error for the person. */
export const setEffort = async (session: Session, wish: EffortWish, emit: Emit): Promise<string> => {
  const { flags } = session.options;
  if (wish !== "max") await changeSetting(session, "effortLevel", wish === "auto" ? "unset" : wish, emit);
  flags.effort = wish === "max" ? wish : undefined;
  return `Effort: ${wish === "auto" ? "as the model does by itself" : (sessionInfo(session, []).effort ?? wish)}`;
};
