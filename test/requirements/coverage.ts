import type { Reporter, TestModule } from "vitest/node";
import { rows, type Row } from "./row.ts";

const proofs = ["api", "ui"] as const;
const kinds = [...new Set(rows.map(({ kind }) => kind))];

/** Where screens are looked at: only a run of all of them can say which rows lack a proof. */
const screenProjects = ["browser", "dashboard", "console"];

const tableOf = (proven: ReadonlySet<string>): string =>
  proofs
    .flatMap((proof) =>
      kinds.flatMap((kind) => {
        const all = rows.filter((row) => row.proof === proof && row.kind === kind);
        const done = all.filter(({ id }) => proven.has(id));
        return all.length === 0 ? [] : [`${proof.padEnd(4)} ${kind.padEnd(9)} ${String(done.length).padStart(4)} of ${all.length}`];
      }),
    )
    .join("\n");

const listOf = (open: Row[]): string => open.map(({ id, requirement }) => `  ${id}  ${requirement}`).join("\n");

/**
 * Says which rows of test/requirements.tsv this run has proven, and names those that it has not. A row of the API without a proof fails
 * the run, and so does one of a screen, if the tests of all screens are in the run.
 */
export default class RequirementCoverage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const proven = new Set(
      modules.flatMap((module) => [...module.children.allTests("passed")]).flatMap((test) => test.meta().requirement ?? []),
    );
    const open = (proof: Row["proof"]) => rows.filter((row) => row.proof === proof && !proven.has(row.id));
    process.stdout.write(`\nRequirements proven\n${tableOf(proven)}\n`);
    process.stdout.write(`\nOf the API, not yet proven: ${open("api").length}\n${listOf(open("api"))}\n`);
    const screens = open("ui");
    process.stdout.write(`On screens, not yet proven: ${screens.length}\n${listOf(screens)}\n`);
    const projects = new Set(modules.map(({ project }) => project.name));
    const areScreensRun = screenProjects.every((name) => projects.has(name));
    if (open("api").length > 0 || (areScreensRun && screens.length > 0)) process.exitCode = 1;
  }
}
