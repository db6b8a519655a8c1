// Splits the calls of one answer into batches: safe neighbours together, the rest one by one, in order.

/** Batches of indices into `isSafe`: [true, true, false, true] gives [[0, 1], [2], [3]]. */
export const partition = (isSafe: readonly boolean[]): number[][] => {
  const batches: number[][] = [];
  isSafe.forEach((safe, index) => {
    const last = batches.at(-1);
    const lastIsSafe = last !== undefined && isSafe[last[0] ?? -1] === true;
    if (safe && lastIsSafe) last.push(index);
    else batches.push([index]);
  });
  return batches;
};
