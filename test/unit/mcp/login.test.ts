// Logins to http servers: discovery, registration, PKCE, the way back, refresh, and where tokens are kept.
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loginStore, sharedAuth } from "../../../src/mcp/auth.js";
import { login } from "../../../src/mcp/login.js";
import type { Mcp, McpTool } from "../../../src/mcp/manager.js";
import { parseServer, type RemoteConfig } from "../../../src/mcp/server-config.js";
import { startMcp } from "./kit.js";
import { httpServer, type LoginServer, loginServer } from "./remote-kit.js";

const settleMs = 20_000;
const signal = new AbortController().signal;

/** A server behind a login server, and a settings folder without a keychain. */
const world = async (oauth: Record<string, unknown> = {}, hasResource = true) => {
  const configDir = await mkdtemp(join(tmpdir(), "mcp-login-"));
  onTestFinished(() => rm(configDir, { recursive: true, force: true }));
  const logins = await loginServer();
  const server = await httpServer(
    (authorization) => logins.good.has(authorization?.replace("Bearer ", "") ?? ""),
    hasResource
      ? { resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [logins.origin] }) }
      : {},
  );
  const raw = { type: "http", url: server.url, oauth };
  const config = parseServer(raw, {}) as RemoteConfig;
  const store = loginStore("remote", server.url, { configDir, openStore: async () => undefined });
  return { configDir, logins, server, raw, config, store };
};
type World = Awaited<ReturnType<typeof world>>;

/** A person who opens the page: the login server sends them back at once. */
const person =
  (pages: string[] = []) =>
  (url: string): void => {
    pages.push(url);
    void fetch(url);
  };

const logIn = ({ config, store }: World, pages: string[] = []) =>
  login({ config, store, env: {}, signal, show: person(pages) });

const start = ({ raw, configDir }: World): Mcp =>
  startMcp(
    { remote: raw },
    { authFor: sharedAuth(configDir, {}), extraEnv: { DBUS_SESSION_BUS_ADDRESS: "disabled:" } },
  );

const echo = async (mcp: Mcp): Promise<unknown> => {
  const tool = mcp.tools().find(({ name }) => name === "echo") as McpTool;
  return (await mcp.callTool(tool, { text: "in" }, { signal })).content;
};

const paths = ({ asked }: LoginServer): string[] => asked.map(({ path }) => path);

test("a login registers, proves its code with PKCE, keeps the tokens for the person only, and the server lets us in", async () => {
  const there = await world();
  const before = start(there);
  await before.settled(settleMs);
  expect(before.statuses()).toMatchObject([{ state: "needs-auth" }]);
  const pages: string[] = [];
  await logIn(there, pages);
  expect(paths(there.logins)).toEqual(
    expect.arrayContaining(["/.well-known/oauth-authorization-server", "/register", "/authorize", "/token"]),
  );
  const page = new URL(pages[0] ?? "").searchParams;
  expect([page.get("code_challenge_method"), page.get("resource")]).toEqual(["S256", there.server.url]);
  expect(page.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const file = join(there.configDir, ".credentials.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toContain("secret-refresh-1");
  expect(await before.reconnect("remote")).toMatchObject({ state: "connected" });
  expect(await echo(before)).toEqual([{ type: "text", text: "in" }]);
  expect(JSON.stringify(before.statuses())).not.toContain("secret-");
});

test("an access token that is over is refreshed once, in the middle of a session", async () => {
  const there = await world();
  await logIn(there);
  const mcp = start(there);
  await mcp.settled(settleMs);
  there.logins.good.clear();
  expect(await echo(mcp)).toEqual([{ type: "text", text: "in" }]);
  const refreshes = there.logins.asked.filter(({ params }) => params.grant_type === "refresh_token");
  expect(refreshes.map(({ params }) => params.refresh_token)).toEqual(["secret-refresh-1"]);
  expect((await there.store.read()).tokens?.refresh_token).toBe("secret-refresh-2");
});

test("a login that was withdrawn is said to be needed, without a browser and without the secret", async () => {
  const there = await world();
  await logIn(there);
  const mcp = start(there);
  await mcp.settled(settleMs);
  there.logins.good.clear();
  there.logins.canRefresh = false;
  const failure = await echo(mcp).catch((error: Error) => error.message);
  expect(failure).toBe("remote wants a login: /mcp login remote. Nothing was done.");
  expect(mcp.statuses()).toMatchObject([{ state: "needs-auth" }]);
  expect(paths(there.logins).filter((path) => path === "/authorize")).toHaveLength(1);
});

test("logging out forgets the tokens, a second time there is nothing", async () => {
  const there = await world();
  await logIn(there);
  expect(await there.store.forget()).toBe(true);
  expect(await there.store.forget()).toBe(false);
  expect(await readFile(join(there.configDir, ".credentials.json"), "utf8")).not.toContain("secret-");
  const mcp = start(there);
  await mcp.settled(settleMs);
  expect(mcp.statuses()).toMatchObject([{ state: "needs-auth" }]);
});

test("a way back with another state is not ours, one with an error says what the server said", async () => {
  const there = await world();
  const shown = async (change: (back: URL) => void): Promise<string> => {
    const work = login({
      ...there,
      env: {},
      signal,
      show: (text) => {
        const { searchParams } = new URL(text);
        const forged = new URL(searchParams.get("redirect_uri") ?? "");
        forged.search = "?state=forged&code=x";
        const real = new URL(searchParams.get("redirect_uri") ?? "");
        real.searchParams.set("state", searchParams.get("state") ?? "");
        change(real);
        void fetch(forged).then(async (answer) => {
          expect(answer.status).toBe(404);
          await fetch(real);
        });
      },
    });
    return work.then(
      () => "",
      (error: Error) => error.message,
    );
  };
  const refused = await shown((back) => back.searchParams.set("error", "access_denied"));
  expect(refused).toBe("the server refused it: access_denied");
  expect((await there.store.read()).tokens).toBeUndefined();
});

test("a client id and a metadata address of the entry are used as they are: nothing is registered or searched", async () => {
  const logins = await loginServer();
  const there = await world(
    { clientId: "mine", authServerMetadataUrl: `${logins.origin}/.well-known/oauth-authorization-server` },
    false,
  );
  await logIn(there);
  expect(paths(logins)).not.toContain("/register");
  expect(logins.asked.find(({ path }) => path === "/token")?.params.client_id).toBe("mine");
  expect(there.logins.asked).toEqual([]);
});

test("a login that is cancelled ends at once, its listener is gone", async () => {
  const there = await world();
  const stop = new AbortController();
  let back = "";
  const work = login({
    ...there,
    env: {},
    signal: stop.signal,
    show: (url) => {
      back = new URL(url).searchParams.get("redirect_uri") ?? "";
      stop.abort();
    },
  });
  await expect(work).rejects.toThrow("it was cancelled");
  await expect(fetch(back)).rejects.toThrow();
});

test("a refused refresh does not take away tokens that another session got meanwhile", async () => {
  const there = await world();
  await logIn(there);
  const provider = sharedAuth(there.configDir, {})("remote", there.config);
  await provider?.tokens();
  await there.store.write({ tokens: { access_token: "newer", token_type: "Bearer" } });
  await provider?.invalidateCredentials?.("tokens");
  expect((await there.store.read()).tokens?.access_token).toBe("newer");
});
