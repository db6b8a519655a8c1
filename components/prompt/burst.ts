// Burst: tells a typed Enter from the line end of a paste that came without paste marks (F023).

/** An Enter this soon after text may be part of a paste. */
const suspiciousMs = 50;
/** How long such an Enter is held back: the rest of a paste comes within a few milliseconds. */
const holdMs = 25;

export interface Burst {
  /** Text is being typed. */
  text(): void;
  /** Enter came: it submits at once after a pause, else as soon as it is clear that no more text follows. */
  enter(): void;
}

/** `submit` and `newline`: the two meanings of Enter. */
export const createBurst = (options: { now: () => number; submit: () => void; newline: () => void }): Burst => {
  const { now, submit, newline } = options;
  let lastTextAt = Number.NEGATIVE_INFINITY;
  let held: ReturnType<typeof setTimeout> | undefined;

  const release = (): void => {
    if (!held) return;
    clearTimeout(held);
    held = undefined;
    newline();
  };

  return {
    text: () => {
      release();
      lastTextAt = now();
    },
    enter: () => {
      release();
      if (now() - lastTextAt > suspiciousMs) return submit();
      held = setTimeout(() => {
        held = undefined;
        submit();
      }, holdMs);
    },
  };
};
