import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { fileOptions } from "../../infra/assets/bundle.ts";
import { runIsolationMatrix } from "../api/isolation/matrix.ts";
import { mainJobFailures } from "../api/calls/main-job.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";

/** Mutation tests: the suites must fail when a fault is put into the product. */

const made: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of made.reverse()) await undo();
});

const platformWith = async (options: Parameters<typeof ownPlatform>[0]): Promise<TestPlatform> => {
  const platform = await ownPlatform({ voices: true, calls: true, ...options });
  made.push(() => platform.close());
  return platform;
};

async function bundleMutant(functionName: string, file: string, from: string, to: string): Promise<string> {
  const source = readFileSync(file, "utf8");
  if (source.split(from).length !== 2) throw new Error(`${file} no longer holds the line that this test takes out`);
  const folder = await mkdtemp(path.join(tmpdir(), "vitaline-mutant-"));
  made.push(() => rm(folder, { recursive: true }));
  const mutant = {
    name: "mutant",
    setup: (on: import("esbuild").PluginBuild) =>
      on.onLoad({ filter: new RegExp(`${file.replaceAll(".", "\\.")}$`) }, () => ({ contents: source.replace(from, to), loader: "ts" })),
  };
  const options = fileOptions(process.cwd());
  await build({
    ...options,
    entryPoints: [`functions/${functionName}/handler.ts`],
    outfile: path.join(folder, "index.mjs"),
    plugins: [mutant, ...options.plugins],
  });
  return folder;
}

test("without the tenant check, the isolation matrix names the leaks", async () => {
  // The context is narrowed to the first tenant that the function saw instead of the session's tenant
  const forgetful = "inTenant(ctx, ((globalThis as { first?: string }).first ??= tenant.id))";
  const folder = await bundleMutant("tenant", "functions/lib/auth/session.ts", "inTenant(ctx, tenant.id)", forgetful);
  const it = await platformWith({ prepareFunction: (spec) => (spec.name.endsWith("-tenant") ? { ...spec, codeDir: folder } : spec) });
  const { broken } = await runIsolationMatrix(it);
  expect(broken).toEqual(expect.arrayContaining([expect.stringContaining("administrator sees")]));
});

test("without the role check, the isolation matrix names the open routes", async () => {
  const folder = await bundleMutant(
    "dashboard",
    "functions/lib/auth/session.ts",
    'if (ctx.session.actor.role !== "system_admin") throw forbidden();',
    "",
  );
  const it = await platformWith({ prepareFunction: (spec) => (spec.name.endsWith("-dashboard") ? { ...spec, codeDir: folder } : spec) });
  expect((await runIsolationMatrix(it)).broken).toContain("tenant one's administrator: GET /api/dashboard/metrics answered 200, not 403");
});

type PolicyStatement = { Action?: string | string[]; Condition?: Record<string, Record<string, string | string[]>> };

/** Removes an action on these rows from the function's policies; returns how many statements changed. */
const withoutGrant = (functionName: string, action: string, partition: string) => {
  const taken = { count: 0 };
  const mutateTemplate = (template: { Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }> }): void => {
    for (const [id, { Type, Properties }] of Object.entries(template.Resources ?? {})) {
      if (!/^AWS::IAM::(Managed)?Policy$/.test(Type) || !id.toLowerCase().includes(functionName)) continue;
      const document = Properties?.["PolicyDocument"] as { Statement: PolicyStatement[] };
      for (const statement of document.Statement) {
        const partitions = statement.Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
        if (![statement.Action].flat().includes(action) || !Array.isArray(partitions) || !partitions.includes(partition)) continue;
        partitions.splice(partitions.indexOf(partition), 1);
        taken.count++;
      }
    }
  };
  return { taken, mutateTemplate };
};

test("without one grant of the template, the main job fails and names the place", async () => {
  const { taken, mutateTemplate } = withoutGrant("tenant", "dynamodb:Query", "TENANT#*#STATS");
  const it = await platformWith({ mutateTemplate });
  expect(taken.count).toBe(1);
  await expect(mainJobFailures(it)).rejects.toThrow(/metrics of .*: 500/);
  expect(it.logText()).toContain("AccessDenied");
});
