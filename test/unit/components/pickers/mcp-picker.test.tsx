import { afterEach, expect, test } from "vitest";
import type { Picker } from "../../../../src/protocol/pickers.js";
import { pickers } from "../support/samples.js";
import { keys, renderScreen, type TestScreen } from "../support/screen.js";

let screen: TestScreen;
afterEach(() => screen?.unmount());

const open = async (...pressed: string[]) => {
  const picker = pickers.find(({ kind }) => kind === "mcp") as Picker;
  screen = await renderScreen({ state: { picker } });
  await screen.press(...pressed);
  return screen.engine.requests.slice(1);
};

test("servers stand together by place, each with its state; what is wrong stands below", async () => {
  await open();
  const rows = screen
    .text()
    .split("\n")
    .map((row) => row.replace(/[│]/g, "").trim());
  const start = rows.findIndex((row) => row.includes("MCP servers"));
  expect(rows.slice(start + 1, start + 6).map((row) => row.replace(/\s{2,}/g, "  "))).toEqual([
    "❯  tickets · project  ! needs authentication",
    "browser · project  ⏸ pending approval",
    "memory · user  ✔ connected · 2 tools",
    "broken · local  ✘ failed",
    "! odd (/work/shop/.mcp.json): it must be a JSON object",
  ]);
});

test("a server opens with its tools and what can be done with it", async () => {
  await open(keys.down, keys.down, keys.enter);
  for (const text of [
    "MCP server memory",
    "Offers: 2 tools, 1 prompt, 12 resources",
    "Tools: remember, recall",
    "Reconnect",
  ])
    expect(screen.text()).toContain(text);
  await screen.press(keys.esc);
  expect(screen.text()).toContain("MCP servers");
});

test.each([
  [[keys.enter, keys.enter], { action: "login", server: "tickets" }],
  [[keys.down, keys.enter, keys.enter], { action: "enable", server: "browser" }],
  [[keys.down, keys.down, keys.enter, keys.down, keys.enter], { action: "disable", server: "memory" }],
  [[keys.down, keys.down, keys.down, keys.enter, "1"], { action: "reconnect", server: "broken" }],
])("%j asks the engine for %j and closes", async (pressed, wanted) => {
  expect(await open(...pressed)).toEqual([{ type: "mcp", ...wanted }]);
  expect(screen.services.store.getState().picker).toBeNull();
});
