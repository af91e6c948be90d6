import { archivedChains, archivedRows } from "@vitaline/audit";
import { type AuditRow, create, type ErasureRow, keys, put, type TenantRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { auditOf, subjectKey } from "./audit-entry.ts";
import { noCounts, runErasure } from "./run.ts";

/** An audit row of an erasure that has begun; `auditOf` writes these fields. */
const Begun = z.object({
  action: z.enum(["erasure.begin", "erasure.writeCopy", "erasure.erase", "erasure.done"]),
  at: z.string(),
  resourceType: z.enum(["Call", "Patient", "Tenant"]),
  resourceId: z.string(),
  actorId: z.string(),
  detail: z.object({
    erasureId: z.string(),
    kind: z.enum(["call", "patient", "tenant"]),
    reason: z.custom<ErasureRow["reason"]>((value) => typeof value === "string"),
    fhirProviderId: z.optional(z.string()),
    charts: z.optional(z.string()),
  }),
});

type Replayed = { erasureId: string; tenantId: string; kind: ErasureRow["kind"]; isDone: boolean };

/**
 * For a restored table that is not open yet: repeats every erasure that the archive knows to have begun and that the table does not know
 * to be done, so that erased people and tenants do not come back. Each gets a new certificate.
 * One with a call in progress is not done: it has to be repeated later.
 */
export async function replayErasures(ctx: PlatformContext): Promise<Replayed[]> {
  const begun = new Map<string, ErasureRow>();
  for (const tenantId of await archivedChains())
    for await (const rows of archivedRows(tenantId)) for (const row of rows) addBegun(begun, row, tenantId);
  const replayed: Replayed[] = [];
  for (const row of begun.values()) {
    const known = await ctx.platform.get<ErasureRow>(keys.erasure(row.id));
    if (known?.status === "done") continue;
    await startAgain(ctx, { ...row, tenantName: known?.tenantName ?? row.tenantName, version: (known?.version ?? 0) + 1 });
    // No one writes to a table that is not open, so there is nothing to wait for
    await runErasure({ ...ctx, pause: async () => {} }, row.id);
    const isDone = (await ctx.platform.get<ErasureRow>(keys.erasure(row.id)))?.status === "done";
    replayed.push({ erasureId: row.id, tenantId: row.tenantId, kind: row.kind, isDone });
  }
  return replayed;
}

const addBegun = (begun: Map<string, ErasureRow>, row: AuditRow, chain: string | undefined): void => {
  const { data } = Begun.safeParse(row);
  if (!data) return;
  const { erasureId: id, kind, reason, fhirProviderId, charts } = data.detail;
  // The platform's chain has the steps of a tenant's erasure, whose subject is the tenant
  const tenantId = chain ?? data.resourceId;
  begun.set(id, {
    id,
    kind,
    tenantId,
    tenantName: tenantId,
    ...(kind === "call" ? { callKey: data.resourceId } : {}),
    ...(kind === "patient" ? { patientId: data.resourceId, fhirProviderId, chartHash: charts } : {}),
    reason,
    status: "erasing",
    requestedBy: data.actorId,
    requestedAt: begun.get(id)?.requestedAt ?? data.at,
    startsAt: data.at,
    startedAt: data.at,
    erased: noCounts,
    version: 1,
  });
};

async function startAgain(ctx: PlatformContext, row: ErasureRow): Promise<void> {
  const store = ctx.platform.inTenant(row.tenantId);
  const tenant = await store.get<TenantRow>(keys.tenantConfig());
  const lock = await ctx.platform.get(subjectKey(row));
  const closing =
    row.kind === "tenant" && tenant ? [update<TenantRow>(keys.tenantConfig(), { set: { isActive: false, erasureId: row.id } })] : [];
  const writes = [put(keys.erasure(row.id), row), ...(lock ? [] : [create(subjectKey(row), { erasureId: row.id })]), ...closing];
  await store.commit(writes, auditOf(row, "replay"));
}
