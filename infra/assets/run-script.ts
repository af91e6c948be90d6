import { spawn } from "node:child_process";

type Options = { cwd: string; env?: Record<string, string | undefined> };

/** Runs a script with this Node and waits for it. Its output goes to standard error. Throws when it fails. */
export function runScript(script: string, args: string[], { cwd, env = {} }: Options): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["inherit", process.stderr, "inherit"],
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${[script, ...args].join(" ")} ended with ${code ?? "a signal"}.`)),
    );
  });
}
