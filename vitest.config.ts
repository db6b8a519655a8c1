// Test configuration: real processes and ptys, so files run in parallel but timeouts are generous.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/helpers/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make the timing of pty tests worse.
    maxWorkers: 2,
    // Scenarios of one file that run side by side: each is a process that mostly waits.
    maxConcurrency: 3,
    // Real ptys and kills on a shared machine can miss a beat: CI gives one more try, and vitest says which test needed it.
    retry: process.env.CI ? 1 : 0,
    env: { FORCE_COLOR: "1" },
    unstubEnvs: true,
  },
});
