// Typographic quotes count as straight ones when a text is looked for, never when it is written.

const straight: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u201b": "'",
  "\u2032": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u201f": '"',
  "\u2033": '"',
};

/** The text with straight quotes; every character keeps its place. */
export const straightenQuotes = (text: string): string =>
  text.replace(/[\u2018-\u201f\u2032\u2033]/g, (char) => straight[char] ?? char);
