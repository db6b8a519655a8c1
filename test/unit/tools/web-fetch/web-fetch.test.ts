// WebFetch against real servers on loopback: what is asked, what the small model gets, what is refused.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reachable } from "../../../../src/tools/web-fetch/fetch-page.js";
import { createWebFetch } from "../../../../src/tools/web-fetch/index.js";
import { pageAddress, redirectOf } from "../../../../src/tools/web-fetch/page-address.js";
import { openWorkspace, type Workspace } from "../../../helpers/tool-workspace.js";
import { startWebServer, type WebPage, type WebServer } from "../../../helpers/web-server.js";

let space: Workspace;
let server: WebServer | undefined;
let now: number;
let asked: string[];
let tool: ReturnType<typeof createWebFetch>;
beforeEach(() => {
  now = 1_000_000;
  asked = [];
  tool = createWebFetch({ userAgent: "product/1.0" });
  space = openWorkspace({
    now: () => now,
    allowsHost: (host) => host === "127.0.0.1",
    askSmallModel: async (prompt) => {
      asked.push(prompt);
      return "the answer";
    },
  });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await space.close();
});

const serve = async (pages: Record<string, string | WebPage>) => {
  server = await startWebServer(pages);
  return server.url;
};
const fetchPage = (url: string, more = {}) => space.run(tool, { url, prompt: "what is it?", ...more });

it("asks for Markdown first, turns HTML into Markdown and gives the small model's answer", async () => {
  const url = await serve({
    "/doc": "<title>Doc</title><script>x()</script><h1>Head</h1><p>A <a href='/b'>link</a></p>",
  });
  const result = await fetchPage(`${url}/doc#part`);
  expect(result).toEqual({
    content: "the answer",
    display: { kind: "markdown", text: "the answer", title: "Doc" },
    structured: { bytes: 81, code: 200, codeText: "OK", result: "the answer", durationMs: 0, url: `${url}/doc` },
  });
  expect(server?.requests[0]).toMatchObject({
    path: "/doc",
    headers: { "user-agent": "product/1.0", accept: expect.stringMatching(/^text\/markdown,/) },
  });
  expect(asked[0]).toContain(`# Head\n\nA [link](${url}/b)`);
  expect(asked[0]).toContain("what is it?");
  expect(asked[0]).not.toContain("x()");
});

it("without a small model, or when it fails, the page itself comes", async () => {
  const url = await serve({ "/a.md": { headers: { "content-type": "text/markdown" }, body: "# Plain" } });
  space.context.askSmallModel = async () => {
    throw new Error("overloaded");
  };
  expect((await fetchPage(`${url}/a.md`)).content).toBe(
    "(The small model could not be asked: overloaded. This is the page itself.)\n\n# Plain",
  );
  space.context.askSmallModel = undefined;
  expect((await fetchPage(`${url}/a.md`)).content).toBe("# Plain");
});

it("reads a page once in 15 minutes", async () => {
  const url = await serve({ "/": "one" });
  await fetchPage(url);
  now += 14 * 60_000;
  await fetchPage(url);
  expect([server?.requests.length, asked.length]).toEqual([1, 2]);
  now += 61_000;
  await fetchPage(url);
  expect(server?.requests.length).toBe(2);
});

it("long pages come in parts of 100,000 characters", async () => {
  const url = await serve({ "/": { headers: { "content-type": "text/plain" }, body: `${"a".repeat(100_000)}END` } });
  expect((await fetchPage(url)).content).toBe(
    "the answer\n\n(This is about characters 0-100000 of 100003. Go on with offset 100000.)",
  );
  expect(asked[0]).not.toContain("END");
  await fetchPage(url, { offset: 100_000 });
  expect(asked[1]).toContain("\nEND\n");
  expect((await fetchPage(url, { offset: 200_000 })).isError).toBe(true);
});

describe("redirects", () => {
  it("on the same host are followed", async () => {
    const url = await serve({ "/a": { status: 302, headers: { location: "/b" } }, "/b": "there" });
    expect(await fetchPage(`${url}/a`)).toMatchObject({ content: "the answer", structured: { url: `${url}/b` } });
  });

  it("to another host or port are reported", async () => {
    const url = await serve({
      "/a": { status: 301, headers: { location: "https://example.org/x" } },
      "/p": { status: 307, headers: { location: "http://127.0.0.1:9/" } },
    });
    expect((await fetchPage(`${url}/a`)).content).toContain("(301 Moved Permanently): https://example.org/x");
    expect((await fetchPage(`${url}/p`)).content).toContain("(307 Temporary Redirect): http://127.0.0.1:9/");
    expect(asked).toEqual([]);
  });

  it("in a circle end", async () => {
    const url = await serve({ "/a": { status: 302, headers: { location: "/a" } } });
    expect(await fetchPage(`${url}/a`)).toMatchObject({
      isError: true,
      content: expect.stringContaining("in a circle"),
    });
  });

  it.each([
    ["https://a.example/x", "/y", { href: "https://a.example/y", action: "follow" }],
    ["https://a.example/x", "http://a.example/y", { href: "https://a.example/y", action: "follow" }],
    ["https://a.example/x", "https://www.a.example/", { href: "https://www.a.example/", action: "report" }],
    ["https://a.example/x", "https://a.example:8443/", { href: "https://a.example:8443/", action: "report" }],
    ["https://a.example/x", "https://user@a.example/", { href: "https://user@a.example/", action: "report" }],
    ["https://a.example/x", "file:///etc/passwd", { href: "file:///etc/passwd", action: "report" }],
  ])("from %s to %s", (from, location, wanted) => {
    const found = redirectOf(new URL(from), location);
    expect({ href: found?.url.href, action: found?.action }).toEqual(wanted);
  });
});

describe("what is refused", () => {
  it("hosts inside that no rule names, before anybody is asked", async () => {
    for (const url of [
      "http://localhost:3000/",
      "http://10.0.0.1/",
      "http://169.254.169.254/latest",
      "http://[::1]/",
      "http://2130706434/",
      "http://nas.local/",
    ])
      expect([url, (await fetchPage(url)).content]).toEqual([
        url,
        expect.stringContaining("only when an allow rule names the host"),
      ]);
  });

  it.each([
    ["evil.example", "93.184.216.34", [], true],
    ["evil.example", "10.0.0.1", ["evil.example"], false],
    ["evil.example", "::ffff:169.254.169.254", ["evil.example"], false],
    ["wiki.example", "10.0.0.1", ["wiki.example", "10.0.0.1"], true],
    ["localhost", "127.0.0.1", ["localhost"], true],
    ["localhost", "127.0.0.1", [], false],
    ["[::1]", "::1", ["[::1]"], true],
  ])("%s at %s with rules for %j: %s", (host, address, named, may) => {
    expect(reachable(host, { allowsHost: (name) => named.includes(name) })(address)).toBe(may);
  });

  it("binary content, by its type and by its bytes", async () => {
    const url = await serve({
      "/a.png": { headers: { "content-type": "image/png" }, body: "x" },
      "/b": { headers: { "content-type": "text/plain" }, body: Buffer.from([65, 0, 66]) },
    });
    expect((await fetchPage(`${url}/a.png`)).content).toContain("cannot be read: it is image/png, not text");
    expect((await fetchPage(`${url}/b`)).content).toContain("cannot be read: it is a binary file");
  });

  it("errors of the server, with their name", async () => {
    const url = await serve({});
    expect(await fetchPage(`${url}/gone`)).toEqual({
      content: `${url}/gone answered 404 Not Found. Nothing was read.`,
      isError: true,
    });
  });

  it.each([
    ["example.com", "is not a complete URL"],
    ["ftp://example.com/", "Only http and https"],
    ["https://me:pw@example.com/", "user name or password"],
    [`https://example.com/${"x".repeat(3000)}`, "at most 2048"],
  ])("%s", (text, why) => {
    expect(pageAddress(text)).toContain(why);
  });
});

it("http becomes https for public hosts, and fragments are dropped", () => {
  expect(String(pageAddress(" http://example.com/a#b "))).toBe("https://example.com/a");
  expect(String(pageAddress("http://localhost:3000/a"))).toBe("http://localhost:3000/a");
});

it.each([
  ["text/html; charset=iso-8859-1", "caf\xe9"],
  ["text/html", "<meta charset='iso-8859-1'>caf\xe9"],
  ["text/html", "caf\xe9"],
  ["text/html; charset=nonsense", "caf\xe9"],
  ["text/html", "caf\xc3\xa9"],
])("reads the characters of %s", async (type, body) => {
  const url = await serve({ "/": { headers: { "content-type": type }, body: Buffer.from(body, "latin1") } });
  await fetchPage(url);
  expect(asked[0]).toContain("café");
});

it("a page of lists is not reduced to the one paragraph that looks like an article", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, index) => `<li><a href="/f${index}">function number ${index}</a></li>`,
  ).join("");
  const url = await serve({
    "/": `<body><nav>menu</nav><ul>${rows}</ul><p>${"Some words of prose, with commas. ".repeat(8)}</p></body>`,
  });
  await fetchPage(url);
  expect(asked[0]).toContain("function number 59");
  expect(asked[0]).not.toContain("menu");
});

it("tables and code stay what they are", async () => {
  const url = await serve({
    "/": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code>x  =  1\ny</code></pre><img alt='a cat' src=x>",
  });
  await fetchPage(url);
  expect(asked[0]).toContain("| a | b |\n| --- | --- |\n| 1 | 2 |");
  expect(asked[0]).toContain("```\nx  =  1\ny\n```");
  expect(asked[0]).toContain("[image: a cat]");
});
