import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";

/**
 * `check` runs on each save, `test` proves the product, `long` runs slow suites, `flaky` repeats changed tests. All steps run, even after
 * a failure.
 */

type Step = { name: string; command: string[]; env?: Record<string, string> };
type Result = Step & { passed: boolean; seconds: number; output: string };

const staticChecks: Step[] = [
  { name: "lint", command: ["oxlint", "--type-aware"] },
  { name: "types", command: ["tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", "build/types.tsbuildinfo"] },
  { name: "dead code", command: ["knip"] },
  { name: "format", command: ["oxfmt", "--check"] },
];
/** Built once, since suites that start platforms in parallel would each build it. */
const build: Step = { name: "site and functions", command: ["npm", "run", "--silent", "build"] };

const quick = ["unit", "service", "api", "web", "browser"];
const long = ["infra", "local-cloud", "sweeps", "witness", "api-long", "alone", "gallery"];

const vitest = (name: string, projects: string[], args: string[] = [], env: Record<string, string> = {}): Step => ({
  name,
  command: ["vitest", "run", ...projects.flatMap((project) => ["--project", project]), ...args],
  env,
});
const dots = process.stdout.isTTY ? ["--reporter", "dot"] : [];
const summary = [...dots, "--reporter", "./test/kit/run/summary.ts"];

const running = (step: Step, isShown: boolean): Promise<Result> =>
  new Promise((resolve) => {
    const started = performance.now();
    const [program = "", ...args] = step.command;
    const env = {
      ...process.env,
      ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined }),
      // Each worker and each process of a test loads the same modules
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, "../build/compile-cache"),
      ...step.env,
    };
    const child = spawn(program, args, { stdio: isShown ? "inherit" : "pipe", env });
    const output: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
    const end = (passed: boolean) =>
      resolve({ ...step, passed, seconds: (performance.now() - started) / 1000, output: Buffer.concat(output).toString() });
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0));
  });

const verdict = ({ name, passed, seconds }: Result): string =>
  `${passed ? "ok    " : "FAILED"} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`;

/** Runs one step per processor at a time and prints the output of failed ones. */
const together = async (steps: Step[]): Promise<Result[]> => {
  const waiting = [...steps];
  const results: Result[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await running(step, false);
      process.stdout.write(`${result.passed ? "" : `${result.output}\n`}${verdict(result)}\n`);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
  return results;
};

const sequential = async (step: Step): Promise<Result> => {
  process.stdout.write(`...    ${step.name}\n`);
  const result = await running(step, true);
  process.stdout.write(`${verdict(result)}\n`);
  return result;
};

/** Ten runs in random order of the tests affected by a change since `base`. */
const flaky = async (base: string): Promise<Result[]> => {
  const results: Result[] = [];
  for (let run = 1; run <= 10; run++) {
    const seed = String(Math.floor(Math.random() * 1e9));
    const shuffled = ["--sequence.shuffle.files", "--sequence.shuffle.tests", "--sequence.seed", seed];
    results.push(
      await sequential(
        vitest(`run ${run}, seed ${seed}`, quick, ["--changed", base, "--passWithNoTests", "--reporter", "dot", ...shuffled]),
      ),
    );
  }
  return results;
};

const suites: Record<string, (args: string[]) => Promise<Result[]>> = {
  // The checks beside the tests, which leave processors idle while they wait.
  check: () => together([vitest("unit tests", ["unit"], ["--reporter", "dot", "--maxWorkers", "100%"]), ...staticChecks]),
  test: async (args) => {
    const slowest = args.includes("--slowest");
    const rest = args.filter((arg) => arg !== "--slowest");
    // A run of named files or tests proves only these
    const asked = [rest.length === 0 && "rows", slowest && "slowest"].filter(Boolean).join(",");
    return [...(await together([build])), await sequential(vitest("tests", quick, [...summary, ...rest], { SUMMARY: asked }))];
  },
  long: async (args) => [
    ...(args.length === 0 ? await together(staticChecks) : []),
    ...(await together([build])),
    await sequential(vitest("long tests", long, ["--maxWorkers", "100%", ...summary, ...args], { FULL: "1", SUMMARY: "slowest" })),
  ],
  flaky: ([base = "HEAD~1"]) => flaky(base),
};

const [name = "test", ...args] = process.argv.slice(2);
const suite = suites[name];
if (!suite) throw new Error(`There is no suite ${name}: choose one of ${Object.keys(suites).join(", ")}`);
const started = performance.now();
const results = await suite(args);
const failed = results.filter(({ passed }) => !passed);
process.stdout.write(`\n${results.map(verdict).join("\n")}\n`);
const outcome = failed.length === 0 ? "All passed" : `Failed: ${failed.map((step) => step.name).join(", ")}`;
process.stdout.write(`${outcome} after ${((performance.now() - started) / 1000).toFixed(0)} s.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
