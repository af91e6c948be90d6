import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type JsonFile<T> = { value: T; save(): void };

/** State in memory and in one file with mode 0600. Without a path: in memory only. */
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

/** Writes a temporary file, flushes and renames it, so that a crash leaves the old or the new content. */
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
