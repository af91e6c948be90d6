import { gunzipSync, gzipSync } from "node:zlib";
import { getSealedFile, putSealedFile, seal, unseal } from "@vitaline/aws";
import type { KeptEvent, KeptEventSource } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import {
  dueKey,
  keys,
  retryOnStale,
  put,
  remove,
  schedule,
  update,
  type KeptEventContentRow,
  type KeptEventRow,
  type TenantContext,
} from "@vitaline/store";

/** DynamoDB items are limited to 400 KB. */
const maxRowBytes = 300_000;
const firstRetrySeconds = 60;
/** infra/stacks/data.ts deletes the files after the same time. */
const keptSeconds = 30 * 86_400;

/** An event as received; `body` is JSON. */
export type ReceivedEvent = { from: Exclude<KeptEventSource, "project">; body: string; callKey?: string | undefined };

/**
 * Keeps an event that could not be recorded, sealed, for 30 days, so that functions/events/retry retries it; returns its id.
 * `reason` is an error code or name. Small bodies are stored in the table, because the usual cause is that the files bucket is
 * unavailable. Throws if the event cannot be kept either.
 */
export async function keepEvent(ctx: TenantContext, { from, body, callKey }: ReceivedEvent, reason: string): Promise<string> {
  const now = ctx.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const nextTryAt = new Date(now.getTime() + firstRetrySeconds * 1000).toISOString();
  const { tenantId } = ctx;
  const expiresAt = expiryOf(now);
  const content = await sealBody(ctx, id, body);
  // The retry first: an interruption then leaves nothing behind that is not retried.
  await ctx.store.writeUnaudited(schedule({ kind: "event", id, dueAt: nextTryAt, tenantId, expiresAt }));
  await ctx.store.writeUnaudited(
    put<KeptEventContentRow>(keys.keptEventContent(id), { id, at, from, reason, callKey, ...content, expiresAt }),
  );
  const row: KeptEventRow = { id, tenantId, from, reason, at, bytes: Buffer.byteLength(body), tries: 0, nextTryAt, expiresAt };
  await ctx.store.writeUnaudited(put(keys.keptEvent(id), row));
  return id;
}

async function sealBody(ctx: TenantContext, id: string, body: string): Promise<Pick<KeptEventContentRow, "sealed" | "file">> {
  const sealed = await seal("phi", ctx.tenantId, gzipSync(body).toString("base64"));
  if (Buffer.byteLength(sealed) <= maxRowBytes) return { sealed };
  return { file: await putSealedFile("phi", ctx.tenantId, `kept-events/${ctx.tenantId}/${id}`, body) };
}

const expiryOf = (now: Date): number => Math.floor(now.getTime() / 1000) + keptSeconds;

/** Undefined if the event has been recorded in the meantime. */
export async function readKeptEvent(ctx: TenantContext, id: string): Promise<ReceivedEvent | undefined> {
  const row = await ctx.store.get(keys.keptEventContent(id));
  if (!row || row.from === "project") return undefined;
  if (row.file) return { from: row.from, body: await getSealedFile("phi", ctx.tenantId, row.file) };
  if (row.sealed === undefined) throw new Error("A kept event has no body");
  return { from: row.from, body: gunzipSync(Buffer.from(await unseal("phi", ctx.tenantId, row.sealed), "base64")).toString("utf8") };
}

/** Removes a recorded event. The list entry goes last, so that a leftover stays visible. */
export async function deleteKeptEvent(ctx: TenantContext, id: string): Promise<void> {
  await ctx.store.writeUnaudited(remove(keys.keptEventContent(id)));
  await ctx.store.writeUnaudited(remove(keys.keptEvent(id)));
}

/** Counts a failed retry; without `nextTryAt` there are no more automatic ones. */
export async function recordFailedRetry(ctx: TenantContext, id: string, reason: string, nextTryAt: string | undefined): Promise<void> {
  const change = nextTryAt === undefined ? { remove: ["nextTryAt" as const] } : {};
  await ctx.store.writeUnaudited(
    update<KeptEventRow>(keys.keptEvent(id), { set: { reason, nextTryAt }, add: { tries: 1 }, ...change }, { exists: true }),
  );
}

/**
 * Schedules an immediate retry, for an administrator; audited. AppError `not_found` if the tenant has no such event or it has been
 * recorded, `not_doable` for an event of the platform's own projection, which cannot be replayed.
 */
export const replayKeptEvent = (ctx: TenantContext, id: string): Promise<KeptEvent> => retryOnStale(undefined, () => replayOnce(ctx, id));

async function replayOnce(ctx: TenantContext, id: string): Promise<KeptEvent> {
  const row = await ctx.store.get(keys.keptEvent(id));
  // These rows are not in the tenant's partition.
  if (row?.tenantId !== ctx.tenantId) throw notFound();
  if (row.from === "project") throw new AppError("not_doable", "Only events of voice platforms can be replayed.");
  const now = ctx.clock();
  const nextTryAt = now.toISOString();
  const previous = row.nextTryAt;
  const asRead = previous === undefined ? { exists: true, absent: ["nextTryAt"] } : { equals: { nextTryAt: previous } };
  await ctx.store.commit(
    [
      // A second due row would start a second series of retries.
      ...(previous === undefined || previous === nextTryAt ? [] : [remove(dueKey({ kind: "event", id, dueAt: previous }))]),
      schedule({ kind: "event", id, dueAt: nextTryAt, tenantId: ctx.tenantId, expiresAt: row.expiresAt ?? expiryOf(now) }),
      update<KeptEventRow>(keys.keptEvent(id), { set: { nextTryAt } }, asRead),
    ],
    { category: "configuration_change", action: "keptEvent.replay", resourceType: "KeptEvent", resourceId: id },
  );
  return toKeptEvent({ ...row, nextTryAt });
}

export const toKeptEvent = ({ id, tenantId, from, reason, at, bytes, tries, nextTryAt }: KeptEventRow): KeptEvent => ({
  id,
  tenantId: tenantId ?? null,
  from,
  reason,
  at,
  bytes,
  tries,
  nextTryAt: nextTryAt ?? null,
  replayable: from !== "project",
});
