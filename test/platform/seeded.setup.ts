import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startPlatform, type Platform } from "../../packages/local-cloud/platform.ts";
import { StartError } from "../../packages/local-cloud/start-error.ts";

/** A data folder with demo data, and the port for which it was made: the addresses of a platform are part of its data. */
export type Seeded = { dataDir: string; port: number };

declare module "vitest" {
  export interface ProvidedContext {
    seeded: Seeded;
  }
}

/** Adds the demo data once for all test files, which then begin with a copy of it. */
export default async function seed(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-seeded-"));
  const { platform, port } = await startSomewhere(dataDir);
  await platform.close();
  project.provide("seeded", { dataDir, port });
  return () => rm(dataDir, { recursive: true, force: true });
}

async function startSomewhere(dataDir: string): Promise<{ platform: Platform; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      return { platform: await startPlatform({ port, dataDir, quiet: true }), port };
    } catch (error) {
      if (!(error instanceof StartError) || tries === 5) throw error;
    }
  }
}
