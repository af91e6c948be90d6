import type { Item } from "../aws/types.ts";
import { AwsError } from "../aws/error.ts";
import { applyUpdate } from "./apply-update.ts";
import { holds } from "./condition.ts";
import { db, invalid, refuse, type Parsed, type Table } from "./dynalite.ts";
import { itemSize, MAX_ITEM_BYTES } from "./item-size.ts";

export type Verb = "Put" | "Update" | "Delete" | "ConditionCheck";

/** One checked write to one item, before the item was read. */
export type Write = { verb: Verb; table: Table; data: Parsed; rowKey: string; returnsItemOnFailure: boolean };

/** What a write does to its item: the images before and after. */
export type Change = { table: Table; rowKey: string; old?: Item; next?: Item };

/** Checks the key and attributes against the table's schema. */
export function prepareWrite(verb: Verb, table: Table, data: Parsed, input: object): Write {
  if (verb === "Put") refuseUnfit(table, data.Item!);
  else refuse(db.validateKey(data.Key!, table));
  if (verb === "Update") refuse(db.validateUpdates(undefined, data._updates, table));
  const rowKey = `item-${table.TableName}~${db.createKey(data.Item ?? data.Key!, table)}`;
  const returnsItemOnFailure =
    (input as { ReturnValuesOnConditionCheckFailure?: string }).ReturnValuesOnConditionCheckFailure === "ALL_OLD";
  return { verb, table, data, rowKey, returnsItemOnFailure };
}

/** The change, or AwsError ConditionalCheckFailedException or ValidationException; reads and writes nothing. */
export function planWrite(write: Write, old: Item | undefined): Change {
  const { verb, table, data, rowKey } = write;
  if (data._condition && !holds(data._condition.expression, old ?? {})) {
    const fields = write.returnsItemOnFailure && old ? { Item: old } : {};
    throw new AwsError(400, "ConditionalCheckFailedException", "The conditional request failed", fields);
  }
  if (verb === "ConditionCheck") return { table, rowKey, old, next: old };
  if (verb === "Delete") return { table, rowKey, old };
  const next = verb === "Put" ? data.Item! : updated(data, old);
  refuseUnfit(table, next);
  if (itemSize(next) > MAX_ITEM_BYTES) throw invalid("Item size to update has exceeded the maximum allowed size");
  return { table, rowKey, old, next };
}

function updated(data: Parsed, old: Item | undefined): Item {
  const item = old ?? data.Key!;
  return data._updates ? applyUpdate(data._updates, item) : item;
}

/** Keys of the table and of its indexes must be of their types and not empty. */
function refuseUnfit(table: Table, item: Item): void {
  refuse(db.validateItem(item, table));
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    for (const { AttributeName } of index.KeySchema) {
      const value = item[AttributeName];
      if (value?.S !== "" && value?.B !== "") continue;
      throw invalid(
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
          `The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index.IndexName}, IndexKey: ${AttributeName}`,
      );
    }
  }
}
