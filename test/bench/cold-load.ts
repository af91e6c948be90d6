import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Median CPU milliseconds for loading one module in a new Node process. */
export async function coldLoadMs(file: string, rounds = 7): Promise<number> {
  const script = `
    const before = process.cpuUsage();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);`;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script]);
    times.push(Number(stdout.trim().split("\n").at(-1)));
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}
