import { unseal } from "@vitaline/aws";
import { type ApprovedProxy, type ApprovedProxyDetail, ProxyPeople } from "@vitaline/contract";
import { notFound, awaitAllThenThrow } from "@vitaline/core";
import { keys, type Page, pagesOf, type ProxyRow, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";
import { chartHashes, patientHashes } from "./record-number.ts";

const pageSize = 50;

export const toProxy = ({ id, at, approvedBy, relationship, scope, validUntil, onHold, version }: ProxyRow): ApprovedProxy => ({
  id,
  createdAt: at,
  approvedBy,
  relationship,
  scope,
  validUntil,
  onHold,
  version,
});

/** A page of the tenant's proxies, newest first, without names. One Query. */
export async function listProxies(
  { store, tenantId }: TenantContext,
  { limit = pageSize, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<ApprovedProxy>> {
  const { rows, next } = await store.query<ProxyRow>(keys.tenantPartitions.proxies(tenantId), { descending: true, limit, cursor });
  return { rows: rows.map(toProxy), next };
}

const peopleIn = async ({ tenantId }: Pick<TenantContext, "tenantId">, { sealed }: Pick<ProxyRow, "sealed">): Promise<ProxyPeople> =>
  z.parse(ProxyPeople, JSON.parse(await unseal("phi", tenantId, sealed)));

/** The patient of an approval, as `chartHashes`. */
export async function chartHashesOf(tenantId: string, row: Pick<ProxyRow, "sealed">): Promise<string[]> {
  const { medicalRecordNumber, patientBirthDate } = await peopleIn({ tenantId }, row);
  return chartHashes(tenantId, medicalRecordNumber, patientBirthDate);
}

/** One proxy with names. The audit row is written before the answer is sent. AppError `not_found`. */
export async function readProxy(ctx: TenantContext, proxyId: string): Promise<ApprovedProxyDetail> {
  const row = await ctx.store.get<ProxyRow>(keys.proxy(proxyId));
  if (!row) throw notFound();
  const people = await peopleIn(ctx, row);
  await ctx.store.commit([], { category: "patient_access", action: "proxy.read", resourceType: "Proxy", resourceId: proxyId });
  return { ...toProxy(row), people };
}

/** Whether the tenant has any. One read, more where the newest have just expired. */
export async function hasProxies({ store, tenantId }: TenantContext): Promise<boolean> {
  for await (const page of pagesOf<ProxyRow>(store, keys.tenantPartitions.proxies(tenantId), { descending: true, limit: 5 }))
    if (page.length > 0) return true;
  return false;
}

export type FoundProxy = Omit<ApprovedProxyDetail, "version" | "approvedBy">;

/** The proxies of the patient with one of these medical record numbers, with names. For a tool, which audits it. Two reads in turn. */
export async function findProxies(ctx: TenantContext, recordNumbers: readonly string[]): Promise<FoundProxy[]> {
  const patients = [...new Set(recordNumbers.flatMap((one) => patientHashes(ctx.tenantId, one)))];
  if (patients.length === 0) return [];
  const lists = await ctx.store.batchGet(patients.map((patient) => keys.proxiesOfPatient(patient)));
  const ids = lists.flatMap((list) => [...(list?.ids ?? [])]);
  const rows = ids.length === 0 ? [] : await ctx.store.batchGet(ids.map((id) => keys.proxy(id)));
  return awaitAllThenThrow(rows.flatMap((row) => (row ? [peopleIn(ctx, row).then((people) => ({ ...toProxy(row), people }))] : [])));
}
