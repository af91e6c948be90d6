import { Id } from "@vitaline/contract";
import { errorFields, inBatches } from "@vitaline/core";
import { outgoingExpiry, backoffMs, type ProcessedRow } from "@vitaline/messages";
import { outgoingKey, put, remove, rowsOf, shardsFrom, type OutgoingRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import { sendDeferredMessage, sendReminder } from "@vitaline/tools";
import * as z from "zod/mini";
import { withEhr, withOutboundLoopbackRule, type EhrContext } from "../../lib/context/ehr-context.ts";
import { logBacklog } from "../../lib/context/backlog.ts";
import { eventContext, type Invocation } from "../../lib/context/platform-context.ts";
import { shareOut, startShare, type StartShare } from "../../lib/context/share-out.ts";

const perPage = 100;
const maxRows = 1000;
/** Tenants processed in parallel; the rows of one tenant run one after the other. */
const parallelTenants = 4;
/** After this many failures the rest of a tenant's rows is postponed, so a broken EHR does not delay other tenants. */
const maxFailures = 3;
const reserveMs = 15_000;
const reserveToPostponeMs = 3000;
const parallelWrites = 20;
/** A run with a full read reads again while there is time, because rows may wait behind those of a tenant with a broken EHR. */
const maxRounds = 5;
/** What one invocation sends in its time when record systems answer in half a second. */
const shareSize = { perShare: 300, maxShares: 19 };
/** Due rows that a scheduled run hands out. */
const maxShared = 12_000;
/** The next run hands out again what is still due. */
const shareLastsMs = 4 * 60_000;

type Open = (ctx: PlatformContext, tenantId: string) => EhrContext;

const Share = z.object({
  startedAt: z.iso.datetime(),
  rows: z.array(z.object({ tenantId: Id, kind: z.enum(["message", "reminder"]), id: z.string(), dueAt: z.iso.datetime() })),
});
type Share = z.infer<typeof Share>;
/** The schedule names no rows. */
const Event = z.union([Share, z.object({ rows: z.optional(z.undefined()) })]);

/**
 * Every five minutes: sends appointment reminders, and messages deferred until an office opens. When more are due than one invocation can
 * send, it starts others, each with a share of the rows.
 */
export const handler = withOutboundLoopbackRule(async (event: unknown, invocation: Invocation): Promise<void> => {
  const ctx = eventContext(invocation, "remind");
  const share = z.parse(Event, event);
  if (share.rows !== undefined) await remindShare(ctx, withEhr, share);
  else if (!(await shareReminders(ctx, startShare))) await remindAll(ctx, withEhr);
});

/** Returns whether the due rows were handed out. */
export async function shareReminders(ctx: PlatformContext, start: StartShare, size = shareSize): Promise<boolean> {
  const due = await dueByTenant(ctx, maxShared);
  const rows = [...due.values()].flat().map(({ tenantId, kind, id, dueAt }) => ({ tenantId, kind, id, dueAt }));
  const startedAt = ctx.clock().toISOString();
  if ((await shareOut(ctx, rows, size, (some) => start({ startedAt, rows: some } satisfies Share))).length === rows.length) return false;
  logBacklog(
    ctx,
    "remind",
    rows.map(({ dueAt }) => dueAt),
  );
  return true;
}

/** Processes the rows of a share that are still due. */
export async function remindShare(ctx: PlatformContext, open: Open, { startedAt, rows }: Share): Promise<void> {
  if (ctx.clock().getTime() - Date.parse(startedAt) > shareLastsMs) return;
  const due = await Promise.all(
    [...Map.groupBy(rows, ({ tenantId }) => tenantId)].map(async ([tenantId, own]): Promise<[string, OutgoingRow[]]> => {
      const found = await inBatches(own, (some) => ctx.platform.inTenant(tenantId).batchGet(some.map(outgoingKey)));
      return [tenantId, found.filter((row) => row !== undefined)];
    }),
  );
  await processTenants(ctx, due, open);
}

/** Processes all due rows, `rowsPerRound` at a time, until the deadline is near. `open` creates a tenant's context. */
export async function remindAll(ctx: PlatformContext, open: Open, rowsPerRound = maxRows): Promise<void> {
  for (let round = 0; round < maxRounds && ctx.deadline.remainingMs() >= reserveMs; round++) {
    const due = await dueByTenant(ctx, rowsPerRound);
    if (round === 0)
      logBacklog(
        ctx,
        "remind",
        [...due.values()].flatMap((rows) => rows.map(({ dueAt }) => dueAt)),
      );
    const count = [...due.values()].reduce((sum, rows) => sum + rows.length, 0);
    await processTenants(ctx, [...due], open);
    if (count < rowsPerRound) return;
  }
}

async function processTenants(ctx: PlatformContext, queue: [string, OutgoingRow[]][], open: Open): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await processTenant(ctx, next, open);
  };
  await Promise.all(Array.from({ length: parallelTenants }, worker));
}

async function dueByTenant(ctx: PlatformContext, max: number): Promise<Map<string, OutgoingRow[]>> {
  const due = new Map<string, OutgoingRow[]>();
  let count = 0;
  for (const shard of shardsFrom(Math.floor(ctx.clock().getTime() / 300_000))) {
    const range = { to: `${ctx.clock().toISOString()}~`, limit: perPage };
    for await (const row of rowsOf<OutgoingRow>(ctx.platform, partitions.outgoing(shard), range)) {
      due.set(row.tenantId, [...(due.get(row.tenantId) ?? []), row]);
      if (++count === max) return due;
    }
  }
  return due;
}

async function processTenant(ctx: PlatformContext, [tenantId, rows]: [string, OutgoingRow[]], open: Open): Promise<void> {
  let failures = 0;
  for (const [index, row] of rows.entries()) {
    if (ctx.deadline.remainingMs() < reserveMs) return;
    if (!(await processRow(ctx, open(ctx, tenantId), row)) && ++failures === maxFailures) return postpone(ctx, rows.slice(index + 1));
  }
}

/** Moves untried rows to a later time, out of the way of other tenants. Two writes a row. */
async function postpone(ctx: PlatformContext, rows: OutgoingRow[]): Promise<void> {
  const dueAt = new Date(ctx.clock().getTime() + backoffMs(maxFailures)).toISOString();
  const worker = async (): Promise<void> => {
    for (let row = rows.shift(); row && ctx.deadline.remainingMs() >= reserveToPostponeMs; row = rows.shift())
      await moveTo(ctx.platform.inTenant(row.tenantId), row, { dueAt });
  };
  await Promise.all(Array.from({ length: parallelWrites }, worker));
}

/** Returns whether it succeeded; a failed row gets another time. */
const processRow = async (ctx: PlatformContext, tenantCtx: EhrContext, row: OutgoingRow): Promise<boolean> => {
  const store = ctx.platform.inTenant(row.tenantId);
  try {
    await conclude(store, row, await (row.kind === "reminder" ? sendReminder(tenantCtx, row) : sendDeferredMessage(tenantCtx, row)));
    return true;
  } catch (error) {
    ctx.log("warn", "remind.failed", { tenantId: row.tenantId, operation: row.kind, ...errorFields(error) });
    const tries = (row.tries ?? 0) + 1;
    await moveTo(store, row, { tries, dueAt: new Date(ctx.clock().getTime() + backoffMs(tries)).toISOString() });
    return false;
  }
};

/** Writes the audit row and removes the outgoing row in one commit. */
const conclude = async (store: PlatformStore, row: OutgoingRow, attended: ProcessedRow): Promise<void> => {
  const { audit } = attended;
  const removal = remove(outgoingKey(row));
  if ("over" in attended) return audit ? store.commit([removal], audit) : void (await store.writeUnaudited(removal));
  const { later, audit: _audit, ...rest } = attended;
  const change = { dueAt: later.toISOString(), ...rest };
  if (!audit) return moveTo(store, row, change);
  const next = moved(row, change);
  return store.commit([removal, put(outgoingKey(next), next)], audit);
};

type Change = { dueAt: string } & Omit<Extract<ProcessedRow, { later: Date }>, "later" | "audit">;

const moved = (row: OutgoingRow, change: Change): OutgoingRow => ({
  ...row,
  ...change,
  expiresAt: Math.max(row.expiresAt, outgoingExpiry(new Date(change.dueAt))),
});

/** Writes the new row first, so a crash loses neither. */
const moveTo = async (store: PlatformStore, row: OutgoingRow, change: Change): Promise<void> => {
  const later = moved(row, change);
  await store.writeUnaudited(put(outgoingKey(later), later));
  if (later.dueAt !== row.dueAt) await store.writeUnaudited(remove(outgoingKey(row)));
};
