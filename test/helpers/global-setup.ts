// Runs once before all tests: the end-to-end tests need the built bundle.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

export const setup = () => {
  if (existsSync("scripts/build.ts"))
    execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { stdio: "inherit" });
};
