// Child programs for tests of several processes: bundled once, so that each start costs only Node's own.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles TypeScript (imports relative to the project's root) and returns the path of the result. */
export const bundleProgram = async (contents: string): Promise<string> => {
  const outfile = join(mkdtempSync(join(tmpdir(), "program-")), "program.mjs");
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "silent",
  });
  return outfile;
};
