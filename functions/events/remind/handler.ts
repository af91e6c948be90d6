import { errorFields } from "@vitaline/core";
import { expiryOf, outgoingKey, outgoingShards, waitMs, type Attended } from "@vitaline/messages";
import { put, remove, rowsOf, type OutgoingRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import { sendKeptMessage, sendReminder } from "@vitaline/tools";
import { eventContext } from "../../lib/context.ts";
import { reachingOut, withEhr, type EhrContext } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";

const perPage = 100;
/** What is looked at in a run; the next one comes soon. */
const maxRows = 1000;
/** How many tenants are seen to at once; the rows of one go one after the other. */
const tenantsAtOnce = 4;
/** How often one tenant's record system may fail in a run, so that the others are not kept waiting. */
const failuresPerTenant = 3;
const neededMs = 15_000;
/** Putting a row off is two writes. */
const neededToPutOffMs = 3000;
const putOffAtOnce = 20;
/** A run that has read all it looks at reads again while there is time: others may wait behind a tenant whose record system is down. */
const mostRounds = 5;

/** Every five minutes: reminders of appointments, and messages that were kept until an office opens. */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  await remindAll(eventContext(invocation, "remind"), withEhr);
});

/** Sees to everything that is due, as far as the time of the run goes, `rowsAtOnce` after `rowsAtOnce`; `open` gives a tenant's rows and the way to its record system. */
export async function remindAll(
  ctx: PlatformContext,
  open: (ctx: PlatformContext, tenantId: string) => EhrContext,
  rowsAtOnce = maxRows,
): Promise<void> {
  for (let round = 0; round < mostRounds && ctx.deadline.remainingMs() >= neededMs; round++) {
    const due = await dueByTenant(ctx, rowsAtOnce);
    const count = [...due.values()].reduce((sum, rows) => sum + rows.length, 0);
    const waiting = [...due];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await attendAll(ctx, next, open);
    };
    await Promise.all(Array.from({ length: tenantsAtOnce }, worker));
    if (count < rowsAtOnce) return;
  }
}

async function dueByTenant(ctx: PlatformContext, most: number): Promise<Map<string, OutgoingRow[]>> {
  const due = new Map<string, OutgoingRow[]>();
  let count = 0;
  // Another shard goes first each time.
  const first = Math.floor(ctx.clock().getTime() / 300_000) % outgoingShards.length;
  for (const shard of [...outgoingShards.slice(first), ...outgoingShards.slice(0, first)]) {
    const range = { to: `${ctx.clock().toISOString()}~`, limit: perPage };
    for await (const row of rowsOf<OutgoingRow>(ctx.platform, partitions.outgoing(shard), range)) {
      due.set(row.tenantId, [...(due.get(row.tenantId) ?? []), row]);
      if (++count === most) return due;
    }
  }
  return due;
}

async function attendAll(
  ctx: PlatformContext,
  [tenantId, rows]: [string, OutgoingRow[]],
  open: (ctx: PlatformContext, tenantId: string) => EhrContext,
): Promise<void> {
  let failures = 0;
  for (const [index, row] of rows.entries()) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    if (!(await attend(ctx, open(ctx, tenantId), row)) && ++failures === failuresPerTenant) return putOff(ctx, rows.slice(index + 1));
  }
}

/** Moves what was not tried out of the way of other tenants. */
async function putOff(ctx: PlatformContext, rows: OutgoingRow[]): Promise<void> {
  const dueAt = new Date(ctx.clock().getTime() + waitMs(failuresPerTenant)).toISOString();
  const worker = async (): Promise<void> => {
    for (let row = rows.shift(); row && ctx.deadline.remainingMs() >= neededToPutOffMs; row = rows.shift())
      await moveTo(ctx.platform.inTenant(row.tenantId), row, { dueAt });
  };
  await Promise.all(Array.from({ length: putOffAtOnce }, worker));
}

/** Whether it went as it should. */
const attend = async (ctx: PlatformContext, tenantCtx: EhrContext, row: OutgoingRow): Promise<boolean> => {
  const store = ctx.platform.inTenant(row.tenantId);
  try {
    await conclude(store, row, await (row.kind === "reminder" ? sendReminder(tenantCtx, row) : sendKeptMessage(tenantCtx, row)));
    return true;
  } catch (error) {
    ctx.log("warn", "remind failed", { tenantId: row.tenantId, operation: row.kind, ...errorFields(error) });
    const tries = (row.tries ?? 0) + 1;
    await moveTo(store, row, { tries, dueAt: new Date(ctx.clock().getTime() + waitMs(tries)).toISOString() });
    return false;
  }
};

/** What the audit says goes with the row in one commit: a row that is gone has its account, and one that has its account is gone. */
const conclude = async (store: PlatformStore, row: OutgoingRow, attended: Attended): Promise<void> => {
  const { audit } = attended;
  const gone = remove(outgoingKey(row));
  if ("over" in attended) return audit ? store.commit([gone], audit) : void (await store.note(gone));
  const { later, audit: _audit, ...rest } = attended;
  const change = { dueAt: later.toISOString(), ...rest };
  if (!audit) return moveTo(store, row, change);
  const next = moved(row, change);
  return store.commit([gone, put(outgoingKey(next), next)], audit);
};

type Change = { dueAt: string } & Omit<Extract<Attended, { later: Date }>, "later" | "audit">;

const moved = (row: OutgoingRow, change: Change): OutgoingRow => ({
  ...row,
  ...change,
  expiresAt: Math.max(row.expiresAt, expiryOf(new Date(change.dueAt))),
});

/** The new row stands before the old one goes, so that a crash loses neither; and it stands until its new time is past. */
const moveTo = async (store: PlatformStore, row: OutgoingRow, change: Change): Promise<void> => {
  const later = moved(row, change);
  await store.note(put(outgoingKey(later), later));
  if (later.dueAt !== row.dueAt) await store.note(remove(outgoingKey(row)));
};
