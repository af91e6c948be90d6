import { spawn } from "node:child_process";

/** What keeps the platform from starting, in one sentence for the person at the terminal. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartError";
  }
}

type Options = { cwd: string; env?: NodeJS.ProcessEnv; input?: string; signal?: AbortSignal };

/** Runs one of the project's own scripts under this Node; what it printed is shown only when it fails. */
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

/** Runs one stage of the start under a name that people see; a stage may end with a word of its own ("unchanged"). */
export type Progress = <T>(name: string, work: () => Promise<T>, wordOf?: (result: T) => string) => Promise<T>;

export const silent: Progress = (_name, work) => work();

/** Prints a line for each stage, with the seconds it took. */
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
