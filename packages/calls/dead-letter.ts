import { gunzipSync, gzipSync } from "node:zlib";
import { getSealedFile, putSealedFile, seal, unseal } from "@vitaline/aws";
import type { KeptEvent, KeptEventSource } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import {
  keys,
  onFreshRead,
  put,
  remove,
  update,
  type DueRow,
  type InboxRow,
  type KeptEventRow,
  type TenantContext,
  type Write,
} from "@vitaline/store";

/** An item of the table ends at 400 KB. */
const rowBytes = 300_000;
const firstTrySeconds = 60;
/** So long an event that cannot be recorded is kept, with its reminder and its place in the list; infra/stacks/data.ts deletes its file after as long. */
const keptSeconds = 30 * 86_400;

/** An event as it came, and from whom; `body` is JSON. */
export type Told = { from: Exclude<KeptEventSource, "project">; body: string; callKey?: string | undefined };

/**
 * Keeps an event that could not be recorded, sealed, so that the minute probe tries it again. `reason` is a code or the kind of an
 * error. It lies in the table where it fits: what could not be recorded is mostly what the files bucket would not take. Throws when
 * it cannot be kept either. Reminder, event, list, in this order: wherever it ends, nothing is left that nobody comes back to. After
 * thirty days all of it is gone, recorded or not.
 */
export async function keepEvent(ctx: TenantContext, { from, body, callKey }: Told, reason: string): Promise<string> {
  const now = ctx.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const nextTryAt = new Date(now.getTime() + firstTrySeconds * 1000).toISOString();
  const { tenantId } = ctx;
  const expiresAt = endOf(now);
  const content = await sealedBody(ctx, id, body);
  await ctx.store.note(dueEvent(id, nextTryAt, { tenantId, expiresAt }));
  await ctx.store.note(put<InboxRow>(keys.inbox(id), { id, at, from, reason, callKey, ...content, expiresAt }));
  const row: KeptEventRow = { id, tenantId, from, reason, at, bytes: Buffer.byteLength(body), tries: 0, nextTryAt, expiresAt };
  await ctx.store.note(put(keys.keptEvent(id), row));
  return id;
}

async function sealedBody(ctx: TenantContext, id: string, body: string): Promise<Pick<InboxRow, "sealed" | "file">> {
  const sealed = await seal("phi", ctx.tenantId, gzipSync(body).toString("base64"));
  if (Buffer.byteLength(sealed) <= rowBytes) return { sealed };
  return { file: await putSealedFile("phi", ctx.tenantId, `kept-events/${ctx.tenantId}/${id}`, body) };
}

const dueKey = (id: string, dueAt: string) => keys.due(String(Number.parseInt(id.slice(-1), 36) % 4), dueAt, "event", id);
const dueEvent = (id: string, dueAt: string, of: Pick<DueRow, "tenantId" | "expiresAt">): Write =>
  put<DueRow>(dueKey(id, dueAt), { kind: "event", id, dueAt, ...of });
const endOf = (now: Date): number => Math.floor(now.getTime() / 1000) + keptSeconds;

/** A kept event as it came; undefined when it was recorded meanwhile. */
export async function readKeptEvent(ctx: TenantContext, id: string): Promise<Told | undefined> {
  const row = await ctx.store.get(keys.inbox(id));
  if (!row || row.from === "project") return undefined;
  if (row.file) return { from: row.from, body: await getSealedFile("phi", ctx.tenantId, row.file) };
  if (row.sealed === undefined) throw new Error("A kept event has nothing in it");
  return { from: row.from, body: gunzipSync(Buffer.from(await unseal("phi", ctx.tenantId, row.sealed), "base64")).toString("utf8") };
}

/** It is recorded now: nobody has to come back to it. The list goes last, so that what is left over is seen. */
export async function forgetKeptEvent(ctx: TenantContext, id: string): Promise<void> {
  await ctx.store.note(remove(keys.inbox(id)));
  await ctx.store.note(remove(keys.keptEvent(id)));
}

/** Another try came to nothing; `nextTryAt` absent: it was the last one unasked. */
export async function noteFailedTry(ctx: TenantContext, id: string, reason: string, nextTryAt: string | undefined): Promise<void> {
  const change = nextTryAt === undefined ? { remove: ["nextTryAt" as const] } : {};
  await ctx.store.note(
    update<KeptEventRow>(keys.keptEvent(id), { set: { reason, nextTryAt }, add: { tries: 1 }, ...change }, { exists: true }),
  );
}

/**
 * Makes a kept event due now, and no longer when it would have been, for an administrator; audited. AppError `not_found` when there is
 * none of the tenant, or it was recorded meanwhile; `not_doable` for one of the platform's own, which no replay would count.
 */
export const replayKeptEvent = (ctx: TenantContext, id: string): Promise<KeptEvent> => onFreshRead(undefined, () => replayOnce(ctx, id));

async function replayOnce(ctx: TenantContext, id: string): Promise<KeptEvent> {
  const row = await ctx.store.get(keys.keptEvent(id));
  // The list is of all tenants.
  if (row?.tenantId !== ctx.tenantId) throw notFound();
  if (row.from === "project") throw new AppError("not_doable", "Only events of voice platforms can be replayed.");
  const now = ctx.clock();
  const nextTryAt = now.toISOString();
  const was = row.nextTryAt;
  const asRead = was === undefined ? { exists: true, absent: ["nextTryAt"] } : { equals: { nextTryAt: was } };
  await ctx.store.commit(
    [
      // A second reminder would begin a second row of tries
      ...(was === undefined || was === nextTryAt ? [] : [remove(dueKey(id, was))]),
      dueEvent(id, nextTryAt, { tenantId: ctx.tenantId, expiresAt: row.expiresAt ?? endOf(now) }),
      update<KeptEventRow>(keys.keptEvent(id), { set: { nextTryAt } }, asRead),
    ],
    { category: "configuration_change", action: "keptEvent.replay", resourceType: "KeptEvent", resourceId: id },
  );
  return asKeptEvent({ ...row, nextTryAt });
}

/** What is shown of it. */
export const asKeptEvent = ({ id, tenantId, from, reason, at, bytes, tries, nextTryAt }: KeptEventRow): KeptEvent => ({
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
