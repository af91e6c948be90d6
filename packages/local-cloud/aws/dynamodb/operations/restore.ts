import { randomUUID } from "node:crypto";
import { AwsError } from "../../http/respond.ts";
import type { Item, StreamRecord } from "../../types.ts";
import { db, invalid, type Table } from "../engine/dynalite.ts";
import { type Call, type Change, type Engine, prefix, tableOf } from "../engine/engine.ts";
import { saveTable } from "./tables.ts";
import { commitChanges } from "./write.ts";

const CHUNK = 100;

/**
 * Creates a new table with the items that the source had at a second. The stream's records are the log, so the time must be within
 * them: a day. As in DynamoDB, the new table has no stream, TTL or point-in-time recovery. Source: "Restoring a DynamoDB table to a
 * point in time" in the Amazon DynamoDB Developer Guide.
 */
export async function restoreTableToPointInTime(engine: Engine, call: Call): Promise<object> {
  const { SourceTableName, TargetTableName, RestoreDateTime, UseLatestRestorableTime } = call.input as Record<string, unknown>;
  if (typeof SourceTableName !== "string" || typeof TargetTableName !== "string")
    throw invalid("SourceTableName and TargetTableName are required");
  call.authorize([
    { action: "RestoreTableToPointInTime", table: SourceTableName },
    { action: "RestoreTableToPointInTime", table: TargetTableName },
  ]);
  const source = tableOf(engine, SourceTableName);
  if (!engine.settings.get(SourceTableName)?.pointInTimeRecovery)
    throw new AwsError(400, "PointInTimeRecoveryUnavailableException", "Point in time recovery is not enabled for the table");
  if (engine.tables.has(TargetTableName))
    throw new AwsError(400, "TableAlreadyExistsException", `Table already exists: ${TargetTableName}`);
  const nowSeconds = Date.now() / 1000;
  const atSeconds = UseLatestRestorableTime === true ? nowSeconds : Number(RestoreDateTime);
  const restored = await engine.exclusively(async () => {
    const items = await itemsAt(engine, source, atSeconds, nowSeconds);
    const target = targetTable(engine, source, TargetTableName);
    await saveTable(engine, target, {});
    for (let from = 0; from < items.length; from += CHUNK)
      await commitChanges(
        engine,
        items.slice(from, from + CHUNK).map((next): Change => ({ table: target, rowKey: rowKeyOf(target, next), next })),
      );
    return target;
  });
  return { TableDescription: restored };
}

const rowKeyOf = (table: Table, item: Item): string => `item-${table.TableName}~${db.createKey(item, table)}`;

/** The present items, with every later change undone. */
async function itemsAt(engine: Engine, source: Table, atSeconds: number, nowSeconds: number): Promise<Item[]> {
  const items = new Map<string, Item>();
  for await (const [key, item] of engine.level.iterator(prefix(`item-${source.TableName}~`))) items.set(key, item as Item);
  let oldest: StreamRecord | undefined;
  let reaches = false;
  for await (const [, value] of engine.level.iterator({ ...prefix(`stream~${source.TableName}~`), reverse: true })) {
    oldest = value as StreamRecord;
    const { ApproximateCreationDateTime, Keys, OldImage } = oldest.dynamodb;
    reaches = ApproximateCreationDateTime <= atSeconds;
    if (reaches) break;
    const key = rowKeyOf(source, Keys);
    if (OldImage) items.set(key, OldImage);
    else items.delete(key);
  }
  const isWholeLog = oldest === undefined || BigInt(oldest.dynamodb.SequenceNumber) === 1n;
  if (!(atSeconds <= nowSeconds) || !(reaches || isWholeLog))
    throw new AwsError(400, "InvalidRestoreTimeException", "The time is outside of the restorable window");
  return [...items.values()];
}

function targetTable(engine: Engine, source: Table, name: string): Table {
  const { StreamSpecification: _stream, LatestStreamArn: _arn, ...rest } = source;
  const arn = `arn:aws:dynamodb:${engine.region}:${engine.account}:table/${name}`;
  const indexes = source.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexArn: `${arn}/index/${index.IndexName}` }));
  return {
    ...rest,
    TableName: name,
    TableArn: arn,
    TableId: randomUUID(),
    CreationDateTime: Math.floor(Date.now() / 1000),
    ...(indexes && { GlobalSecondaryIndexes: indexes }),
  };
}
