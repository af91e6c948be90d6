import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { units, unscoped } from "./import-law.ts";

// The law and its configuration alone, in a folder of their own, so that no other check sees the breaches.
const project = mkdtempSync(path.join(tmpdir(), "vitaline-law-"));
for (const file of [
  ".oxlintrc.json",
  "test/lint/plugin.ts",
  "test/lint/import-law.ts",
  "test/lint/place.ts",
  "test/lint/plain-words.ts",
  "test/lint/layers.ts",
])
  cpSync(file, path.join(project, file));
afterAll(() => rmSync(project, { recursive: true }));

const forbidden: [string, string, string][] = [
  ["packages/core", 'export * from "@vitaline/store";', "core may not import store"],
  ["packages/offices", 'import { z } from "zod"; export default z;', "offices may not import zod"],
  ["packages/offices", 'export { DynamoDBClient } from "@aws-sdk/client-dynamodb";', "offices may not import @aws-sdk/client-dynamodb"],
  ["packages/leads", 'export type { PlatformStore } from "@vitaline/store/platform.ts";', "reaches every tenant"],
  ["packages/users", 'export type { PlatformStore } from "@vitaline/store/platform.ts";', "reaches every tenant"],
  ["functions/admin", 'export { platformStore } from "@vitaline/store/platform.ts";', "reaches every tenant"],
  ["packages/offices", 'export { log } from "../core/log.ts";', "may not leave offices"],
  ["packages/tools", 'export const later = () => import("@vitaline/voice-providers");', "tools may not import voice-providers"],
  ["packages/calls", 'export type Key = import("@vitaline/api-keys").Key;', "calls may not import api-keys"],
  ["web/src", 'export { keys } from "@vitaline/store";', "web may not import store"],
  ["infra/needs", 'export { keys } from "@vitaline/store";', "infra may not import store"],
  ["infra/needs", 'export { keys } from "@vitaline/store/keys.ts";', "infra may not import store"],
  ["functions/lib", 'export { startAws } from "../../packages/local-cloud/aws/index.ts";', "may not leave functions"],
  ["packages/fhir/auth", 'export * from "../client/client.ts";', "auth is a layer below client"],
  ["packages/tools/sendSMS", 'export * from "../sendEmail/index.ts";', "sendSMS may not import sendEmail"],
  ["packages/tools/sendSMS", 'export * from "../engine/run-tool.ts";', "sendSMS is a layer below engine"],
  ["packages/audit/extra", 'export * from "../log/search.ts";', "has no layer"],
  ["functions/voice", 'export * from "../admin/handler.ts";', "voice may not import admin"],
  ["web/src/components", 'export type { Session } from "../features/sessions/session.ts";', "components is a layer below features"],
  ["packages/a-new-package", 'export { log } from "@vitaline/core";', "a-new-package has no row"],
];

/** What the linter says of these files, under the project's own configuration, in one run. */
const findings = (files: Record<string, string>): string => {
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), `${source}\n`);
  }
  const { stdout } = spawnSync(path.resolve("node_modules/.bin/oxlint"), ["--quiet", "--format=unix", ...Object.keys(files)], {
    cwd: project,
    encoding: "utf8",
  });
  return stdout;
};

test("every file that may hold the unscoped handle imports it", () => {
  const imports = (file: string) => existsSync(file) && readFileSync(file, "utf8").includes('"@vitaline/store/platform.ts"');
  expect(Object.keys(unscoped).filter((file) => !imports(file))).toEqual([]);
});

test("every forbidden way to name a module is found where it stands", () => {
  const said = findings(Object.fromEntries(forbidden.map(([folder, source], index) => [`${folder}/breach${index}.ts`, source]))).split(
    "\n",
  );
  for (const [index, [folder, source, why]] of forbidden.entries())
    expect(
      said.filter((line) => line.includes(`${folder}/breach${index}.ts`) && line.includes(why)),
      source,
    ).toHaveLength(1);
});

test("what the law allows passes: the guard does not simply refuse everything", () => {
  expect(
    findings({
      "packages/offices/allowed.ts": 'export { newId } from "@vitaline/core";\nexport { keys } from "@vitaline/store";',
      "infra/needs/allowed.ts": 'export { partitionPatterns } from "@vitaline/store/partitions.ts";',
    }),
  ).not.toContain("allowed.ts");
});

test("every package has its row, and every row its package", () => {
  expect(units.filter((unit) => !["functions", "infra", "web", "test", "root"].includes(unit)).sort()).toEqual(
    readdirSync("packages")
      .filter((name) => existsSync(path.join("packages", name, "package.json")))
      .sort(),
  );
});
