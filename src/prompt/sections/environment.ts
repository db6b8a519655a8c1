// Where the session runs: differs from folder to folder, so it stands behind the cache boundary.
import { bullets, type Section } from "./section.js";

export const environment: Section = {
  name: "environment",
  stable: false,
  render: ({ cwd, extraDirs, isGitRepo, platform, osVersion, shell, model, language }) =>
    [
      "# Environment",
      bullets([
        `Working directory: ${cwd}`,
        extraDirs.length > 0 && `Additional working directories: ${extraDirs.join(", ")}`,
        `Git repository: ${isGitRepo ? "yes" : "no"}`,
        `Platform: ${platform} (${osVersion})`,
        `Shell: ${shell}`,
        `Model: ${model.label} (${model.id})`,
        language !== undefined && `Answer in ${language}; code and identifiers stay as they are.`,
      ]),
    ].join("\n"),
};
