import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { finished } from "node:stream/promises";

export type Logs = { file: string; write(functionName: string, text: string): void; close(): Promise<void> };

const rotateBytes = 20 * 1024 * 1024;

export function openLogs(folder: string, echo?: (line: string) => void): Logs {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "functions.log");
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateBytes) renameSync(file, `${file}.1`);
  const stream = createWriteStream(file, { flags: "a", mode: 0o600 });
  const unfinished = new Map<string, string>();

  const writeLine = (functionName: string, line: string): void => {
    if (!line) return;
    stream.write(`${functionName} ${line}\n`);
    echo?.(`${functionName} ${line}`);
  };

  return {
    file,
    write(functionName, text) {
      const lines = `${unfinished.get(functionName) ?? ""}${text}`.split("\n");
      unfinished.set(functionName, lines.pop() ?? "");
      for (const line of lines) writeLine(functionName, line);
    },
    async close() {
      for (const [functionName, line] of unfinished) writeLine(functionName, line);
      unfinished.clear();
      await finished(stream.end());
    },
  };
}
