// Exhaustive switches: a new member of a union does not compile until it is handled.

/** Call in the default branch of a switch over a union. Throws when reached at run time after all. */
export const unreachable = (value: never): never => {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
};
