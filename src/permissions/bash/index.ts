// The shell analyser: loads the parser once, then analyses commands synchronously.
import type { ShellAnalyser, ShellAnalysis } from "./analysis.js";
import { analyse } from "./collect.js";
import { loadParser } from "./parse.js";

/** An analysis that could not be made: everything about the command is unknown. */
const unknownAnalysis = (command: string, error: unknown): ShellAnalysis => ({
  parts: [],
  redirections: [],
  findings: [{ check: "P1", text: `the analysis failed: ${error instanceof Error ? error.message : String(error)}` }],
  isOpaque: true,
  wholeText: command,
});

/** Loads the analyser (about 50 ms the first time). It never throws: a failure inside gives an analysis that asks. */
export const loadShellAnalyser = async (): Promise<ShellAnalyser> => {
  const parse = await loadParser();
  loaded ??= (command, context) => {
    try {
      return analyse(command, context, parse);
    } catch (error) {
      return unknownAnalysis(command, error);
    }
  };
  return loaded;
};

let loaded: ShellAnalyser | undefined;

/** The analyser if a command has needed it already; undefined before. */
export const loadedShellAnalyser = (): ShellAnalyser | undefined => loaded;
