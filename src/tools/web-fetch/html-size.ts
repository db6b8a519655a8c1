// Keeps HTML from outside within what can be converted in a moment: all of this runs in linear time.

const silent = ["script", "style", "svg", "noscript", "template"] as const;
const maxChars = 500_000; // about half a second of work; the text is cut at 100,000 characters anyway

/** Elements that have no end tag, or may lack one: they do not count for the depth. */
const unclosed =
  /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|colgroup|rp|rt|html|head|body)$/;

/** The HTML without scripts, styles, pictures in code and comments, cut where it is still too long. */
export const leanHtml = (html: string): string => {
  let lean = withoutSpans(html, /<!--/g, "-->");
  for (const tag of silent) lean = withoutSpans(lean, new RegExp(`<${tag}\\b`, "gi"), `</${tag}`);
  return lean.slice(0, maxChars);
};

/** Takes out what stands from each opening to its end; without an end, all of the rest. */
const withoutSpans = (text: string, opening: RegExp, endMark: string): string => {
  const lower = text.toLowerCase();
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    opening.lastIndex = from;
    const start = opening.exec(text)?.index;
    if (start === undefined) return [...kept, text.slice(from)].join("");
    kept.push(text.slice(from, start));
    const end = lower.indexOf(endMark, start);
    if (end < 0) return kept.join("");
    const close = lower.indexOf(">", end);
    if (close < 0) return kept.join("");
    from = close + 1;
  }
};

/** How many elements and opening brackets the HTML has and how deep it is nested, as far as tags tell. */
export const htmlSize = (html: string): { elements: number; depth: number; brackets: number } => {
  let [elements, depth, deepest] = [0, 0, 0];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (!slash) elements++;
    if (unclosed.test(name.toLowerCase())) continue;
    depth = slash ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return { elements, depth: deepest, brackets: html.split("<").length - 1 };
};

/** The text between the tags, for HTML that no converter takes. */
export const bareText = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, " ")
    .replace(/[ \t\r\f]+/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
