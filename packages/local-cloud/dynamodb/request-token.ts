import { createHash } from "node:crypto";
import { AwsError } from "../aws/error.ts";
import { readUnits, type Capacity } from "./capacity.ts";
import type { BatchRow } from "./dynalite.ts";
import { prefix, writeRows, type Engine } from "./engine.ts";

const VALID_MS = 10 * 60 * 1000;

type TokenRecord = { actionsHash: string; expiresAt: number; replay: Capacity[] };
type Remember = (imageBytes: number[], spent: Capacity[]) => BatchRow[];

/**
 * Runs a transaction once per ClientRequestToken and 10 minutes. `run` gets the rows that remember it and commits them with its own.
 * A repetition changes nothing and is charged as reads; other actions under the same token are refused.
 */
export async function answerOnce(
  engine: Engine,
  { token, actions }: { token?: string; actions: unknown },
  run: (remember: Remember) => Promise<Capacity[]>,
): Promise<Capacity[]> {
  if (!token) return run(() => []);
  const key = `token~${token}`;
  const actionsHash = createHash("sha256").update(JSON.stringify(actions)).digest("base64");
  if (engine.tokensInFlight.has(key)) {
    throw new AwsError(400, "TransactionInProgressException", "The transaction with the given request token is already in progress.");
  }
  engine.tokensInFlight.add(key);
  try {
    const known = (await engine.level.get(key)) as TokenRecord | undefined;
    if (known && known.expiresAt > Date.now()) return replay(known, actionsHash);
    return await run((imageBytes, spent) => {
      const value: TokenRecord = { actionsHash, expiresAt: Date.now() + VALID_MS, replay: replayCapacity(imageBytes, spent) };
      return [{ type: "put", key, value }];
    });
  } finally {
    engine.tokensInFlight.delete(key);
  }
}

function replay(known: TokenRecord, actionsHash: string): Capacity[] {
  if (known.actionsHash === actionsHash) return known.replay;
  throw new AwsError(
    400,
    "IdempotentParameterMismatchException",
    "Your request rejected because the request token was used with different parameters.",
  );
}

/** AWS charges a repetition as transactional reads of the items; all of it is put down to the first table. */
function replayCapacity(imageBytes: number[], [first]: Capacity[]): Capacity[] {
  const units = imageBytes.reduce((total, bytes) => total + readUnits(bytes, "transactional"), 0);
  return [{ table: first!.table, kind: "read", tableUnits: units, indexUnits: {} }];
}

export async function forgetExpiredTokens(engine: Engine, nowMs: number): Promise<void> {
  const rows: BatchRow[] = [];
  for await (const [key, record] of engine.level.iterator(prefix("token~"))) {
    if ((record as TokenRecord).expiresAt <= nowMs) rows.push({ type: "del", key });
  }
  await writeRows(engine, rows);
}
