import { AwsError } from "../aws/error.ts";
import type { Item } from "../aws/types.ts";
import { touched } from "./apply-update.ts";
import { describeCapacity, mergeCapacity, refusedWriteCapacity, writeCapacity } from "./capacity.ts";
import { commitChanges } from "./commit-changes.ts";
import { invalid, parse, type Parsed } from "./dynalite.ts";
import { tableOf, type Engine } from "./engine.ts";
import type { Call } from "./operations.ts";
import { planWrite, prepareWrite, type Change, type Verb, type Write } from "./plan-write.ts";

/** PutItem, UpdateItem and DeleteItem. */
export function writeItem(verb: Exclude<Verb, "ConditionCheck">) {
  const operation = `${verb}Item` as const;
  return async (engine: Engine, call: Call): Promise<object> => {
    const data = parse(engine.store, operation, call.input);
    refuseOtherReturnValues(verb, data.ReturnValues);
    call.authorize([{ action: operation, table: data.TableName, keys: [data.Item ?? data.Key!] }]);
    const write = prepareWrite(verb, tableOf(engine, data.TableName), data, call.input);
    if (engine.inFlight.has(write.rowKey)) throw itemInTransaction();
    const change = await engine.exclusively(async () => {
      const planned = await plan(engine, write, call);
      await commitChanges(engine, [planned]);
      return planned;
    });
    const spent = writeCapacity(change);
    call.spend(spent);
    return {
      Attributes: returnedAttributes(data, change),
      ConsumedCapacity: describeCapacity(spent, data.ReturnConsumedCapacity),
    };
  };
}

/** Only an update has values that it updated. */
function refuseOtherReturnValues(verb: Verb, asked: string | undefined): void {
  if (verb !== "Update" && asked && !["NONE", "ALL_OLD"].includes(asked)) throw invalid("Return values set to invalid value");
}

async function plan(engine: Engine, write: Write, call: Call): Promise<Change> {
  const old = (await engine.level.get(write.rowKey)) as Item | undefined;
  try {
    return planWrite(write, old);
  } catch (error) {
    if ((error as AwsError).code === "ConditionalCheckFailedException") call.spend(refusedWriteCapacity(write.table, old));
    throw error;
  }
}

function returnedAttributes(data: Parsed, { old, next }: Change): Item | undefined {
  if (data.ReturnValues === "ALL_OLD") return old;
  if (data.ReturnValues === "ALL_NEW") return next;
  if (data.ReturnValues === "UPDATED_OLD") return touched(data._updates, old);
  if (data.ReturnValues === "UPDATED_NEW") return touched(data._updates, next);
  return undefined;
}

function itemInTransaction(): AwsError {
  return new AwsError(400, "TransactionConflictException", "Transaction is ongoing for the item");
}

type WriteRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };

/** Each item by itself, as AWS: what a transaction holds comes back unprocessed. */
export async function batchWriteItem(engine: Engine, call: Call): Promise<object> {
  const data = parse(engine.store, "BatchWriteItem", call.input);
  const requests = data.RequestItems as Record<string, WriteRequest[]>;
  const entries = Object.entries(requests).flatMap(([table, list]) => list.map((request) => ({ table, request })));
  if (entries.length > 25) throw invalid("Too many items requested for the BatchWriteItem call");
  call.authorize(
    Object.entries(requests).map(([table, list]) => ({
      action: "BatchWriteItem",
      table,
      keys: list.map((request) => request.PutRequest?.Item ?? request.DeleteRequest!.Key),
    })),
  );
  const writes = entries.map(({ table, request }) => ({ request, write: prepareRequest(engine, table, request) }));
  if (new Set(writes.map(({ write }) => write.rowKey)).size < writes.length) {
    throw invalid("Provided list of item keys contains duplicates");
  }
  const free = writes.filter(({ write }) => !engine.inFlight.has(write.rowKey));
  const changes = await engine.exclusively(async () => {
    const planned = await Promise.all(free.map(({ write }) => plan(engine, write, call)));
    await commitChanges(engine, planned);
    return planned;
  });
  const spent = mergeCapacity(changes.map((change) => writeCapacity(change)));
  call.spend(...spent);
  return {
    UnprocessedItems: byTable(writes.filter((entry) => !free.includes(entry))),
    ConsumedCapacity: data.ReturnConsumedCapacity ? spent.map((part) => describeCapacity(part, data.ReturnConsumedCapacity)) : undefined,
  };
}

function prepareRequest(engine: Engine, tableName: string, request: WriteRequest): Write {
  const table = tableOf(engine, tableName);
  const verb = request.PutRequest ? "Put" : "Delete";
  return prepareWrite(verb, table, { TableName: tableName, ...request.PutRequest, ...request.DeleteRequest }, {});
}

function byTable(entries: { request: WriteRequest; write: Write }[]): Record<string, WriteRequest[]> {
  const tables: Record<string, WriteRequest[]> = {};
  for (const { request, write } of entries) (tables[write.table.TableName] ??= []).push(request);
  return tables;
}
