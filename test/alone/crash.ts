import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const start = path.resolve(import.meta.dirname, "../../packages/local-cloud/start.ts");

export type PlatformProcess = {
  origin: string;
  kill(): Promise<void>;
};

const child = (dataDir: string, port: number, args: string[]) => {
  const started = spawn(process.execPath, [start, "--no-history", ...args], {
    env: { ...process.env, PORT: String(port), VITALINE_DATA: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const waiting: { text: RegExp; found(): void }[] = [];
  let printed = "";
  const exited = once(started, "exit");
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      for (const { text, found } of waiting) if (text.test(printed)) found();
    });
  return {
    prints: async (text: RegExp): Promise<void> => {
      const found = new Promise<void>((resolve) => waiting.push({ text, found: resolve }));
      const ended = exited.then(() => {
        throw new Error(`The platform ended without printing ${text}:\n${printed}`);
      });
      await Promise.race([found, ended]);
    },
    kill: async (): Promise<void> => {
      started.kill("SIGKILL");
      await exited;
    },
  };
};

export async function startProcess(dataDir: string, port: number, args: string[] = []): Promise<PlatformProcess> {
  const { prints, kill } = child(dataDir, port, args);
  await prints(/^ready /m);
  return { origin: `http://localhost:${port}`, kill };
}

export async function killWhileSeeding(dataDir: string, port: number, afterMs: number): Promise<void> {
  const { prints, kill } = child(dataDir, port, []);
  await prints(/Demo data …/);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await kill();
}

/** Kills `npm start` when the EHR has stored an appointment of the demo data that the platform has not noted. */
export async function killOnceBooked(dataDir: string, port: number): Promise<void> {
  const { prints, kill } = child(dataDir, port, []);
  await prints(/Demo data …/);
  const journal = path.join(dataDir, "ehr/resources.jsonl");
  while (!(await readFile(journal, "utf8")).includes(toolRequest)) await wait(1);
  await kill();
}

export const toolRequest = "urn:vitaline:tool-request";
