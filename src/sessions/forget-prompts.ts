// Takes a project's prompts out of the shared history; what other processes add meanwhile stays.
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { newId } from "../protocol/ids.js";
import { LineFile } from "./line-file.js";

const isOf = (line: string, project: string): boolean => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "project" in value && value.project === project;
  } catch {
    return false; // a torn line belongs to nobody: it stays
  }
};

/** How many prompts of the project the history holds; none where there is no history. */
export const countPrompts = (file: string, project: string): number => {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => isOf(line, project)).length;
  } catch {
    return 0; // no history yet
  }
};

/** Writes the history without the project's prompts, whole or not at all. Throws when the disk refuses. */
export const forgetPrompts = (file: string, project: string): void => {
  if (countPrompts(file, project) === 0) return;
  const draft = `${file}.${newId()}.tmp`;
  const fd = openSync(file, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(size);
    readSync(fd, bytes, 0, size, 0);
    const kept = bytes
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "" && !isOf(line, project));
    writeFileSync(draft, kept.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    renameSync(draft, file);
    appendMissed(file, fd, size);
  } catch (error) {
    unlinkQuietly(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
};

/** Lines that somebody added to the old file after it was read. */
const appendMissed = (file: string, fd: number, from: number): void => {
  const bytes = Buffer.alloc(fstatSync(fd).size - from);
  if (bytes.length === 0) return;
  readSync(fd, bytes, 0, bytes.length, from);
  const lines = new LineFile(file, () => undefined);
  for (const line of bytes.toString("utf8").split("\n").filter(Boolean)) lines.append(line);
  lines.close();
};

const unlinkQuietly = (file: string): void => {
  try {
    unlinkSync(file);
  } catch {
    // It was never written.
  }
};
