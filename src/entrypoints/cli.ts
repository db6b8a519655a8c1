// The program's first lines: `--version` answers before anything else is loaded.
import { versionLine } from "./version.js";

const [first, ...rest] = process.argv.slice(2);

if (rest.length === 0 && (first === "--version" || first === "-v" || first === "-V")) {
  process.stdout.write(`${versionLine}\n`);
} else {
  const { keepCodeCache } = await import("./code-cache.js");
  keepCodeCache(process.env);
  const { main } = await import("./main.js");
  await main(process.argv.slice(2));
}
