import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dashed, functionNames } from "@vitaline/infra/config/functions.ts";
import { afterAll, expect, test, vi } from "vitest";
import { bundleLive } from "./bundle-live.ts";

const project = mkdtempSync(path.join(tmpdir(), "live-"));
const live = path.join(project, "live");
afterAll(() => rmSync(project, { recursive: true, force: true }));

const write = (name: string, text: string): void => {
  mkdirSync(path.join(project, "functions", name), { recursive: true });
  writeFileSync(path.join(project, "functions", name, "handler.ts"), text);
};

test("a syntax error is one message that names its place, and the code that was built before goes on", async () => {
  const printed = vi.spyOn(process.stderr, "write");
  for (const name of functionNames) write(name, `export const handler = () => "${name} as it was";`);
  await bundleLive(project, live);
  const [first, second] = functionNames as [string, string];
  write(first, "export const handler = () => 'changed';");
  write(second, "export const handler = () => {");
  await expect(bundleLive(project, live)).rejects.toThrow(/^The sources cannot be built\.[^]*functions\/[\w/-]+\/handler\.ts:1:30/);
  for (const name of functionNames) expect(readFileSync(path.join(live, dashed(name), "index.mjs"), "utf8")).toContain(`${name} as it was`);
  expect(printed).not.toHaveBeenCalled();
});
