import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks, type NagPack } from "cdk-nag";
import type { Construct } from "constructs";
import { vi } from "vitest";
import { settingsFor, type Settings } from "./config/settings.ts";
import { dashed, type FunctionName, functionNames } from "./config/functions.ts";
import { readSite } from "./assets/site.ts";
import { vitalineApp } from "./app.ts";

/** Settings that cover every feature of a deployment. */
export const statedStages = {
  demo: {},
  production: {
    account: "111122223333",
    domain: "voice.example.org",
    certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000",
    hostedZone: { id: "Z0000000000EXAMPLE", name: "example.org" },
    alarmEmail: "oncall@example.org",
    smsOrigination: "arn:aws:sms-voice:us-east-1:111122223333:phone-number/phone-0a1b2c3d4e5f",
    smsProtectConfiguration: "protect-0a1b2c3d4e5f",
    demoSchedulingUrl: "https://cal.com/vitaline/demo/embed",
    reservedConcurrency: { auth: 20, voice: 100 },
    backupCopyVault: "arn:aws:backup:us-west-2:444455556666:backup-vault:vitaline",
    replicas: {
      account: "444455556666",
      files: "arn:aws:s3:::vitaline-files-replica",
      archive: "arn:aws:s3:::vitaline-archive-replica",
      keyArn: "arn:aws:kms:us-west-2:444455556666:key/0a1b2c3d-0000-4000-8000-000000000000",
    },
  },
};

export const stages = ["local", "demo", "production"] as const;
export type StageName = (typeof stages)[number];
export const stackNames = ["data", "api", "routes", "events", "web", "monitoring"] as const;
type StackName = (typeof stackNames)[number];

export type Properties = Record<string, unknown>;
type Resource = { Type: string; Properties: Properties; DeletionPolicy?: string; UpdatePolicy?: object };
export type Template = { Resources: Record<string, Resource>; Outputs?: Record<string, { Value: unknown }> };
type Finding = { rule: string; path: string };
type Findings = { all: Finding[]; unanswered: Finding[] };
type Acknowledgement = { id: string; reason: string; path: string };

export type Synthesized = {
  settings: Settings;
  templates: Record<StackName, Template>;
  /** Of stages with `accountBaseline`. */
  account: Template | undefined;
  /** Stack → its dependencies. */
  dependencies: Record<string, string[]>;
  acknowledgements: Acknowledgement[];
  /** Findings of the cdk-nag packs, without and with acknowledgements. The packs run when they are first asked for. */
  readonly findings: Findings;
};

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

export const repository = path.join(import.meta.dirname, "..");

/** A project folder with one-line handlers and a one-line site: its templates differ from the real ones only in hashes. */
export function fixtureProject(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "vitaline-infra-"));
  for (const name of functionNames) {
    const handler = `export const handler = async () => ({ functionName: ${JSON.stringify(name)} });\n`;
    write(path.join(folder, "functions", name, "handler.ts"), handler);
    write(path.join(folder, "build", dashed(name), "index.mjs"), handler);
  }
  const paths = readFileSync(path.join(repository, "web/src/app/paths.json"), "utf8");
  write(path.join(folder, "web/src/app/paths.json"), paths);
  for (const { file } of JSON.parse(paths) as { file: string }[])
    write(path.join(folder, "web/dist", file), "<!doctype html><title>Vitaline</title>");
  write(path.join(folder, "web/dist/assets/app-0a1b2c3d.js"), "document.title += ' ';\n");
  write(path.join(folder, "web/dist/favicon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
  write(
    path.join(folder, "web/dist/csp-hashes.json"),
    JSON.stringify({ styles: [`sha256-${"A".repeat(43)}=`], scripts: [`'sha256-${"B".repeat(43)}='`] }),
  );
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export const cdkJson = (): { context: Record<string, unknown> } =>
  JSON.parse(readFileSync(path.join(repository, "cdk.json"), "utf8")) as { context: Record<string, unknown> };

/** `changed`: functions whose code is another. */
type Variant = { change?: (app: App) => void; changed?: FunctionName[] };

const kept = new Map<string, Synthesized>();

/** Validated against CloudFormation's schemas, and synthesized once for all tests of a process. */
export function synthesized(stage: StageName, more: object = {}): Synthesized {
  const key = JSON.stringify([stage, more]);
  const it = kept.get(key) ?? synthesize(stage, more);
  kept.set(key, it);
  return it;
}

/** A stage with more settings or changed by a test. Its schemas are not validated, which takes most of a synthesis. */
export function synthesizeVariant(stage: StageName, more: object = {}, variant: Variant = {}): Synthesized {
  vi.stubEnv("CDK_VALIDATION", "false");
  try {
    return synthesize(stage, more, variant);
  } finally {
    vi.unstubAllEnvs();
  }
}

function synthesize(stage: StageName, more: object = {}, { change, changed = [] }: Variant = {}): Synthesized {
  const project = fixtureProject();
  for (const name of changed) write(path.join(project.folder, "build", dashed(name), "index.mjs"), "export const handler = () => 2;\n");
  const acknowledgements: Acknowledgement[] = [];
  const acknowledge = Validations.prototype.acknowledge;
  Validations.prototype.acknowledge = function (...given) {
    const { scope } = this as unknown as { scope: Construct };
    acknowledgements.push(...given.map(({ id, reason }) => ({ id, reason, path: scope.node.path })));
    acknowledge.apply(this, given);
  };
  try {
    const settings = settingsFor(stage, { ...statedStages, [stage]: { ...(statedStages as Record<string, object>)[stage], ...more } });
    const app = vitalineApp({
      settings,
      folderOf: (name) => path.join(project.folder, "build", dashed(name)),
      site: readSite(project.folder),
      context: cdkJson().context,
      outdir: path.join(project.folder, "cdk.out"),
    });
    change?.(app);
    const assembly = app.synth();
    let findings: Findings | undefined;
    const artifact = (name: string) => assembly.getStackByName(`vitaline-${stage}-${name}`);
    return {
      settings,
      templates: Object.fromEntries(stackNames.map((name) => [name, artifact(name).template as Template])) as Synthesized["templates"],
      account: assembly.stacks.find(({ stackName }) => stackName === `vitaline-${stage}-account`)?.template as Template | undefined,
      dependencies: Object.fromEntries(
        stackNames.map((name) => [
          name,
          artifact(name).dependencies.flatMap(({ id }) => stackNames.filter((other) => id === `vitaline-${stage}-${other}`)),
        ]),
      ),
      acknowledgements,
      get findings() {
        return (findings ??= findingsIn(app));
      },
    };
  } finally {
    Validations.prototype.acknowledge = acknowledge;
    project.remove();
  }
}

function findingsIn(app: App): Findings {
  const packs = [new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new ServerlessChecks(app)];
  const unanswered = packs.flatMap((pack) => findingsOf(pack, app));
  for (const pack of packs) Reflect.set(pack, "isAcknowledged", () => false);
  return { all: packs.flatMap((pack) => findingsOf(pack, app)), unanswered };
}

const findingsOf = (pack: NagPack, app: Construct): Finding[] =>
  pack
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = "" }) => ({ rule: ruleName, path: constructPath })),
    );

/** The value at a path. Throws when it is missing. */
export function inside<T>(value: unknown, ...steps: string[]): T {
  for (const step of steps) value = (value as Properties | undefined)?.[step];
  if (value === undefined) throw new Error(`There is nothing at ${steps.join(".")}.`);
  return value as T;
}

export const ofType = (template: Template, type: string): [logicalId: string, properties: Properties][] =>
  Object.entries(template.Resources).flatMap(([id, resource]) =>
    resource.Type === type ? [[id, resource.Properties] as [string, Properties]] : [],
  );

export type Statement = { Effect: string; Action: string[]; Resource: unknown[]; Condition?: Record<string, Record<string, unknown>> };
export const statementsOf = (document: unknown): Statement[] =>
  (document as { Statement: Record<string, unknown>[] }).Statement.map((statement) => ({
    ...statement,
    Effect: String(statement["Effect"]),
    Action: [statement["Action"] as string].flat(),
    Resource: [statement["Resource"]].flat(),
  }));
