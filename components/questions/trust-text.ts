// What the trust dialog says.
import { sanitise } from "../../src/lib/sanitise.js";
import type { QuestionOf } from "../../src/protocol/questions.js";

/** The dialog's text; what the folder would grant or start is listed line by line. */
export const trustText = ({ folder, grants }: QuestionOf<"trust">): string => {
  const intro = `${sanitise(folder)}\n\nThis program reads, changes and runs things in this folder, and asks you first. Files here can tell the model what to do: trust it only if you know where it comes from.`;
  const listed = grants.map((grant) => `· ${sanitise(grant)}`).join("\n");
  return grants.length === 0 ? intro : `${intro}\n\nOnce trusted, this folder may:\n${listed}`;
};
