// Cuts a long text to its beginning and end.

const headOf = (text: string, chars: number, lines: number): string => {
  const cut = text.slice(0, chars);
  const atLineEnd = cut.length < text.length && cut.includes("\n") ? cut.slice(0, cut.lastIndexOf("\n")) : cut;
  return atLineEnd.split("\n").slice(0, lines).join("\n");
};

const tailOf = (text: string, chars: number, lines: number): string => {
  const cut = text.slice(-chars);
  const atLineStart = cut.length < text.length && cut.includes("\n") ? cut.slice(cut.indexOf("\n") + 1) : cut;
  return atLineStart.split("\n").slice(-lines).join("\n");
};

/** First and last `chars` characters (and at most `lines` lines) of a text, with a line between that says how much is left out. */
export const headAndTail = (text: string, chars: number, lines = Number.POSITIVE_INFINITY): string => {
  const head = headOf(text, chars, lines);
  const tail = tailOf(text, chars, lines);
  const left = text.length - head.length - tail.length;
  return left <= 0 ? text : `${head}\n[… ${left} characters left out …]\n${tail}`;
};
