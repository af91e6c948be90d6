import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { units } from "./law.ts";

// The law and its configuration alone, in a folder of their own, so that no other check sees the breaches.
const project = mkdtempSync(path.join(tmpdir(), "vitaline-law-"));
for (const file of [".oxlintrc.json", "test/import-law/plugin.ts", "test/import-law/law.ts", "test/import-law/place.ts"])
  cpSync(file, path.join(project, file));
afterAll(() => rmSync(project, { recursive: true }));

/** What the linter says of one file, under the project's own configuration. */
const findings = (file: string, source: string): string => {
  const breach = path.join(project, file);
  mkdirSync(path.dirname(breach), { recursive: true });
  writeFileSync(breach, source);
  try {
    execFileSync(path.resolve("node_modules/.bin/oxlint"), ["--quiet", file], { cwd: project, encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    rmSync(breach);
  }
};

const forbidden: [string, string, string][] = [
  ["packages/core/probe.ts", 'export * from "@vitaline/store";', "core may not import store"],
  ["packages/offices/probe.ts", 'import { z } from "zod"; export default z;', "offices may not import zod"],
  [
    "packages/offices/probe.ts",
    'export { DynamoDBClient } from "@aws-sdk/client-dynamodb";',
    "offices may not import @aws-sdk/client-dynamodb",
  ],
  ["packages/offices/probe.ts", 'export type { PlatformStore } from "@vitaline/store/platform.ts";', "reaches every tenant"],
  ["packages/offices/probe.ts", 'export { log } from "../core/log.ts";', "may not leave offices"],
  ["packages/tools/probe.ts", 'export const later = () => import("@vitaline/voice-providers");', "tools may not import voice-providers"],
  ["packages/calls/probe.ts", 'export type Key = import("@vitaline/api-keys").Key;', "calls may not import api-keys"],
  ["web/src/probe.ts", 'export { keys } from "@vitaline/store";', "web may not import store"],
  ["functions/lib/probe.ts", 'export { startAws } from "../../packages/local-cloud/aws/index.ts";', "may not leave functions"],
  ["packages/a-new-package/probe.ts", 'export { log } from "@vitaline/core";', "a-new-package has no row"],
];

test.each(forbidden)("%s may not say %s", (file, source, why) => {
  expect(findings(file, `${source}\n`)).toContain(why);
});

test("what the law allows passes: the guard does not simply refuse everything", () => {
  expect(findings("packages/offices/probe.ts", 'export { newId } from "@vitaline/core";\nexport { keys } from "@vitaline/store";\n')).toBe(
    "",
  );
});

test("every package has its row, and every row its package", () => {
  expect(units.filter((unit) => !["functions", "infra", "web", "test", "root"].includes(unit)).sort()).toEqual(
    readdirSync("packages").sort(),
  );
});
