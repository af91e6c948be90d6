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
/** What platforms run: suites that start some side by side would otherwise build it under each other's feet. */
const build: Step = { name: "site and functions", command: ["npm", "run", "--silent", "build"] };
const requirements = ["--reporter", "dot", "--reporter", "./test/requirements/coverage.ts"];
/** These use all processors by themselves. */
const alone: Step[] = [
  { name: "slow unit tests", command: ["vitest", "run", "--project", "slow"] },
  { name: "embedded AWS", command: ["vitest", "run", "--project", "local-cloud"] },
  { name: "infrastructure", command: ["vitest", "run", "--project", "infra"] },
];
/** These run one file after the other and use half of two processors. The longest first, so that nothing long is left for the end. */
const sideBySide: Step[] = [
  { name: "running platform", command: ["vitest", "run", "--project", "platform"] },
  { name: "browser", command: ["vitest", "run", "--project", "browser"] },
  { name: "requirements", command: ["vitest", "run", "--project", "requirements", ...requirements] },
];
/** What takes too long to be asked of every change. */
const beyond: Step[] = [
  { name: "tenant's dashboard", command: ["vitest", "run", "--project", "dashboard"] },
  { name: "console", command: ["vitest", "run", "--project", "console"] },
];

type Result = Step & { passed: boolean; seconds: number; output: string };

const run = (step: Step): Promise<Result> =>
  new Promise((resolve) => {
    const started = performance.now();
    const [program = "", ...args] = step.command;
    const child = spawn(program, args, { stdio: "pipe", env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" } });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    const end = (passed: boolean) =>
      resolve({ ...step, passed, seconds: (performance.now() - started) / 1000, output: Buffer.concat(output).toString() });
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0));
  });

const verdict = ({ name, passed, seconds }: Result): string =>
  `${passed ? "ok    " : "FAILED"} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`;

const processors = Math.min(availableParallelism(), 4);

/** So many at once. `tells`: what a step printed is shown even when it passed. */
const runTogether = async (steps: Step[], { atOnce = processors, tells = true } = {}): Promise<Result[]> => {
  const waiting = [...steps];
  const results: Result[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      process.stdout.write(`...    ${step.name}\n`);
      const result = await run(step);
      process.stdout.write(`${tells || !result.passed ? `${result.output}\n` : ""}${verdict(result)}\n`);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};

const what = process.argv[2];
if (what === "full") process.env["FULL"] = "1";
const started = performance.now();
const results = await runTogether(check, { tells: false });
if (what !== "check") {
  results.push(...(await runTogether([build], { tells: false })));
  results.push(...(await runTogether(alone, { atOnce: 1 })));
  results.push(...(await runTogether(what === "full" ? [...beyond, ...sideBySide] : sideBySide)));
}
const failed = results.filter(({ passed }) => !passed);
process.stdout.write(`\n${results.map(verdict).join("\n")}\n`);
process.stdout.write(
  `${failed.length === 0 ? "All is well" : `Failed: ${failed.map(({ name }) => name).join(", ")}`} after ${((performance.now() - started) / 1000).toFixed(0)} s.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
