// HTML to Markdown: the article of a page where there is one, else all of its body without the furniture.
import { bareText, htmlSize, leanHtml } from "./html-size.js";

const maxArticleElements = 5000; // finding the article in more would take seconds
const maxElements = 20_000; // the same for converting at all
const maxDepth = 150; // the same for deeper nesting
const articleShare = 0.3; // an article with less of the body's text than this is a wrong guess (lists, reference pages)
const furniture =
  "script, style, noscript, template, svg, iframe, nav, footer, form, dialog, [hidden], [aria-hidden=true]";

/** A CommonJS package, bundled or not. */
const whole = <T>(module: T & { default?: T }): T => module.default ?? module;

type Dom = ReturnType<typeof import("linkedom").parseHTML>["document"];

export interface MarkdownPage {
  title: string;
  text: string;
}

/** The page as Markdown with absolute links. Never throws for odd HTML: what cannot be understood becomes plain text. */
export const htmlToMarkdown = async (html: string, url: string): Promise<MarkdownPage> => {
  const lean = leanHtml(html);
  const { elements, depth, brackets } = htmlSize(lean);
  const title = bareText(/<title[^<>]*>([^<]*)/i.exec(lean)?.[1] ?? "");
  if (depth > maxDepth || elements > maxElements || brackets > 3 * maxElements) return { title, text: bareText(lean) };
  try {
    return await convert(lean, url, elements <= maxArticleElements);
  } catch {
    return { title, text: bareText(lean) }; // broken beyond the parsers
  }
};

const convert = async (source: string, url: string, seeksArticle: boolean): Promise<MarkdownPage> => {
  const [{ parseHTML }, { Readability }, { default: Turndown }, { gfm }] = await Promise.all([
    import("linkedom"),
    import("@mozilla/readability").then(whole),
    import("turndown"),
    import("turndown-plugin-gfm").then(whole),
  ]);
  const { document } = parseHTML(wholePage(source));
  const title = document.querySelector("title")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  absoluteLinks(document, url);
  for (const element of document.querySelectorAll(furniture)) element.remove();
  const article = seeksArticle
    ? readArticle(() => new Readability(document.cloneNode(true) as Document).parse())
    : undefined;
  const body = document.body;
  const bodyLength = body?.textContent?.trim().length ?? 0;
  const isArticle = article?.content && (article.length ?? 0) >= bodyLength * articleShare;
  const chosen = isArticle ? article.content : body?.innerHTML;
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.use(gfm);
  // Pictures cannot be seen in text; what they say can.
  turndown.addRule("pictures", {
    filter: "img",
    replacement: (_, node) => {
      const alt = "getAttribute" in node && typeof node.getAttribute === "function" ? node.getAttribute("alt") : "";
      return alt ? `[image: ${alt}]` : "";
    },
  });
  return { title: (isArticle && article.title) || title, text: turndown.turndown(chosen ?? "").trim() };
};

/** The parser takes only whole pages; servers leave out what browsers add. */
const wholePage = (source: string): string => {
  if (/<html[\s>]/i.test(source)) return source;
  return /<body[\s>]/i.test(source) ? `<html>${source}</html>` : `<html><body>${source}</body></html>`;
};

const readArticle = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined; // it found a form it does not know: the whole body is shown
  }
};

const absoluteLinks = (document: Dom, url: string): void => {
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const root = URL.canParse(base, url) ? new URL(base, url).href : url;
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#") || /^(javascript|data):/i.test(href)) link.removeAttribute("href");
    else if (URL.canParse(href, root)) link.setAttribute("href", new URL(href, root).href);
  }
};
