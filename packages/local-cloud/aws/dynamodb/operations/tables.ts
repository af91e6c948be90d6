import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AwsError } from "../../http/respond.ts";
import type { TableSpec } from "../../types.ts";
import { invalid, parse, type Table } from "../engine/dynalite.ts";
import { type Call, type Engine, prefix, tableOf, type TableSettings, writeRows } from "../engine/engine.ts";

/** Creates the table, or updates TTL, stream and key of the existing one. */
export async function ensureTable(engine: Engine, spec: TableSpec): Promise<void> {
  const existing = engine.tables.get(spec.name);
  const table = describe(spec, existing);
  if (existing && !sameKeys(existing, table)) {
    throw new Error(`The data folder holds table ${spec.name} with other keys or indexes: start with an empty folder`);
  }
  const settings: TableSettings = { ...engine.settings.get(spec.name), ttlAttribute: spec.ttlAttribute };
  if (spec.pointInTimeRecovery !== undefined) settings.pointInTimeRecovery = spec.pointInTimeRecovery;
  await saveTable(engine, table, settings);
}

export async function emptyTables(engine: Engine): Promise<void> {
  await engine.exclusively(async () => {
    for (const kind of ["item-", "index-", "stream~", "offset~", "token~"]) await engine.level.clear(prefix(kind));
  });
}

function sameKeys(a: Table, b: Table): boolean {
  const keys = (table: Table) => [
    table.KeySchema,
    table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => [IndexName, KeySchema, Projection]),
  ];
  return isDeepStrictEqual(keys(a), keys(b));
}

export async function saveTable(engine: Engine, table: Table, settings: TableSettings): Promise<void> {
  const name = table.TableName;
  await writeRows(engine, [
    { type: "put", key: `table~${name}`, value: table },
    { type: "put", key: `settings~${name}`, value: settings },
  ]);
  engine.tables.set(name, table);
  engine.settings.set(name, settings);
  if (!engine.sequences.has(name)) engine.sequences.set(name, 0n);
}

function describe(spec: TableSpec, existing: Table | undefined): Table {
  const streamArn = existing?.LatestStreamArn ?? `${spec.arn}/stream/${new Date().toISOString().slice(0, -1)}`;
  const indexes = spec.globalSecondaryIndexes?.map((index) => ({
    ...index,
    Projection: { ProjectionType: "ALL" as const, ...index.Projection },
    IndexArn: `${spec.arn}/index/${index.IndexName}`,
    IndexStatus: "ACTIVE" as const,
  }));
  return {
    TableName: spec.name,
    TableArn: spec.arn,
    TableId: existing?.TableId ?? randomUUID(),
    TableStatus: "ACTIVE",
    CreationDateTime: existing?.["CreationDateTime"] ?? Math.floor(Date.now() / 1000),
    KeySchema: spec.keySchema,
    AttributeDefinitions: spec.attributeDefinitions,
    ...(indexes && indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    ...(spec.stream && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      LatestStreamArn: streamArn,
    }),
    ...(spec.keyKmsArn && { SSEDescription: { Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: spec.keyKmsArn } }),
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
    TableSizeBytes: 0,
    ItemCount: 0,
  };
}

export async function createTable(engine: Engine, call: Call): Promise<object> {
  const data = parse(engine.store, "CreateTable", call.input) as unknown as Record<string, never> & { TableName: string };
  call.authorize([{ action: "CreateTable", table: data.TableName }]);
  if (engine.tables.has(data.TableName)) {
    throw new AwsError(400, "ResourceInUseException", `Table already exists: ${data.TableName}`);
  }
  const input = call.input as { StreamSpecification?: { StreamEnabled?: boolean } };
  await ensureTable(engine, {
    name: data.TableName,
    arn: `arn:aws:dynamodb:${engine.region}:${engine.account}:table/${data.TableName}`,
    keySchema: data["KeySchema"]!,
    attributeDefinitions: data["AttributeDefinitions"]!,
    globalSecondaryIndexes: data["GlobalSecondaryIndexes"],
    stream: input.StreamSpecification?.StreamEnabled,
  });
  return { TableDescription: tableOf(engine, data.TableName) };
}

export async function describeTable(engine: Engine, call: Call): Promise<object> {
  return { Table: named(engine, call, "DescribeTable") };
}

export async function listTables(engine: Engine, call: Call): Promise<object> {
  call.authorize([{ action: "ListTables" }]);
  return { TableNames: [...engine.tables.keys()].toSorted() };
}

export async function describeTimeToLive(engine: Engine, call: Call): Promise<object> {
  const table = named(engine, call, "DescribeTimeToLive");
  const attribute = engine.settings.get(table.TableName)!.ttlAttribute;
  return {
    TimeToLiveDescription: attribute ? { TimeToLiveStatus: "ENABLED", AttributeName: attribute } : { TimeToLiveStatus: "DISABLED" },
  };
}

export async function updateTimeToLive(engine: Engine, call: Call): Promise<object> {
  const table = named(engine, call, "UpdateTimeToLive");
  const wanted = call.input["TimeToLiveSpecification"] as { Enabled?: boolean; AttributeName?: string } | undefined;
  if (typeof wanted?.AttributeName !== "string" || typeof wanted.Enabled !== "boolean") {
    throw invalid("TimeToLiveSpecification needs AttributeName and Enabled");
  }
  const settings = engine.settings.get(table.TableName)!;
  await saveTable(engine, table, { ...settings, ttlAttribute: wanted.Enabled ? wanted.AttributeName : undefined });
  return { TimeToLiveSpecification: wanted };
}

export async function describeContinuousBackups(engine: Engine, call: Call): Promise<object> {
  return backups(engine, named(engine, call, "DescribeContinuousBackups"));
}

export async function updateContinuousBackups(engine: Engine, call: Call): Promise<object> {
  const table = named(engine, call, "UpdateContinuousBackups");
  const wanted = call.input["PointInTimeRecoverySpecification"] as { PointInTimeRecoveryEnabled?: boolean } | undefined;
  const settings = engine.settings.get(table.TableName)!;
  await saveTable(engine, table, { ...settings, pointInTimeRecovery: wanted?.PointInTimeRecoveryEnabled === true });
  return backups(engine, table);
}

/** Only the stream and deletion protection can be switched on or off here. */
export async function updateTable(engine: Engine, call: Call): Promise<object> {
  const table = named(engine, call, "UpdateTable");
  const {
    StreamSpecification: stream,
    DeletionProtectionEnabled,
    TableName: _name,
    ...others
  } = call.input as {
    StreamSpecification?: { StreamEnabled?: boolean; StreamViewType?: string };
    DeletionProtectionEnabled?: boolean;
    TableName?: unknown;
  };
  if ((!stream && DeletionProtectionEnabled === undefined) || Object.keys(others).length > 0)
    throw invalid("Only StreamSpecification and DeletionProtectionEnabled can be updated here");
  if (stream?.StreamEnabled && stream.StreamViewType !== "NEW_AND_OLD_IMAGES") throw invalid("Only streams of NEW_AND_OLD_IMAGES run here");
  const streaming = stream ? withStream(table, stream.StreamEnabled === true) : table;
  const updated = DeletionProtectionEnabled === undefined ? streaming : { ...streaming, DeletionProtectionEnabled };
  await saveTable(engine, updated, engine.settings.get(table.TableName) ?? {});
  return { TableDescription: tableOf(engine, table.TableName) };
}

function withStream({ StreamSpecification: _before, LatestStreamArn: _arn, ...table }: Table, isEnabled: boolean): Table {
  if (!isEnabled) return table as Table;
  return {
    ...table,
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    LatestStreamArn: `${String(table["TableArn"])}/stream/${new Date().toISOString().slice(0, -1)}`,
  } as Table;
}

function backups(engine: Engine, table: Table): object {
  const enabled = engine.settings.get(table.TableName)!.pointInTimeRecovery;
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: enabled ? "ENABLED" : "DISABLED" },
    },
  };
}

function named(engine: Engine, call: Call, action: string): Table {
  const name = call.input["TableName"];
  if (typeof name !== "string") throw invalid("TableName is required");
  call.authorize([{ action, table: name }]);
  return tableOf(engine, name);
}
