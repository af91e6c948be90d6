import { spawn } from "node:child_process";

/** Reported as one sentence, without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartError";
  }
}

type Options = { cwd: string; env?: NodeJS.ProcessEnv; input?: string; signal?: AbortSignal };

/** Runs a script of the project under this Node and prints its output only when it fails. */
export async function runNode(what: string, args: string[], { cwd, env, input, signal }: Options): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"], signal });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stdin.end(input ?? "");
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new StartError(`${what} failed (exit code ${code}):\n${printed.trim()}`);
}

export type Progress = <T>(name: string, work: () => Promise<T>, wordOf?: (result: T) => string) => Promise<T>;

export const silent: Progress = (_name, work) => work();

export const printed = (write: (text: string) => void): Progress =>
  async function stage(name, work, wordOf = () => "done") {
    const began = performance.now();
    write(`  ${name} … `);
    try {
      const result = await work();
      write(`${wordOf(result)} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`);
      return result;
    } catch (error) {
      write("failed\n");
      throw error;
    }
  };
