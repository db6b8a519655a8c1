// The search of the setting webSearch, where the provider has none: a real command, a real endpoint.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Session } from "../../../src/query/session.js";
import { searchWeb } from "../../../src/query/web-search.js";
import { startWebServer } from "../../helpers/web-server.js";

/** The parts of a session that the search looks at. */
const search = (webSearch: unknown) => {
  const cwd = mkdtempSync(join(tmpdir(), "search-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const session = {
    id: "s",
    cwd,
    provider: { id: "other" },
    model: { label: "Other" },
    options: { env: { PATH: process.env.PATH }, entrypoint: "cli" },
    hooks: { env: {} },
    settings: { get: (name: string) => (name === "webSearch" ? webSearch : undefined) },
  } as unknown as Session;
  const parent = () => {
    throw new Error("no call of the model is made");
  };
  return searchWeb(
    session,
    parent,
    { query: 'a "b" $HOME', allowedDomains: ["c.example"] },
    new AbortController().signal,
  );
};

it("a command gets the query as JSON on its input, never in its command line", async () => {
  const command = `read -r line; printf '[{"title":"T","url":"https://t.example/","snippet":%s}]' "$(printf %s "$line" | sed 's/[\\\\"]/\\\\&/g; s/.*/"&"/')"`;
  expect((await search({ command })).results[1]).toBe('T: {"query":"a \\"b\\" $HOME","allowed_domains":["c.example"]}');
  await expect(search({ command: "echo broken >&2; exit 3" })).rejects.toThrow("exit code 3: broken");
});

it("an endpoint gets the same as a POST", async () => {
  const server = await startWebServer({ "/find": '{"results":[{"title":"T","url":"https://t.example/"}]}' });
  onTestFinished(() => server.close());
  expect((await search({ endpoint: `${server.url}/find` })).results).toEqual([
    { tool_use_id: "search", content: [{ title: "T", url: "https://t.example/" }] },
  ]);
  expect(JSON.parse(server.requests[0]!.body)).toEqual({ query: 'a "b" $HOME', allowed_domains: ["c.example"] });
  await expect(search({ endpoint: `${server.url}/gone` })).rejects.toThrow(
    /127\.0\.0\.1:\d+: it answered 404 Not Found/,
  );
});

it("without a setting it says what could be set", async () => {
  await expect(search(undefined)).rejects.toThrow("The setting webSearch can name a command or an endpoint for it.");
});
