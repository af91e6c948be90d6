import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { fileOptions } from "../../infra/assets/bundle.ts";
import { findLeakingAnswers } from "../api/isolation/answers.ts";
import { callersOf } from "../api/isolation/callers.ts";
import { findLeaks, findRoleViolations, runIsolationMatrix } from "../api/isolation/matrix.ts";
import { mainJobFailures } from "../api/calls/main-job.ts";
import { forgetfulSession, forgetfulStore, unchecked, withoutRoleCheck, type Mutation } from "./mutants.ts";
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

async function bundleMutant(functionName: string, ...mutations: Mutation[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "vitaline-mutant-"));
  made.push(() => rm(folder, { recursive: true }));
  const mutant = {
    name: "mutant",
    setup(on: import("esbuild").PluginBuild) {
      for (const { file, from, to } of mutations) {
        const source = readFileSync(file, "utf8");
        on.onLoad({ filter: new RegExp(`${file.replaceAll(".", "\\.")}$`) }, () => ({ contents: source.replace(from, to), loader: "ts" }));
      }
    },
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

const leaks = /sees|asked about|changed/;
const leaksOf = (broken: string[]): string[] => broken.filter((found) => leaks.test(found));

type PolicyStatement = { Action?: string | string[]; Condition?: Record<string, Record<string, string | string[]>> };
type AnyTemplate = { Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }> };

const partitionsIn = ({ Condition }: PolicyStatement): string[] =>
  [Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []].flat();

/**
 * As if the functions had one role for all tenants: the tag becomes a wildcard, and the function's own role gets these rights. Each right on
 * rows is on all partitions, because one request may name several.
 */
const oneRoleForAll = (template: AnyTemplate): void => {
  const all = Object.entries(template.Resources ?? {});
  const named = (type: string, name: RegExp) => all.find(([id, { Type }]) => Type === type && name.test(id));
  for (const [id, { Type, Properties }] of all) {
    if (Type !== "AWS::IAM::ManagedPolicy" || !id.includes("DataPolicy") || !Properties) continue;
    const functionName = id.slice(0, id.indexOf("Data"));
    const [role] = named("AWS::IAM::Role", new RegExp(`^${functionName}Role[0-9A-F]{8}$`)) ?? [];
    const [, own] = named("AWS::IAM::ManagedPolicy", new RegExp(`^${functionName}Rows[0-9A-F]{8}$`)) ?? [];
    const anyTenant = (_key: string, value: unknown) =>
      typeof value === "string" ? value.replaceAll("${aws:PrincipalTag/tenantId}", "*") : value;
    const { Statement } = JSON.parse(JSON.stringify(Properties["PolicyDocument"]), anyTenant) as { Statement: PolicyStatement[] };
    const { Statement: others = [] } = (own?.Properties?.["PolicyDocument"] ?? {}) as { Statement?: PolicyStatement[] };
    const partitions = [...Statement, ...others].flatMap(partitionsIn);
    for (const { Condition } of Statement) {
      delete Condition?.["StringEquals"]?.["kms:EncryptionContext:tenantId"];
      if (Condition?.["ForAllValues:StringLike"]) Condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] = partitions;
    }
    Properties["PolicyDocument"] = { Statement };
    Properties["Roles"] = [{ Ref: role }];
  }
};

const ofOneTenant = ["tenant", "tools", "voice", "mcp", "agents", "calendar"];
const mutantsOf = async (functions: string[], ...mutations: Mutation[]) => {
  const folders = new Map<string, string>();
  for (const name of functions) folders.set(name, await bundleMutant(name, ...mutations));
  return (spec: Spec): Spec => {
    const codeDir = folders.get(spec.name.split("-").at(-1) ?? "");
    return codeDir === undefined ? spec : { ...spec, codeDir };
  };
};
type Spec = Parameters<NonNullable<NonNullable<Parameters<typeof ownPlatform>[0]>["prepareFunction"]>>[0];

const withoutTenantRole = (spec: Spec): Spec => {
  const { TENANT_ROLE_ARN: _none, ...env } = spec.env;
  return { ...spec, env };
};

test("without the tenant check and with one role for all tenants, the isolation matrix names the leaks", async () => {
  const mutant = await mutantsOf(["tenant"], forgetfulSession);
  const it = await platformWith({ mutateTemplate: oneRoleForAll, prepareFunction: (spec) => mutant(withoutTenantRole(spec)) });
  const { broken } = await findLeaks(it, await callersOf(it));
  expect(leaksOf(broken)).toEqual(expect.arrayContaining([expect.stringContaining("administrator sees")]));
});

test("A04: without the store's own checks, every caller still gets its own data and nothing of another tenant", async () => {
  const it = await platformWith({ prepareFunction: await mutantsOf(ofOneTenant, ...unchecked) });
  expect((await runIsolationMatrix(it)).broken).toEqual([]);
});

test("A04: a store that addresses another tenant's rows gets none of them; one role for all tenants would let them out", async () => {
  // Of voice, a mutant could not even take the second tenant's demo call
  const mutant = await mutantsOf(["tenant"], ...forgetfulStore);
  const guarded = await platformWith({ prepareFunction: mutant });
  const callers = await callersOf(guarded);
  expect(leaksOf(await findLeakingAnswers(guarded, callers))).toEqual([]);
  expect(guarded.logText()).toContain("AccessDenied");

  const open = await platformWith({ mutateTemplate: oneRoleForAll, prepareFunction: (spec) => mutant(withoutTenantRole(spec)) });
  expect(leaksOf(await findLeakingAnswers(open, await callersOf(open)))).not.toEqual([]);
});

test("A04: without the tenant check, an invocation gets no session of a tenant that is not its caller's", async () => {
  const it = await platformWith({ prepareFunction: await mutantsOf(["tenant"], forgetfulSession) });
  expect(leaksOf(await findLeakingAnswers(it, await callersOf(it)))).toEqual([]);
});

test("without the role check, the isolation matrix names the open routes", async () => {
  const it = await platformWith({ prepareFunction: await mutantsOf(["dashboard"], withoutRoleCheck) });
  const { broken } = await findRoleViolations(it, await callersOf(it));
  expect(broken).toContain("tenant one's administrator: GET /api/dashboard/metrics answered 200, not 403");
});

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
  const { taken, mutateTemplate } = withoutGrant("tenant", "dynamodb:Query", "TENANT#${aws:PrincipalTag/tenantId}#STATS");
  const it = await platformWith({ mutateTemplate });
  expect(taken.count).toBe(1);
  await expect(mainJobFailures(it)).rejects.toThrow(/metrics of .*: 500/);
  expect(it.logText()).toContain("AccessDenied");
});
