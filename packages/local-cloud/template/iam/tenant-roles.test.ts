import path from "node:path";
import { runSimulation, type Simulation } from "@cloud-copilot/iam-simulate";
import { App } from "aws-cdk-lib";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dashed } from "@vitaline/infra/config/functions.ts";
import { settingsFor } from "@vitaline/infra/config/settings.ts";
import { ApiStack } from "@vitaline/infra/stacks/api.ts";
import { DataStack } from "@vitaline/infra/stacks/data.ts";
import { cdkJson, fixtureProject } from "@vitaline/infra/test.fixture.ts";
import { evaluate, isTrustedBy } from "../../aws/iam/authorize.ts";
import type { ConditionContext, Principal, Role, Statement } from "../../aws/index.ts";
import { readAssembly } from "../assembly.ts";
import { readBuckets, readKeys, readTables } from "../data-resources.ts";
import { readResources } from "../resources.ts";
import { readRoles } from "./roles.ts";

/**
 * Whether the policies of the synthesized roles isolate tenants, asked of the embedded IAM and of an independent simulator, which also
 * checks that each action, resource and condition key exists.
 */
const [one, two] = [newId(), newId()];
const functions = ["voice", "mcp", "tools", "tenant", "agents", "calendar"] as const;
type Fn = (typeof functions)[number];
type Who = `${Fn} for one` | `${Fn} itself`;
type Question = { who: Who; action: string; on: keyof ReturnType<typeof resourcesOf>; context?: ConditionContext; may: boolean };

let project: ReturnType<typeof fixtureProject>;
let roles: Map<string, Role>;
let arns: ReturnType<typeof resourcesOf>;
let account: string;

beforeAll(async () => {
  project = fixtureProject();
  const outdir = path.join(project.folder, "cdk.out");
  const app = new App({ context: cdkJson().context, outdir, analyticsReporting: false });
  const data = new DataStack(app, settingsFor("local", {}));
  new ApiStack(app, data, (name) => path.join(project.folder, "build", dashed(name)));
  app.synth();
  const assembly = await readAssembly(outdir);
  const resources = readResources(assembly, () => "");
  ({ account } = assembly.stacks[0]!);
  roles = readRoles(resources);
  const [table] = readTables(resources);
  const keyOf = (use: string) => readKeys(resources).find(({ tags }) => tags?.["vitaline:use"] === use)!.arn;
  const files = readBuckets(resources).find(({ name }) => name.includes("files"))!.name;
  arns = resourcesOf({ table: table!.arn, vault: keyOf("vault"), session: keyOf("session-signing"), files });
});
afterAll(() => project.remove());

const resourcesOf = ({ table, vault, session, files }: Record<"table" | "vault" | "session" | "files", string>) => {
  const [, , , region, id] = table.split(":");
  const secret = (name: string) => `arn:aws:secretsmanager:${region}:${id}:secret:vitaline/local/${name}-abcdef`;
  return {
    table,
    index: `${table}/index/gsi1`,
    vault,
    "a signing key": vault.replace(/[^/]*$/, "0a1b2c3d-0000-4000-8000-000000000000"),
    "the session key": session,
    "the files bucket": `arn:aws:s3:::${files}`,
    "one's call file": `arn:aws:s3:::${files}/calls/${one}/c1/transcript-5`,
    "two's call file": `arn:aws:s3:::${files}/calls/${two}/c1/transcript-5`,
    "one's kept event": `arn:aws:s3:::${files}/kept-events/${one}/e1`,
    "two's kept event": `arn:aws:s3:::${files}/kept-events/${two}/e1`,
    "one's secret": secret(`tenants/${one}/fhir/p1/client-secret`),
    "two's secret": secret(`tenants/${two}/fhir/p1/client-secret`),
    "one's refresh token": secret(`tenants/${one}/fhir/p1/refresh-token`),
    "a shared secret": secret("fhir/p2/client-secret"),
    "another stage's secret": secret("fhir/p2/client-secret").replace("/local/", "/production/"),
  };
};

const rows = (...partitions: string[]): ConditionContext => ({ "dynamodb:LeadingKeys": partitions });
const sealed = (purpose: string, tenantId?: string): ConditionContext => ({
  "kms:EncryptionContext:purpose": purpose,
  ...(tenantId === undefined ? {} : { "kms:EncryptionContext:tenantId": tenantId }),
});
const signedBy = (stage: string): ConditionContext => ({
  "aws:ResourceTag/vitaline:use": "platform-signing",
  "aws:ResourceTag/vitaline:stage": stage,
  "kms:KeySpec": "RSA_3072",
  "kms:KeyUsage": "SIGN_VERIFY",
  "kms:KeyOrigin": "AWS_KMS",
  "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_384",
});
const [ofOne, ofTwo] = [one, two].map((id) => (rest: string) => `TENANT#${id}#${rest}`) as [
  (rest: string) => string,
  (rest: string) => string,
];

const asked = (
  who: Who,
  action: string,
  on: Question["on"],
  contexts: { may?: (ConditionContext | undefined)[]; mayNot?: (ConditionContext | undefined)[] },
): Question[] =>
  (["may", "mayNot"] as const).flatMap((which) =>
    (contexts[which] ?? []).map((context) => ({ who, action, on, may: which === "may", ...(context ? { context } : {}) })),
  );

/** Of every function with a role for one tenant. */
const ofEach = (fn: Fn): Question[] => [
  ...asked(`${fn} for one`, "dynamodb:GetItem", "table", { may: [rows(ofOne("CONFIG"))], mayNot: [rows(ofTwo("CONFIG"))] }),
  ...asked(`${fn} for one`, "dynamodb:BatchGetItem", "table", {
    may: [rows(ofOne("CONFIG"), ofOne("CALL#c1"))],
    mayNot: [rows(ofOne("CONFIG"), ofTwo("CONFIG")), undefined],
  }),
  ...asked(`${fn} for one`, "dynamodb:UpdateItem", "table", {
    may: [rows(ofOne("CALL#c1"))],
    mayNot: [rows(ofTwo("CALL#c1")), rows(ofOne("AUDIT#2026-11#api_call"))],
  }),
  ...asked(`${fn} for one`, "dynamodb:PutItem", "table", {
    may: [rows(ofOne("AUDIT#2026-11#api_call"))],
    mayNot: [rows(ofTwo("AUDIT#2026-11#api_call")), rows("PLATFORM#AUDIT#2026-11#api_call")],
  }),
  ...asked(`${fn} for one`, "kms:Decrypt", "vault", { may: [sealed("phi", one)], mayNot: [sealed("phi", two), sealed("phi")] }),
  ...asked(`${fn} itself`, "dynamodb:GetItem", "table", { mayNot: [rows(ofOne("CONFIG"))] }),
  ...asked(`${fn} itself`, "kms:Decrypt", "vault", { mayNot: [sealed("phi", one)] }),
];

const questions = (): Question[] => [
  ...(["voice", "mcp", "tools", "tenant"] as const).flatMap(ofEach),
  ...asked("agents for one", "dynamodb:PutItem", "table", {
    may: [rows(ofOne("VAULT")), rows("PLATFORM#VOICE"), rows("REF#p1")],
    mayNot: [rows(ofTwo("VAULT")), rows(ofOne("CALL#c1")), rows("KEY#k1")],
  }),
  ...asked("agents for one", "kms:Decrypt", "vault", {
    may: [sealed("voice-provider-key", one)],
    mayNot: [sealed("voice-provider-key", two), sealed("phi", one)],
  }),
  ...asked("agents itself", "dynamodb:GetItem", "table", { may: [rows("REF#p1")], mayNot: [rows(ofOne("VAULT"))] }),
  ...asked("calendar for one", "dynamodb:Query", "index", {
    may: [rows(ofOne("CALENDAR#o1"))],
    mayNot: [rows(ofTwo("CALENDAR#o1")), rows(ofOne("CALLS"))],
  }),
  ...asked("calendar itself", "dynamodb:GetItem", "table", { may: [rows("CALENDAR#t1")], mayNot: [rows(ofOne("CONFIG"))] }),
  ...asked("tenant for one", "dynamodb:Query", "index", { may: [rows(ofOne("CALLS"))], mayNot: [rows(ofTwo("CALLS")), undefined] }),
  ...asked("tenant for one", "dynamodb:Scan", "table", { mayNot: [undefined] }),
  ...asked("tenant for one", "dynamodb:GetItem", "table", { mayNot: [rows("SESSION#u1"), rows("FHIR#p1"), rows("KEY#k1")] }),
  ...asked("tenant for one", "dynamodb:PutItem", "table", {
    may: [rows("KEY#k1"), rows("PLATFORM#TENANTS")],
    mayNot: [rows("PLATFORM#KEYS")],
  }),
  ...asked("tenant for one", "dynamodb:DeleteItem", "table", {
    may: [rows("CALENDAR#t1")],
    mayNot: [rows("KEY#k1"), rows(ofTwo("WEBHOOKS"))],
  }),
  ...asked("tenant for one", "kms:GenerateDataKey", "vault", {
    may: [sealed("webhook-signing", one)],
    mayNot: [sealed("webhook-signing", two), sealed("totp", one)],
  }),
  ...asked("tenant itself", "dynamodb:GetItem", "table", { may: [rows("SESSION#u1"), rows("USER#u1")], mayNot: [rows("EMAIL#e1")] }),
  ...asked("tenant for one", "s3:GetObject", "one's call file", { may: [undefined] }),
  ...asked("tenant for one", "s3:GetObject", "two's call file", { mayNot: [undefined] }),
  ...asked("tenant for one", "s3:ListBucket", "the files bucket", { mayNot: [undefined, { "s3:prefix": `calls/${two}/` }] }),
  ...asked("tenant itself", "s3:GetObject", "one's call file", { mayNot: [undefined] }),

  ...asked("voice for one", "dynamodb:PutItem", "table", {
    may: [rows("PLATFORM#DUE#1"), rows("PLATFORM#OUTGOING#1"), rows("PLATFORM#KEPT"), rows(ofOne("KEYUSE"))],
    mayNot: [rows("REF#x1"), rows("FHIR#p1"), rows(ofTwo("INBOX"))],
  }),
  ...asked("voice for one", "dynamodb:GetItem", "table", {
    mayNot: [rows("PLATFORM#DUE#1"), rows(ofTwo("VAULT"))],
    may: [rows(ofOne("VAULT"))],
  }),
  ...asked("voice for one", "kms:Decrypt", "vault", {
    may: [sealed("webhook", one), sealed("voice-provider-key", one)],
    mayNot: [sealed("webhook", two), sealed("tenant-api-key", one), sealed("fhir-token", "p1")],
  }),
  ...asked("voice itself", "dynamodb:GetItem", "table", {
    may: [rows("KEY#k1"), rows("REF#h1"), rows("FHIR#p1")],
    mayNot: [rows("USER#u1")],
  }),
  ...asked("voice itself", "kms:Decrypt", "vault", { may: [sealed("fhir-token", "p1")], mayNot: [sealed("webhook", one)] }),
  ...asked("voice for one", "s3:PutObject", "one's call file", { may: [undefined] }),
  ...asked("voice for one", "s3:PutObject", "two's call file", { mayNot: [undefined] }),
  ...asked("voice for one", "s3:PutObject", "one's kept event", { may: [undefined] }),
  ...asked("voice for one", "s3:GetObject", "two's kept event", { mayNot: [undefined] }),
  ...asked("voice for one", "secretsmanager:GetSecretValue", "one's secret", { may: [undefined] }),
  ...asked("voice for one", "secretsmanager:GetSecretValue", "two's secret", { mayNot: [undefined] }),
  ...asked("voice for one", "secretsmanager:GetSecretValue", "a shared secret", { mayNot: [undefined] }),
  ...asked("voice for one", "secretsmanager:PutSecretValue", "one's refresh token", { may: [undefined] }),
  ...asked("voice for one", "secretsmanager:PutSecretValue", "one's secret", { mayNot: [undefined] }),
  ...asked("voice itself", "secretsmanager:GetSecretValue", "a shared secret", { may: [undefined] }),
  ...asked("voice itself", "secretsmanager:GetSecretValue", "one's secret", { mayNot: [undefined] }),
  ...asked("voice itself", "secretsmanager:GetSecretValue", "another stage's secret", { mayNot: [undefined] }),
  ...asked("voice itself", "kms:Sign", "a signing key", { may: [signedBy("local")], mayNot: [signedBy("production"), {}] }),
  ...asked("voice itself", "kms:Sign", "the session key", { mayNot: [{ "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" }] }),
  ...asked("mcp for one", "kms:Decrypt", "vault", { mayNot: [sealed("webhook", one)] }),
  ...asked("tools for one", "kms:Decrypt", "vault", { may: [sealed("tenant-api-key", one)], mayNot: [sealed("tenant-api-key", two)] }),
];

const roleOf = (fn: Fn, kind: "own" | "for one"): Role => {
  const name = new RegExp(`role/.*-api-${fn}${kind === "own" ? "" : "Data"}Role`);
  const found = [...roles.values()].filter(({ arn }) => name.test(arn));
  if (found.length !== 1) throw new Error(`${fn}: ${found.length} roles named ${name}`);
  return found[0]!;
};

const principalOf = (who: Who): Principal => {
  const fn = who.split(" ")[0] as Fn;
  const own = who.endsWith("itself");
  const role = roleOf(fn, own ? "own" : "for one");
  const arn = `arn:aws:sts::${account}:assumed-role/${role.arn.split("/").at(-1)}/${own ? `vitaline-local-${fn}` : one}`;
  return {
    arn,
    statements: role.statements,
    session: { roleArn: role.arn, tags: own ? {} : { tenantId: one }, token: "", expiresAtMs: 0 },
  };
};

const policyOf = (statements: Statement[]) => ({ Version: "2012-10-17", Statement: statements });
/** Gives the account's roles what their own policies allow, as the keys' do. */
const accountDecides = () =>
  policyOf([{ Effect: "Allow", Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: "kms:*", Resource: "*" } as Statement]);

async function witness(
  principal: Principal,
  { action, resource, context, resourcePolicy }: { action: string; resource: string; context: ConditionContext; resourcePolicy?: object },
): Promise<boolean> {
  const simulation: Simulation = {
    request: {
      principal: principal.arn,
      action,
      resource: { resource, accountId: account },
      contextVariables: context as Record<string, string | string[]>,
    },
    identityPolicies: [{ name: "role", policy: policyOf(principal.statements as Statement[]) }],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
    ...(resourcePolicy ? { resourcePolicy } : {}),
  };
  // It drops the names of an encryption context as unknown keys; a tag's names it keeps
  const renamed = JSON.parse(JSON.stringify(simulation).replaceAll("kms:EncryptionContext:", "aws:ResourceTag/")) as Simulation;
  const answer = await runSimulation(renamed, {});
  if (answer.resultType !== "single") throw new Error(`${action} on ${resource}: ${JSON.stringify(answer)}`);
  expect([action, answer.result.ignoredContextKeys]).toEqual([action, []]);
  return answer.overallResult === "Allowed";
}

const contextOf = (principal: Principal, context: ConditionContext = {}): ConditionContext => ({
  "aws:SecureTransport": "true",
  "aws:PrincipalArn": principal.session?.roleArn ?? principal.arn,
  ...Object.fromEntries(Object.entries(principal.session?.tags ?? {}).map(([key, value]) => [`aws:PrincipalTag/${key}`, value])),
  ...context,
});

test("A04: the embedded IAM and an independent simulator answer at least 60 questions as they should be, half of them denials", async () => {
  const all = questions();
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(({ may }) => !may).length).toBeGreaterThanOrEqual(all.length / 2);
  for (const { who, action, on, context, may } of all) {
    const principal = principalOf(who);
    const request = { action, resource: arns[on], context: contextOf(principal, context) };
    const embedded = evaluate(principal, request) === "allowed";
    const independent = await witness(principal, {
      ...request,
      ...(action.startsWith("kms:") ? { resourcePolicy: accountDecides() } : {}),
    });
    expect({ who, action, on, context, embedded, independent }).toEqual({ who, action, on, context, embedded: may, independent: may });
  }
});

test("A04: both say that only its function assumes a role for one tenant, with one tag and the tenant's name", async () => {
  const wrong = { name: two, tags: { tenantId: one } };
  type Attempt = { by: Fn; role: Fn; name: string; tags: Record<string, string>; may: boolean };
  const attempts = functions.flatMap((role): Attempt[] => [
    { by: role, role, name: one, tags: { tenantId: one }, may: true },
    { by: role, role, ...wrong, may: false },
    { by: role, role, name: one, tags: {}, may: false },
    { by: role, role, name: "short", tags: { tenantId: "short" }, may: false },
    { by: role, role, name: one, tags: { tenantId: one, role: "admin" }, may: false },
    { by: role === "voice" ? "mcp" : "voice", role, name: one, tags: { tenantId: one }, may: false },
  ]);
  for (const { by, role, name, tags, may } of attempts) {
    const principal = principalOf(`${by} itself`);
    const { arn, trust } = roleOf(role, "for one");
    const keys = Object.keys(tags);
    const request = (action: string) => ({
      action,
      resource: arn,
      context: contextOf(principal, {
        ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
        ...(keys.length > 0 ? { "aws:TagKeys": keys } : {}),
        ...(action === "sts:AssumeRole" ? { "sts:RoleSessionName": name } : {}),
      }),
    });
    const trustPolicy = policyOf(trust.map(({ Resource: _itself, ...statement }) => statement as Statement));
    const actions = ["sts:AssumeRole", ...(keys.length > 0 ? ["sts:TagSession"] : [])];
    const embedded = actions.every(
      (action) =>
        evaluate(principal, request(action)) === "allowed" &&
        isTrustedBy(trust, { principal, account, region: "us-east-1" }, request(action)),
    );
    const answers: boolean[] = [];
    for (const action of actions) answers.push(await witness(principal, { ...request(action), resourcePolicy: trustPolicy }));
    const independent = answers.every(Boolean);
    expect({ by, role, name, tags, embedded, independent }).toEqual({ by, role, name, tags, embedded: may, independent: may });
  }
});
