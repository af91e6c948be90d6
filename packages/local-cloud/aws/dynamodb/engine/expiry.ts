import type { Item } from "../../types.ts";
import { type Change, type Engine, prefix } from "./engine.ts";
import { commitChanges } from "../operations/write.ts";
import { removeExpiredTokens } from "../operations/transact-write.ts";
import { trimStream } from "./stream.ts";

const CHUNK = 100;
/** DynamoDB does not delete items that expired more than five years ago. */
const OLDEST_SECONDS = 5 * 365 * 24 * 3600;

/** Deletes items expired at `nowMs`, trims streams and removes old request tokens. Returns the number of deleted items. */
export async function sweepExpired(engine: Engine, nowMs: number): Promise<number> {
  let deleted = 0;
  for (const [name, { ttlAttribute }] of engine.settings) {
    if (ttlAttribute) deleted += await sweepTable(engine, name, ttlAttribute, nowMs / 1000);
    await engine.exclusively(() => trimStream(engine, name, nowMs));
  }
  await removeExpiredTokens(engine, nowMs);
  return deleted;
}

async function sweepTable(engine: Engine, name: string, attribute: string, nowSeconds: number): Promise<number> {
  const isExpired = (item: Item | undefined) => {
    const expiresAt = Number(item?.[attribute]?.N ?? Infinity);
    return expiresAt < nowSeconds && expiresAt > nowSeconds - OLDEST_SECONDS;
  };
  const rowKeys: string[] = [];
  for await (const [key, item] of engine.level.iterator(prefix(`item-${name}~`))) {
    if (isExpired(item as Item)) rowKeys.push(key);
  }
  let deleted = 0;
  for (let at = 0; at < rowKeys.length; at += CHUNK) {
    deleted += await engine.exclusively(() => deleteRows(engine, name, rowKeys.slice(at, at + CHUNK), isExpired));
  }
  return deleted;
}

/** Checks the expiry again under the lock, since the item may have been renewed. */
async function deleteRows(engine: Engine, name: string, rowKeys: string[], isExpired: (item?: Item) => boolean) {
  const table = engine.tables.get(name)!;
  const changes: Change[] = [];
  for (const rowKey of rowKeys) {
    const old = engine.level.getSync(rowKey) as Item | undefined;
    if (old && isExpired(old) && !engine.inFlight.has(rowKey)) changes.push({ table, rowKey, old });
  }
  await commitChanges(engine, changes, { expired: true });
  return changes.length;
}
