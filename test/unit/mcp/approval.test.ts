// What a person reads before a project's server starts for the first time.
import { expect, test } from "vitest";
import { approvalText } from "../../../src/mcp/approval.js";
import { entryOf } from "./kit.js";

const textOf = (raw: Record<string, unknown>): string[] => approvalText(entryOf("demo", raw)).split("\n").slice(1);

test("a program is shown with its arguments, and the variables it gets", () => {
  expect(textOf({ command: "npx", args: ["-y", "x"], env: { KEY: "${SECRET:-none}" } })).toEqual([
    "It runs: npx -y x",
    "It gets your variables: SECRET",
  ]);
});

test("a public address is shown as it is, with the command that makes its headers", () => {
  expect(textOf({ type: "http", url: "https://mcp.example.org/x", headersHelper: "./token.sh" })).toEqual([
    "It asks: https://mcp.example.org/x",
    "For its headers it runs: ./token.sh",
  ]);
});

test.each(["http://localhost:3000/mcp", "http://10.1.2.3/mcp", "https://wiki.corp/mcp", "http://[fd00::1]/mcp"])(
  "%s is marked as an address of a private network",
  (url) => {
    const [, warning] = textOf({ type: "http", url });
    expect(warning).toBe(
      `! ${new URL(url).hostname} is on this machine or in your private network, not on the internet.`,
    );
  },
);

test.each(["http://169.254.169.254/mcp", "http://metadata.google.internal/x", "http://[fe80::1]/mcp"])(
  "%s is marked as an address that hands out credentials",
  (url) => {
    const [, warning] = textOf({ type: "http", url });
    expect(warning).toContain("link-local address: on cloud machines it hands out credentials");
  },
);
