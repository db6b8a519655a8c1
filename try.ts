import { Pty } from "./test/helpers/pty.js";
import { mkdtempSync, writeFileSync } from "node:fs";
const home = mkdtempSync("/tmp/tryhome-"); const cwd = mkdtempSync("/tmp/tryproj-");
writeFileSync(cwd + "/a.ts", "export const a = 1;\n\tconst tab = 'x';\n");
const pty = new Pty({ command: process.cwd() + "/bin/claude", args: ["--model", "offline"], cwd, env: { HOME: home, CLAUDE_CONFIG_DIR: home + "/.claude", TERM: "xterm-256color", COLORTERM: "truecolor" }, cols: 80, rows: 24, kitty: true, timeoutMs: 15000 }) as any;
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
const show = (label: string) => { console.log("=== " + label + " bytes " + pty.bytes.length); console.log(typeof pty.screen === "function" ? pty.screen() : pty.screen ?? pty.text?.()); };
await sleep(2500); show("start");
const steps = process.argv.slice(2);
for (const s of steps) { const before = pty.bytes.length; pty.write ? pty.write(eval("`" + s + "`")) : pty.send(eval("`" + s + "`")); await sleep(1500); show(s + " +" + (pty.bytes.length - before)); }
writeFileSync("/tmp/try-bytes", pty.bytes);
process.exit();
