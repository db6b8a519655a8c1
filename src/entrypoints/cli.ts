// The start: answers --version before anything else is loaded.
// biome-ignore lint/correctness/useImportExtensions: the one JSON file, inlined by the bundler
import pkg from "../../package.json" with { type: "json" };

if (["--version", "-v", "-V"].includes(process.argv[2] ?? ""))
  process.stdout.write(`${pkg.version} (compatible with Claude Code 2.1)\n`);
else process.exitCode = 1;
