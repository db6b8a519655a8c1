// Runs once before all tests: the end-to-end tests need the built bundle.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Builds. When that fails, unit tests still run; the end-to-end tests find no bundle rather than an old one. */
export const setup = () => {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { stdio: "inherit" });
  if (status === 0) return;
  rmSync("dist/cli.js", { force: true });
  process.stderr.write("The build failed: tests of the built program will fail, too.\n");
};
