// Holds a file's lock while it is read, changed and replaced, so that processes do not undo each other's changes.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

const staleMs = 4000; // a killed owner blocks others for at most this long
const retries = { retries: 60, factor: 1.4, minTimeout: 5, maxTimeout: 200, randomize: true }; // about 10 s in all

/** Runs `work` while holding the lock of `file` (which need not exist). Throws when the lock stays taken. */
export const withFileLock = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  await mkdir(dirname(file), { recursive: true });
  const { default: lockfile } = await import("proper-lockfile"); // CommonJS: a bundle gives it as the default only
  const release = await lockfile.lock(file, { realpath: false, stale: staleMs, retries, onCompromised: () => {} });
  try {
    return await work();
  } finally {
    await release().catch(() => {}); // taken over as stale: there is nothing left to release
  }
};
