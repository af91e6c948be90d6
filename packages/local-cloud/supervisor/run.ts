import { spawn } from "node:child_process";
import { StartError } from "../start-error.ts";

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
