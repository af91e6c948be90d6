import { open, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** A file of JSON lines: what was acknowledged is on disk, whole lines only. */
export interface Journal {
  /** Resolves when the entry is on disk; entries that arrive together share one fsync. */
  append(entry: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Opens the journal of a data folder, hands its entries to `replay` and rewrites it to what `replay` answers. */
export async function openJournal(dataDir: string, replay: (entries: unknown[]) => unknown[]): Promise<Journal> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "resources.jsonl");
  await replace(dataDir, path, replay(await readEntries(path)));
  const file = await open(path, "a");

  let waiting: string[] = [];
  let flush: Promise<void> | undefined;
  const writeWaiting = async () => {
    await Promise.resolve();
    const lines = waiting.join("");
    waiting = [];
    flush = undefined;
    await file.appendFile(lines);
    await file.datasync();
  };
  let last = Promise.resolve();
  const append = (entry: unknown) => {
    waiting.push(JSON.stringify(entry) + "\n");
    return (flush ??= last = last.then(writeWaiting));
  };
  const close = async () => {
    await last;
    await file.close();
  };
  return { append, close };
}

/** A line without its newline was cut off by a crash before it was acknowledged: it does not count. */
async function readEntries(path: string): Promise<unknown[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

async function replace(dataDir: string, path: string, entries: unknown[]): Promise<void> {
  const draft = await open(`${path}.new`, "w");
  await draft.writeFile(entries.map((entry) => JSON.stringify(entry) + "\n").join(""));
  await draft.sync();
  await draft.close();
  await rename(`${path}.new`, path);
  const folder = await open(dataDir, "r");
  await folder.sync();
  await folder.close();
}
