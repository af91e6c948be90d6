import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { rows } from "../../requirements/row.ts";

/** Comma-separated: "rows" requires a proof of every requirement row, "slowest" lists the twenty slowest files. */
const summaryOptions = new Set((process.env["SUMMARY"] ?? "").split(","));
const ledger = path.resolve(import.meta.dirname, "../../../build/requirements.tsv");
const root = path.resolve(import.meta.dirname, "../../..");

const fileOf = ({ moduleId }: TestModule): string => path.relative(root, moduleId);

function printSlowest(modules: readonly TestModule[]): void {
  const timed = modules.map((module) => ({ module, seconds: module.diagnostic().duration / 1000 }));
  process.stdout.write("\nSlowest files\n");
  for (const { module, seconds } of timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20))
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${fileOf(module)} (${[...module.children.allTests()].length} tests)\n`);
}

/** Added up over the files of each project, which run beside each other. */
function printProjects(modules: readonly TestModule[]): void {
  const seconds = new Map<string, number>();
  for (const module of modules)
    seconds.set(module.project.name, (seconds.get(module.project.name) ?? 0) + module.diagnostic().duration / 1000);
  const sums = [...seconds].toSorted(([, one], [, other]) => other - one).map(([name, sum]) => `${name} ${sum.toFixed(0)} s`);
  process.stdout.write(`\nSeconds in files by project: ${sums.join(", ")}\n`);
}

/** Writes row and test to build/requirements.tsv; returns the rows without a passing test. */
function writeLedger(modules: readonly TestModule[]): string[] {
  const proofs = new Map<string, string>();
  for (const module of modules)
    for (const test of module.children.allTests("passed")) {
      const { requirement } = test.meta();
      if (requirement) proofs.set(requirement, fileOf(module));
    }
  mkdirSync(path.dirname(ledger), { recursive: true });
  writeFileSync(ledger, ["id\tkind\tproven by", ...rows.map(({ id, kind }) => `${id}\t${kind}\t${proofs.get(id) ?? ""}`)].join("\n"));
  process.stdout.write(`\nRequirements proven: ${proofs.size} of ${rows.length} (build/requirements.tsv)\n`);
  const open = rows.filter(({ id }) => !proofs.has(id));
  for (const { id, requirement } of open) process.stdout.write(`  not proven: ${id}  ${requirement}\n`);
  return open.map(({ id }) => id);
}

/** The diff, or a property's seed and smallest case. */
const failureMessage = (message: string): string =>
  stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 20)
    .map((line) => `       ${line.slice(0, 300)}`)
    .join("\n");

/** A requirement row without a proof fails the run. */
export default class Summary implements Reporter {
  #files = 0;
  #done = 0;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
  }

  /** A log, which has no dots, tells each tenth of the files. */
  onTestModuleEnd(): void {
    const tenths = (count: number) => Math.floor((count / this.#files) * 10);
    if (tenths(++this.#done) > tenths(this.#done - 1) && !process.stdout.isTTY)
      process.stdout.write(`${this.#done} of ${this.#files} files after ${Math.round(process.uptime())} s\n`);
  }

  /** A run that is stopped has named its failures. */
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== "failed") return;
    const said = errors.map(({ message }) => failureMessage(message)).join("\n");
    process.stdout.write(`\nFAILED ${fileOf(test.module)}: ${test.fullName}\n${said}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    printProjects(modules);
    if (summaryOptions.has("slowest")) printSlowest(modules);
    if (summaryOptions.has("rows") && writeLedger(modules).length > 0) process.exitCode = 1;
    const count = (state: "passed" | "failed" | "skipped") =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    for (const test of skipped) process.stdout.write(`not run: ${test.fullName}\n`);
    for (const module of modules) {
      const broken = module.errors().map(({ message }) => ({ name: "the file itself", message }));
      const failed = [...module.children.allTests("failed")].map((test) => {
        const [error] = test.result().errors ?? [];
        return { name: test.fullName, message: [error?.message, error?.diff].filter(Boolean).join("\n") };
      });
      for (const { name, message } of [...broken, ...failed])
        process.stdout.write(`FAILED ${fileOf(module)}: ${name}\n${failureMessage(message)}\n`);
    }
    process.stdout.write(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`);
  }
}
