import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startPlatform } from "../../../packages/local-cloud/platform.ts";

declare module "vitest" {
  export interface ProvidedContext {
    testData: string;
  }
}

/** Builds the site and the functions once for all workers, and deletes all test data at the end. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "vitaline-tests-"));
  const platform = await startPlatform({ port: 0, dataDir: path.join(folder, "first"), empty: true, quiet: true });
  await platform.close();
  project.provide("testData", folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
