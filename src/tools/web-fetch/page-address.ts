// The address of a page: what may be asked for, and which redirects stay with the same host.
import { isInnerHost } from "../../platform/http/addresses.js";

const maxLength = 2048; // longer ones carry data, not an address

/** The URL to fetch, https wherever the host is a public one; a string says what is wrong with it. */
export const pageAddress = (text: string): URL | string => {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return `The URL has ${trimmed.length} characters; at most ${maxLength} are taken.`;
  if (!URL.canParse(trimmed)) return `"${trimmed}" is not a complete URL. Write it as https://host/path.`;
  const url = new URL(trimmed);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `Only http and https pages can be fetched, not ${url.protocol}`;
  if (url.username !== "" || url.password !== "")
    return "The URL holds a user name or password; pages behind a login cannot be fetched.";
  url.hash = "";
  return upgraded(url);
};

/** http becomes https, but on this machine and private networks, where servers often speak http alone. */
const upgraded = (url: URL): URL => {
  if (url.protocol === "http:" && !isInnerHost(url.hostname)) url.protocol = "https:";
  return url;
};

/** Where a redirect leads: "follow" when host and port stay the same, else "report"; undefined when it leads nowhere. */
export const redirectOf = (
  from: URL,
  location: string | undefined,
): { url: URL; action: "follow" | "report" } | undefined => {
  if (!location || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from);
  url.hash = "";
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = url.username === "" && url.password === "";
  if (!isWeb || !isPlain || url.hostname !== from.hostname) return { url, action: "report" };
  const target = upgraded(new URL(url));
  return target.port === from.port && target.protocol === from.protocol
    ? { url: target, action: "follow" }
    : { url, action: "report" };
};
