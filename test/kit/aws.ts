import { randomUUID } from "node:crypto";
import { retentionDays } from "@vitaline/contract";
import { readAppSecrets } from "../../packages/aws/index.ts";
import { deadlineIn, newId, pause, secretValues, type Actor, type Context } from "@vitaline/core";
import { create, keys, tenantStore, type PlatformKeyRow, type TenantContext } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { table } from "../../packages/store/verbs/table.ts";
import { generatePlatformKey } from "../../packages/platform-keys/index.ts";
import { startAws, type Aws, type AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import { hasJava, startDynamoDbLocal } from "../../packages/local-cloud/aws/dynamodb/dynamodb-local.fixture.ts";

const region = "us-east-1";
const account = "000000000000";
const filesBucket = "vitaline-test-files";
const archiveBucket = "vitaline-test-archive";

export type TestAws = {
  aws: Aws;
  tenants: [string, string];
  sessionKeyArn: string;
  platform(actor?: Actor): PlatformContext;
  inTenant(tenantId: string, actor?: Actor): TenantContext;
  usage: Aws["dynamodb"]["usage"];
  resetUsage(): void;
  /** Breaks AWS calls until it is called without a hook. */
  fault(hook?: AwsOptions["fault"]): void;
  close(): Promise<void>;
};

/** With Java 17 or newer the store's tests also run on DynamoDB Local; the embedded database is the default. */
export const database = process.env["TEST_DATABASE"] ?? "embedded";
const isLocal = database === "DynamoDB Local";
export const isDatabaseMissing = isLocal && !hasJava();

type Shared = { aws: Aws; environment: NodeJS.ProcessEnv; hooks: Pick<AwsOptions, "fault" | "publish"> };
const worker = globalThis as { testAws?: Promise<Shared> };

/** One emulated AWS per worker, since the product's clients keep the first address. */
const sharedAws = (): Promise<Shared> =>
  (worker.testAws ??= (async () => {
    const operator = { arn: `arn:aws:iam::${account}:role/test`, statements: "all" as const };
    const hooks: Shared["hooks"] = {};
    const aws = await startAws({
      region,
      account,
      principals: () => operator,
      fault: (call) => hooks.fault?.(call),
      publish: async (...told) => hooks.publish?.(...told),
    });
    const vaultKeyArn = await ensureKey(aws, "SYMMETRIC_DEFAULT", "vault");
    const certificateKeyArn = await ensureKey(aws, "RSA_3072", "certificates");
    const secretArns = await ensureAppSecrets(aws);
    await aws.dynamodb.ensureTable(tableSpec);
    await aws.s3.ensureBucket({ name: archiveBucket });
    await aws.s3.ensureBucket({ name: filesBucket, lifecycle: retentionDays.map(ruleFor) });
    const environment = {
      AWS_ENDPOINT_URL: aws.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      TABLE_NAME: tableSpec.name,
      VAULT_KEY_ARN: vaultKeyArn,
      CERTIFICATE_KEY_ARN: certificateKeyArn,
      ERASE_FUNCTION: "vitaline-test-events-erase",
      FILES_BUCKET: filesBucket,
      FHIR_SECRET_PREFIX: "vitaline/test/fhir/",
      TENANT_SECRET_PREFIX: "vitaline/test/tenants/",
      STAGE: "test",
      APP_SECRET_SECONDS: "86400",
      ...secretArns,
    };
    return { aws, environment, hooks };
  })());

/** The database shares this event loop: while a test keeps it busy, the client must not take it for lost and send a write twice. */
function awaitBusyEventLoop(): void {
  const handler = table().client.config.requestHandler as { updateHttpClientConfig(timeout: string, ms: number): void };
  for (const timeout of ["connectionTimeout", "requestTimeout"]) handler.updateHttpClientConfig(timeout, 15_000);
}

/**
 * AWS in memory with an empty table, mailbox and usage log, and environment variables that name them. On DynamoDB Local there is no usage
 * log and no database fault.
 */
export async function startTestAws({ publish }: { publish?: AwsOptions["publish"] } = {}): Promise<TestAws> {
  const { aws, environment, hooks } = await sharedAws();
  Object.assign(process.env, environment);
  for (const name of ["AWS_SESSION_TOKEN", "AWS_PROFILE"]) delete process.env[name];
  awaitBusyEventLoop();
  await aws.reset();
  hooks.publish = publish;
  hooks.fault = undefined;
  await readAppSecrets();
  const other = isLocal ? await startDynamoDbLocal(tableSpec) : undefined;
  if (other) process.env["AWS_ENDPOINT_URL_DYNAMODB"] = other.url;
  return {
    aws,
    tenants: [newId(), newId()],
    sessionKeyArn: secretValues("sessions")[0],
    platform(actor) {
      const context = contextOf(actor);
      return { ...context, platform: platformStore(context) };
    },
    inTenant(tenantId, actor) {
      const context = contextOf(actor);
      return { ...context, tenantId, store: tenantStore(context, tenantId) };
    },
    usage: aws.dynamodb.usage,
    resetUsage: aws.dynamodb.resetUsage,
    fault(next) {
      hooks.fault = next;
    },
    async close() {
      hooks.fault = undefined;
      hooks.publish = undefined;
      if (other) delete process.env["AWS_ENDPOINT_URL_DYNAMODB"];
      await other?.close();
    },
  };
}

export const byClock = <C extends TenantContext>(ctx: C, clock: () => Date): C => ({
  ...ctx,
  clock,
  store: tenantStore({ ...ctx, clock }, ctx.tenantId),
});

let platformKeyRows: { key: PlatformKeyRow; newest: { id: string } } | undefined;

/** Created once per worker: signers cache it, and a 3072-bit key is slow to make. */
export async function ensurePlatformKey(ctx: PlatformContext): Promise<void> {
  if (platformKeyRows) {
    const { key, newest } = platformKeyRows;
    await ctx.platform.commit([create(keys.platformKey(key.id), key), create(keys.newestPlatformKey(), newest)], {
      category: "configuration_change",
      action: "platformKey.generate",
      resourceType: "PlatformKey",
      resourceId: key.id,
    });
    return;
  }
  await generatePlatformKey(ctx);
  const newest = await ctx.platform.get(keys.newestPlatformKey());
  const key = newest && (await ctx.platform.get<PlatformKeyRow>(keys.platformKey(newest.id)));
  if (!newest || !key) throw new Error("There is no platform key");
  platformKeyRows = { key, newest };
}

const ruleFor = (days: number) => ({ prefix: "calls/", tags: { retention: String(days) }, expirationDays: days, noncurrentDays: 1 });

const tableSpec = {
  name: "vitaline-test",
  arn: `arn:aws:dynamodb:${region}:${account}:table/vitaline-test`,
  keySchema: [
    { AttributeName: "pk", KeyType: "HASH" as const },
    { AttributeName: "sk", KeyType: "RANGE" as const },
  ],
  attributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
  globalSecondaryIndexes: [
    {
      IndexName: "gsi1",
      KeySchema: [
        { AttributeName: "gsi1pk", KeyType: "HASH" as const },
        { AttributeName: "gsi1sk", KeyType: "RANGE" as const },
      ],
      Projection: { ProjectionType: "ALL" as const },
    },
  ],
  ttlAttribute: "expiresAt",
  stream: true,
};

/** The header with which CloudFront passes on each request. */
export async function fromEdge(): Promise<{ "x-vitaline-edge": string }> {
  await readAppSecrets();
  return { "x-vitaline-edge": secretValues("edge")[0] };
}

async function ensureAppSecrets(aws: Aws): Promise<Record<string, string>> {
  const values = {
    EDGE_SECRET_ARN: randomUUID(),
    TOKENS_SECRET_ARN: randomUUID(),
    CURSORS_SECRET_ARN: randomUUID(),
    HASHES_SECRET_ARN: randomUUID(),
    SESSIONS_SECRET_ARN: await ensureKey(aws, "RSA_2048", "session-signing"),
  };
  const named = Object.entries(values).map(
    ([name, value]) => ({ name, value, arn: `arn:aws:secretsmanager:${region}:${account}:secret:${name}-test00` }) as const,
  );
  for (const { name, value, arn } of named) await aws.secrets.ensureSecret({ arn, name, value: JSON.stringify({ value }) });
  return Object.fromEntries(named.map(({ name, arn }) => [name, arn]));
}

async function ensureKey(aws: Aws, spec: "SYMMETRIC_DEFAULT" | "RSA_2048" | "RSA_3072", use: string): Promise<string> {
  const keyId = randomUUID();
  const arn = `arn:aws:kms:${region}:${account}:key/${keyId}`;
  await aws.kms.ensureKey({ keyId, arn, spec, tags: { "vitaline:use": use } });
  return arn;
}

function contextOf(actor: Actor = { kind: "system", id: "test" }): Context {
  return {
    requestId: newId(),
    actor,
    clientAddress: "203.0.113.7",
    origin: "http://localhost",
    clock: () => new Date(),
    log: () => {},
    // Long enough for a whole test file; tests of deadlines set their own
    deadline: deadlineIn(3_600_000),
    // Short pauses, but not zero, so that concurrent work still runs first
    pause: (ms, signal) => pause(ms / 20, signal),
  };
}
