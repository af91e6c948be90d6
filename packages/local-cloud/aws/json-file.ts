import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type JsonFile<T> = { value: T; save(): void };

/** A small state that lives in memory and in one file, readable by its owner alone. Without a path: in memory only. */
export function openJsonFile<T>(path: string | undefined, initial: T): JsonFile<T> {
  const value = (path && readJson<T>(path)) || initial;
  return {
    value,
    save() {
      if (path) writeAtomically(path, JSON.stringify(value));
    },
  };
}

function readJson<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return JSON.parse(text) as T;
}

/** Old content or new, never half: a temporary file, flushed, then renamed. */
export function writeAtomically(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** What stands in the files of a folder, by their names: those of kept messages begin with the instant of sending. */
export function readJsonFiles<T>(folder: string): T[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as T);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
