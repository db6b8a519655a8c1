// Inline Markdown tokens as one styled string; links as OSC 8.
import type { Token, Tokens } from "marked";
import type { Theme } from "../theme/themes.js";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", apos: "'", nbsp: " " };

/** Character references that occur in answers; anything else stays as written. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (_match, name: string) => entities[name] ?? "")
    : text;

const maxLinkLength = 2000;

/** `label` as a hyperlink, or label and target as text where the target is not a web, mail or file address. */
const hyperlink = (label: string, target: string, theme: Theme): string => {
  const styled = theme.style("link", label);
  if (!/^(?:https?|mailto|file):/i.test(target) || target.length > maxLinkLength) return `${styled} (${target})`;
  // Only printable ASCII may stand inside the sequence.
  const safe = target.replace(/[^!-~]/g, (c) => encodeURIComponent(c));
  return `\u001b]8;;${safe}\u001b\\${styled}\u001b]8;;\u001b\\`;
};

/** Inline tokens of a paragraph, heading or cell. The source was sanitised before it was parsed. */
export const renderInline = (tokens: readonly Token[] | undefined, theme: Theme): string =>
  (tokens ?? []).map((token) => renderToken(token, theme)).join("");

const renderToken = (token: Token, theme: Theme): string => {
  switch (token.type) {
    case "strong":
      return theme.style("strong", renderInline(token.tokens, theme));
    case "em":
      return theme.style("emphasis", renderInline(token.tokens, theme));
    case "del":
      return theme.style("struck", renderInline(token.tokens, theme));
    case "codespan":
      return theme.style("code", decodeEntities(token.text));
    case "br":
      return "\n";
    case "link":
      return hyperlink(renderInline(token.tokens, theme), (token as Tokens.Link).href, theme);
    case "image":
      return theme.style("dim", `[image: ${token.text || (token as Tokens.Image).href}]`);
    case "checkbox":
      return "";
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? "\n" : token.raw;
    case "escape":
      return token.text;
    default:
      if ("tokens" in token && token.tokens) return renderInline(token.tokens, theme);
      return decodeEntities("text" in token ? token.text : token.raw);
  }
};
