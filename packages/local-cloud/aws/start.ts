import { setTimeout as wait } from "node:timers/promises";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createUsageLog, emptyTables, type Engine, ensureTable, openEngine, sweepExpired, tableStream } from "./dynamodb/index.ts";
import { StartError } from "../lib/run.ts";
import { ensureKey, openKeyStore, publicKeyPem } from "./kms/index.ts";
import { type AccountState, newAccount } from "./account/state.ts";
import { listen } from "./http/listen.ts";
import { addVersion, type Bucket, current, openBucket, readBlob, writeBlob } from "./s3/object-store.ts";
import { sweepBucket } from "./s3/lifecycle.ts";
import { ensureSecret, openSecretStore, secretValue } from "./secrets/index.ts";
import { type Parts, serve } from "./serve.ts";
import { openMailStore, type StoredMail } from "./ses/mail-store.ts";
import { openSessions } from "./sts/sessions.ts";
import { openTextStore, type StoredText } from "./sms/text-store.ts";
import type { AwsOptions, BucketDefinition, KeyDefinition, SecretDefinition, TableSpec, TableStream, Usage } from "./types.ts";
import type { EventDestination } from "./sns/configuration-sets.ts";

const SWEEP_EVERY_MS = 3_600_000;

/** Listens on 127.0.0.1. Throws StartError when the port or the data folder is taken. */
export async function startAws(options: AwsOptions): Promise<Aws> {
  const folders = openFolders(options.dataDir);
  const { region, clock = () => Date.now() } = options;
  const engine = await openDatabase(folders.dynamodb, options);
  const keys = openKeyStore(folders.keys, { region, account: options.account });
  const secrets = openSecretStore(folders.secrets);
  const mails = openMailStore(folders.mail);
  const texts = openTextStore(folders.sms);
  const buckets = new Map<string, Bucket>();
  const usage = createUsageLog();
  const account = newAccount();
  const parts: Parts = { account, engine, keys, secrets, mails, texts, buckets, usage, sessions: openSessions(), options };
  const server = await listen(options.port ?? 0, (request) => serve(parts, request)).catch(async (error: unknown) => {
    await engine.level.close();
    throw error;
  });
  const sweep = sweepRegularly(async () => {
    await sweepExpired(engine, clock());
    sweepBuckets(buckets, clock());
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    account,
    async reset() {
      await emptyTables(engine);
      mails.reset();
      texts.reset();
      usage.reset();
    },
    async close() {
      await server.close();
      await sweep.stop();
      await engine.exclusively(() => engine.level.close());
      folders.removeTemporary();
    },
    dynamodb: {
      ensureTable: (spec) => ensureTable(engine, spec),
      stream: (tableName) => tableStream(engine, tableName),
      sweepExpired: (now = clock()) => sweepExpired(engine, now),
      usage: ({ since } = {}) => usage.since(since),
      resetUsage: () => usage.reset(),
    },
    kms: {
      ensureKey: (definition) => ensureKey(keys, definition),
      publicKeyPem: (keyId) => publicKeyPem(keys, keyId),
    },
    secrets: {
      ensureSecret: (definition) => ensureSecret(secrets, definition),
      value: (idOrArn, versionId) => secretValue(secrets, idOrArn, versionId),
    },
    s3: objects(folders.s3, buckets, clock),
    ses: {
      ensureIdentity: (name) => void mails.identities.add(name.toLowerCase()),
      ensureConfigurationSet: (name, destinations) => void mails.sets.set(name, destinations),
      keep: (mail) => void mails.add({ cc: [], bcc: [], replyTo: [], ...mail }),
      mails: () => [...mails.mails],
    },
    sms: {
      ensureConfigurationSet: (name, destinations) => void texts.sets.set(name, destinations),
      texts: () => [...texts.texts],
    },
  };
}

function openFolders(dataDir: string | undefined) {
  const root = dataDir ?? mkdtempSync(join(tmpdir(), "local-aws-"));
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const file = (name: string) => (dataDir === undefined ? undefined : join(dataDir, name));
  return {
    dynamodb: file("dynamodb"),
    keys: file("keys.json"),
    secrets: file("secrets.json"),
    mail: file("mail"),
    sms: file("sms"),
    s3: join(root, "s3"),
    removeTemporary() {
      if (dataDir === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

async function openDatabase(
  path: string | undefined,
  { region, account, holdTransaction = () => wait(2), clock }: AwsOptions,
): Promise<Engine> {
  try {
    return await openEngine({ path, region, account, holdTransaction, clock });
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (cause?.code !== "LEVEL_LOCKED") throw error;
    throw new StartError("The data folder is in use: another local platform runs on it.", { cause: error });
  }
}

/** Sweeps once now and then every hour. */
function sweepRegularly(sweep: () => Promise<void>) {
  let sweeping = sweep();
  const timer = setInterval(() => (sweeping = sweeping.then(sweep)), SWEEP_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

const sweepBuckets = (buckets: Map<string, Bucket>, nowMs: number): number =>
  [...buckets.values()].reduce((count, bucket) => count + sweepBucket(bucket, nowMs), 0);

/** Direct access to the buckets without IAM. */
function objects(root: string, buckets: Map<string, Bucket>, clock: () => number): Aws["s3"] {
  const named = (name: string): Bucket => {
    const bucket = buckets.get(name);
    if (!bucket) throw new Error(`There is no bucket ${name}`);
    return bucket;
  };
  return {
    async ensureBucket(definition: BucketDefinition) {
      const open = buckets.get(definition.name);
      buckets.set(definition.name, open ? { ...open, ...definition } : openBucket(root, definition, clock));
    },
    async put(name, key, body, headers = {}) {
      const bucket = named(name);
      const blob = await writeBlob(bucket, Readable.from([body]));
      addVersion(bucket, key, { ...blob, versionId: "null", etag: `"${blob.md5}"`, headers, lastModified: Date.now() });
    },
    async get(name, key) {
      const bucket = named(name);
      const version = current(bucket, key);
      return version && { body: await buffer(readBlob(bucket, version)), headers: version.headers, tags: version.tags ?? {} };
    },
    sweepExpired: (now = clock()) => sweepBuckets(buckets, now),
  };
}

export type Aws = {
  url: string;
  port: number;
  /** What an operator arranges in the account; as in a new one until it is changed. */
  account: AccountState;
  /** Removes items, streams, mail, text messages and their declarations. Tables, keys, secrets and files stay. */
  reset(): Promise<void>;
  close(): Promise<void>;
  dynamodb: {
    /** Creates the table, or updates TTL, stream and key of the existing one. */
    ensureTable(spec: TableSpec): Promise<void>;
    stream(tableName: string): TableStream;
    /** Deletes items expired at `now` (epoch milliseconds) and returns their number. Runs hourly by itself. */
    sweepExpired(now?: number): Promise<number>;
    usage(options?: { since?: number }): Usage[];
    resetUsage(): void;
  };
  kms: { ensureKey(definition: KeyDefinition): Promise<void>; publicKeyPem(keyId: string): string };
  secrets: {
    ensureSecret(definition: SecretDefinition): Promise<void>;
    /** Of the current version, without an id. */
    value(idOrArn: string, versionId?: string): string;
  };
  s3: {
    ensureBucket(definition: BucketDefinition): Promise<void>;
    put(bucket: string, key: string, body: Buffer, headers?: Record<string, string>): Promise<void>;
    get(bucket: string, key: string): Promise<{ body: Buffer; headers: Record<string, string>; tags: Record<string, string> } | undefined>;
    /** Applies lifecycle rules as of `now` and returns the number of changed versions. Runs hourly by itself. */
    sweepExpired(now?: number): number;
  };
  ses: {
    /** From the first call on, mail may be sent only from declared addresses and domains. */
    ensureIdentity(name: string): void;
    /** From the first call on, sending through an undeclared set throws. */
    ensureConfigurationSet(name: string, destinations: EventDestination[]): void;
    /** Mail that AWS sends itself, such as a topic's to its subscribers. */
    keep(mail: Pick<StoredMail, "from" | "to" | "subject" | "text">): void;
    mails(): StoredMail[];
  };
  sms: {
    ensureConfigurationSet(name: string, destinations: EventDestination[]): void;
    texts(): StoredText[];
  };
};
