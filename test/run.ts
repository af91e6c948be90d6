import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** `npm run check`, `npm test` and `npm run test:full`: steps in order, each with its time; all are run, then the verdict. */

type Step = { name: string; command: string[] };

const check: Step[] = [
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "lint", command: ["oxlint", "--type-aware"] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "dead code", command: ["knip"] },
  { name: "unit tests", command: ["vitest", "run", "--project", "unit"] },
];
const suites: Step[] = [
  { name: "slow unit tests", command: ["vitest", "run", "--project", "slow"] },
  { name: "embedded AWS", command: ["vitest", "run", "--project", "local-cloud"] },
  { name: "infrastructure", command: ["vitest", "run", "--project", "infra"] },
  { name: "running platform", command: ["vitest", "run", "--project", "platform"] },
  {
    name: "requirements",
    command: ["vitest", "run", "--project", "requirements", "--reporter", "dot", "--reporter", "./test/requirements/coverage.ts"],
  },
  { name: "browser", command: ["vitest", "run", "--project", "browser"] },
];

/** What takes too long to be asked of every change. */
const beyond: Step[] = [{ name: "tenant's dashboard", command: ["vitest", "run", "--project", "dashboard"] }];

type Result = Step & { passed: boolean; seconds: number; output: string };

const run = (step: Step, live: boolean): Promise<Result> =>
  new Promise((resolve) => {
    const started = performance.now();
    const [program = "", ...args] = step.command;
    const child = spawn(program, args, {
      stdio: live ? "inherit" : "pipe",
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
    });
    const output: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
    const end = (passed: boolean) =>
      resolve({ ...step, passed, seconds: (performance.now() - started) / 1000, output: Buffer.concat(output).toString() });
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0));
  });

const say = ({ name, passed, seconds, output }: Result): void => {
  process.stdout.write(`${passed ? "ok    " : "FAILED"} ${name.padEnd(18)} ${seconds.toFixed(1)} s\n${passed ? "" : `${output}\n`}`);
};

/** Steps that only read may share the processors. */
const runTogether = async (steps: Step[]): Promise<Result[]> => {
  const waiting = [...steps];
  const results: Result[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await run(step, false);
      say(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
  return results;
};

const what = process.argv[2];
if (what === "full") process.env["FULL"] = "1";
const started = performance.now();
const results = await runTogether(check);
if (what !== "check")
  for (const suite of what === "full" ? [...suites, ...beyond] : suites) {
    const result = await run(suite, true);
    say(result);
    results.push(result);
  }
const failed = results.filter(({ passed }) => !passed);
process.stdout.write(
  `\n${results.map(({ name, passed, seconds }) => `${passed ? "ok    " : "FAILED"} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`).join("\n")}\n`,
);
process.stdout.write(
  `${failed.length === 0 ? "All is well" : `Failed: ${failed.map(({ name }) => name).join(", ")}`} after ${((performance.now() - started) / 1000).toFixed(0)} s.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
