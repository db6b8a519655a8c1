// Pages that were fetched a short while ago, by their address.

/** A page as text. */
export interface StoredPage {
  url: string;
  title: string;
  text: string;
  bytes: number;
  status: number;
  statusText: string;
  isCut: boolean;
}

const lifetimeMs = 15 * 60 * 1000; // spec/tools section 7
const maxChars = 5_000_000; // of all pages together

export interface PageCache {
  get(url: string, now: number): StoredPage | undefined;
  /** Keeps a page; one that is there already keeps its age. */
  set(url: string, page: StoredPage, now: number): void;
}

/** An empty cache. Old pages go when others come or are asked for: no timer runs. */
export const createPageCache = (): PageCache => {
  const pages = new Map<string, { page: StoredPage; until: number }>();
  const dropOld = (now: number): void => {
    for (const [url, { until }] of pages) if (until <= now) pages.delete(url);
  };
  return {
    get: (url, now) => {
      dropOld(now);
      return pages.get(url)?.page;
    },
    set: (url, page, now) => {
      dropOld(now);
      if (pages.get(url)?.page === page || page.text.length > maxChars) return;
      pages.set(url, { page, until: now + lifetimeMs });
      let chars = [...pages.values()].reduce((sum, entry) => sum + entry.page.text.length, 0);
      for (const [oldest, entry] of pages) {
        if (chars <= maxChars) break;
        pages.delete(oldest);
        chars -= entry.page.text.length;
      }
    },
  };
};
