import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

// test/run.ts finds its programs in PATH; here each only writes down its arguments.
const folder = mkdtempSync(path.join(tmpdir(), "vitaline-circles-"));
const log = path.join(folder, "log");
beforeAll(() => {
  for (const name of ["oxlint", "tsc", "knip", "oxfmt", "vitest", "npm"]) {
    const program = path.join(folder, name);
    writeFileSync(program, `#!/bin/sh\necho "${name} $*" >> "${log}"\n[ "${name}" != "$FAILING" ]\n`);
    chmodSync(program, 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: string[], failing = ""): { commands: string[]; status: number | null; stdout: string } => {
  writeFileSync(log, "");
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, FAILING: failing };
  const { status, stdout } = spawnSync(process.execPath, ["test/run.ts", ...args], { env, encoding: "utf8" });
  return { commands: readFileSync(log, "utf8").trim().split("\n"), status, stdout };
};
const programs = (commands: string[]) => commands.map((command) => command.split(" ")[0]).toSorted();
const projectsOf = (command = "") => [...command.matchAll(/--project (\S+)/g)].map(([, name]) => name);

test("check runs the static checks and the unit tests", () => {
  const { commands, status } = run(["check"]);
  expect(status).toBe(0);
  expect(programs(commands)).toEqual(["knip", "oxfmt", "oxlint", "tsc", "vitest"]);
  expect(projectsOf(commands.find((command) => command.startsWith("vitest")))).toEqual(["unit"]);
});

test("the whole circle runs one build and the quick projects; with a path only that file", () => {
  const all = run(["test"]).commands;
  expect(programs(all)).toEqual(["npm", "vitest"]);
  expect(projectsOf(all.at(-1))).toEqual(["unit", "service", "api", "web", "browser"]);
  const one = run(["test", "--slowest", "test/lint"]).commands;
  expect(programs(one)).toEqual(["npm", "vitest"]);
  expect(one.at(-1)).toMatch(/ test\/lint$/);
});

test("long runs the static checks, one build and the long projects", () => {
  const { commands } = run(["long"]);
  expect(programs(commands)).toEqual(["knip", "npm", "oxfmt", "oxlint", "tsc", "vitest"]);
  expect(projectsOf(commands.at(-1))).toEqual(["infra", "local-cloud", "sweeps", "witness", "api-long", "alone", "gallery"]);
});

test("flaky runs what changed since the base ten times, each in another order", () => {
  const { commands } = run(["flaky", "main"]);
  expect(commands).toHaveLength(10);
  expect(commands.every((command) => command.includes("--changed main"))).toBe(true);
  expect(new Set(commands.map((command) => /--sequence\.seed (\d+)/.exec(command)?.[1])).size).toBeGreaterThan(1);
});

test("a failed step fails the run, names itself, and does not keep the others from running", () => {
  const { commands, status, stdout } = run(["check"], "knip");
  expect(status).toBe(1);
  expect(programs(commands)).toContain("vitest");
  expect(stdout).toContain("Failed: dead code");
});
