import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { dashed, functionNames } from "@vitaline/infra/config/functions.ts";
import { bundleLive, watchSources } from "./watch.ts";

const liveProject = mkdtempSync(path.join(tmpdir(), "live-"));
const live = path.join(liveProject, "live");
afterAll(() => rmSync(liveProject, { recursive: true, force: true }));

const liveWrite = (name: string, text: string): void => {
  mkdirSync(path.join(liveProject, "functions", name), { recursive: true });
  writeFileSync(path.join(liveProject, "functions", name, "handler.ts"), text);
};

test("a syntax error is one message with its place, and the former build keeps running", async () => {
  const printed = vi.spyOn(process.stderr, "write");
  for (const name of functionNames) liveWrite(name, `export const handler = () => "${name} as it was";`);
  await bundleLive(liveProject, live);
  const [first, second] = functionNames as [string, string];
  liveWrite(first, "export const handler = () => 'changed';");
  liveWrite(second, "export const handler = () => {");
  await expect(bundleLive(liveProject, live)).rejects.toThrow(/^The sources cannot be built\.[^]*functions\/[\w/-]+\/handler\.ts:1:30/);
  for (const name of functionNames) expect(readFileSync(path.join(live, dashed(name), "index.mjs"), "utf8")).toContain(`${name} as it was`);
  expect(printed).not.toHaveBeenCalled();
});

let project: string;
let watching: { stop(): Promise<void> } | undefined;
let told: string[];
const soon = { timeout: 10_000 };
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), "watch-"));
  for (const folder of ["functions/auth", "packages/core", "packages/contract", "packages/local-cloud", "infra"])
    mkdirSync(path.join(project, folder), { recursive: true });
  write("functions/auth/handler.ts", "1");
  told = [];
});
afterEach(async () => {
  await watching?.stop();
  rmSync(project, { recursive: true, force: true });
});

const write = (file: string, text: string): void => writeFileSync(path.join(project, file), text);
/** Many editors and git replace a file by renaming another one over it. */
const replace = (file: string, text: string): void => {
  write(`${file}.new`, text);
  renameSync(path.join(project, `${file}.new`), path.join(project, file));
};
const watch = (rebuild: () => Promise<void>): void => void (watching = watchSources(project, rebuild, (text) => void told.push(text)));
const timesTold = (text: string) => (): number => told.filter((line) => line.startsWith(text)).length;

test("a file that is replaced by a rename is noticed every time", async () => {
  const rebuild = vi.fn<() => Promise<void>>(async () => {});
  watch(rebuild);
  for (const times of [1, 2, 3]) {
    replace("functions/auth/handler.ts", `version ${times}`);
    await expect.poll(timesTold("functions rebuilt"), soon).toBe(times);
  }
  expect(rebuild).toHaveBeenCalledTimes(3);
});

test("files in new folders and deleted files are noticed", async () => {
  watch(async () => {});
  mkdirSync(path.join(project, "packages/calls"));
  write("packages/calls/index.ts", "");
  await expect.poll(timesTold("functions rebuilt"), soon).toBe(1);
  rmSync(path.join(project, "packages/calls"), { recursive: true });
  await expect.poll(timesTold("functions rebuilt"), soon).toBe(2);
});

test("a failed build is reported once, and the next change builds again", async () => {
  const rebuild = vi.fn<() => Promise<void>>(async () => {});
  rebuild.mockRejectedValueOnce(new Error("no such name"));
  watch(rebuild);
  replace("packages/core/log.ts", "broken");
  await expect.poll(timesTold("functions"), soon).toBe(1);
  expect(told).toEqual(["functions not rebuilt, the last good ones keep running: no such name"]);
  replace("packages/core/log.ts", "mended");
  await expect.poll(timesTold("functions rebuilt"), soon).toBe(1);
});

test("a changed template is reported, and tests and the platform's own files trigger no build", async () => {
  const rebuild = vi.fn<() => Promise<void>>(async () => {});
  watch(rebuild);
  write("packages/core/log.test.ts", "");
  write("packages/local-cloud/start.ts", "");
  write("infra/api.ts", "");
  await expect.poll(timesTold("routes or infrastructure changed: start again to run them"), soon).toBe(1);
  expect(rebuild).not.toHaveBeenCalled();
  write("packages/contract/route.ts", "");
  await expect.poll(timesTold("functions rebuilt"), soon).toBe(1);
  await expect.poll(timesTold("routes or infrastructure changed"), soon).toBe(2);
});
