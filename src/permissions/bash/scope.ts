// The state of the shell while its text is walked: variables, folder, names that were redefined, standard input.
import type { Piece } from "./words.js";

/** What a command reads on its standard input. */
export interface Feed {
  /** The whole text, when it is static (here-document, here-string, echo). */
  text?: string;
  /** Lines are paths below this folder. */
  under?: string;
  /** It comes from another command. */
  isPiped?: boolean;
  /** It is one number. */
  isNumber?: boolean;
}

export interface Scope {
  /** Folder of the shell; undefined when unknown. */
  cwd: string | undefined;
  /** Whether the folder was changed in this text. */
  hasMoved: boolean;
  variables: Map<string, Piece[][]>;
  /** Functions and aliases defined in this text. */
  shadowed: Set<string>;
  stdin: Feed | undefined;
  /** Folders that popd goes back to. */
  stack?: readonly (string | undefined)[];
  /** Variables that only later parts of the current list set. */
  doubtful?: string[] | undefined;
  /** A later part of the current list changed the folder. */
  hasDoubtfulFolder?: boolean;
}

/** A copy whose changes stay its own, as in a subshell. */
export const fork = (scope: Scope, changes: Partial<Scope> = {}): Scope => ({
  ...scope,
  variables: new Map(scope.variables),
  shadowed: new Set(scope.shadowed),
  ...changes,
});

export const unknownValue = (text: string): Piece[][] => [[{ kind: "unknown", text, isSplit: true }]];

/** Takes over what a branch may have changed: whatever differs becomes unknown. */
export const joinBranches = (scope: Scope, branches: readonly Scope[]): void => {
  for (const branch of branches) {
    for (const [name, value] of branch.variables)
      if (scope.variables.get(name) !== value) scope.variables.set(name, unknownValue(`$${name}`));
    for (const name of branch.shadowed) scope.shadowed.add(name);
    if (branch.hasMoved) scope.hasMoved = true;
    if (branch.cwd !== scope.cwd) scope.cwd = undefined;
  }
};
