import { seal } from "@vitaline/aws";
import type { ApprovedProxy, NewProxy, ProxyChange } from "@vitaline/contract";
import { AppError, dayMs, newId, notFound, awaitAllThenThrow, dayIn } from "@vitaline/core";
import {
  create,
  keys,
  nextVersion,
  type ProxiesOfPatientRow,
  type ProxyRow,
  put,
  remove,
  retryOnStale,
  type TenantContext,
  update,
  type Write,
} from "@vitaline/store";
import { toProxy } from "./read.ts";
import { patientHash } from "./record-number.ts";

const maxDays = 5 * 366;

/** An approval ends at midnight after its last day in the organization's time zone, in whichever office the call is. */
export const isOver = (validUntil: string, timeZone: string, now: Date): boolean => validUntil < dayIn(timeZone, now);

/** The first and the last day that an approval given now may end on. One read. */
async function possibleLastDays({ store, clock }: Pick<TenantContext, "store" | "clock">): Promise<{ first: string; last: string }> {
  const { timeZone = "UTC" } = (await store.get(keys.tenantConfig())) ?? {};
  const now = clock();
  return { first: dayIn(timeZone, now), last: dayIn(timeZone, new Date(now.getTime() + maxDays * dayMs)) };
}

/** More than a family needs; a call reads them all. */
const maxPerPatient = 20;
/** After the last day, the row is listed a while longer. */
const listedDays = 30;

/** AppError `invalid_request` for a day in the past or more than five years ahead. */
async function expiryOf(ctx: TenantContext, validUntil: string): Promise<number> {
  const { first, last } = await possibleLastDays(ctx);
  const message = "Must be a day from today on, at most five years ahead";
  if (validUntil < first || validUntil > last) throw new AppError("invalid_request", message, { fields: { validUntil: message } });
  return Math.floor(Date.parse(validUntil) / 1000) + listedDays * (dayMs / 1000);
}

/** AppError `invalid_request` about the last day, `not_doable` above twenty proxies of one patient. */
export const approveProxy = (ctx: TenantContext, { people, relationship, scope, validUntil }: NewProxy): Promise<ApprovedProxy> =>
  retryOnStale(undefined, async () => {
    const nowMs = ctx.clock().getTime();
    const expiresAt = await expiryOf(ctx, validUntil);
    const patient = patientHash(ctx.tenantId, people.medicalRecordNumber);
    const [sealed, before] = await awaitAllThenThrow([seal("phi", ctx.tenantId, JSON.stringify(people)), othersOf(ctx, patient)]);
    if (before.ids.length >= maxPerPatient)
      throw new AppError("not_doable", "This patient already has twenty approved callers. Revoke one approval first.");
    const id = newId(nowMs);
    const row: ProxyRow = {
      ...{ id, at: new Date(nowMs).toISOString(), approvedBy: ctx.actor.id, relationship, scope, validUntil, onHold: false },
      ...{ patientHash: patient, sealed, version: 1, expiresAt },
    };
    await ctx.store.commit([create(keys.proxy(id), row), before.with([...before.ids, id], expiresAt)], {
      ...{ category: "patient_access", action: "proxy.approve", resourceType: "Proxy", resourceId: id },
      detail: { relationship, scope, validUntil },
    });
    return toProxy(row);
  });

/** `ifMatch` is the expected version. AppError `invalid_request` about the last day, `not_found`, `stale_version`. */
export const changeProxy = (ctx: TenantContext, proxyId: string, change: ProxyChange, ifMatch?: number): Promise<ApprovedProxy> =>
  retryOnStale(ifMatch, async () => {
    const row = await ctx.store.get<ProxyRow>(keys.proxy(proxyId));
    if (!row) throw notFound();
    const { version, asRead } = nextVersion(row, ifMatch);
    const { scope = row.scope, onHold = row.onHold, validUntil = row.validUntil } = change;
    const expiresAt = validUntil === row.validUntil ? row.expiresAt : await expiryOf(ctx, validUntil);
    const before = await othersOf(ctx, row.patientHash);
    const set = { scope, onHold, validUntil, version, expiresAt };
    await ctx.store.commit([update<ProxyRow>(keys.proxy(proxyId), { set }, asRead), before.with(before.ids, expiresAt)], {
      ...{ category: "patient_access", action: "proxy.change", resourceType: "Proxy", resourceId: proxyId },
      detail: { scope, onHold, validUntil, version },
    });
    return toProxy({ ...row, ...set });
  });

/** The row is deleted; the audit keeps who approved and revoked it. AppError `not_found`. */
export const revokeProxy = (ctx: TenantContext, proxyId: string): Promise<void> =>
  retryOnStale(undefined, async () => {
    const row = await ctx.store.get<ProxyRow>(keys.proxy(proxyId));
    if (!row) throw notFound();
    const before = await othersOf(ctx, row.patientHash);
    const left = before.ids.filter((id) => id !== proxyId);
    await ctx.store.commit([remove(keys.proxy(proxyId), { equals: { version: row.version } }), before.with(left)], {
      ...{ category: "patient_access", action: "proxy.revoke", resourceType: "Proxy", resourceId: proxyId },
    });
  });

/** The ids of a patient's proxies that still exist, and the write that replaces them as read. */
async function othersOf(
  { store }: TenantContext,
  patient: string,
): Promise<{ ids: string[]; with(ids: readonly string[], expiresAt?: number): Write }> {
  const key = keys.proxiesOfPatient(patient);
  const list = await store.get<ProxiesOfPatientRow>(key);
  const known = [...(list?.ids ?? [])];
  const rows = known.length === 0 ? [] : await store.batchGet(known.map((id) => keys.proxy(id)));
  const asRead = list ? { equals: { ids: list.ids } } : { exists: false };
  return {
    ids: known.filter((_, at) => rows[at] !== undefined),
    with: (ids, expiresAt = 0) =>
      ids.length === 0
        ? remove(key, asRead)
        : put<ProxiesOfPatientRow>(key, { ids: new Set(ids), expiresAt: Math.max(expiresAt, list?.expiresAt ?? 0) }, asRead),
  };
}
