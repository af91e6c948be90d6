import { invokeAsync } from "@vitaline/aws";
import { dueErasure } from "@vitaline/calls";
import { erasureWaitDays, type Erasure, type NewErasure } from "@vitaline/contract";
import { AppError, envReader, errorFields, isAppError, newId, notFound, dayMs } from "@vitaline/core";
import { chartHash } from "@vitaline/proxies";
import { create, keys, nextVersion, remove, update, type CallRow, type ErasureRow, type TenantRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { auditOf, auditLogOf, subjectKey } from "./audit-entry.ts";
import { toErasureWithNames } from "./read.ts";

const environment = envReader(z.object({ ERASE_FUNCTION: z.string() }));
/** A call without events for this long is over. */
const longestCallMs = 6 * 3_600_000;

/**
 * Requests an erasure, which starts when another administrator approves it or its waiting period ends. AppError `not_found` for an
 * unknown tenant; `invalid_request` for an unknown call or record system, half a chart, or if the name does not match; `not_doable` for a call in
 * progress or an active tenant; `duplicate` if the same erasure is requested or running already.
 */
export async function requestErasure(ctx: PlatformContext, tenantId: string, requested: NewErasure): Promise<Erasure> {
  const tenant = await ctx.platform.inTenant(tenantId).get<TenantRow>(keys.tenantConfig());
  if (!tenant) throw notFound();
  const target = await targetOf(ctx, tenant, requested);
  const now = ctx.clock();
  const row: ErasureRow = {
    id: newId(now.getTime()),
    kind: requested.kind,
    tenantId,
    tenantName: tenant.name,
    ...target,
    reason: requested.reason,
    status: "waiting",
    requestedBy: ctx.actor.id,
    requestedAt: now.toISOString(),
    startsAt: new Date(now.getTime() + erasureWaitDays[requested.kind] * dayMs).toISOString(),
    version: 1,
  };
  const writes = [
    create(subjectKey(row), { erasureId: row.id }),
    create(keys.erasure(row.id), row),
    dueErasure(tenantId, row.id, row.startsAt),
  ];
  try {
    await auditLogOf(ctx, row).commit(writes, auditOf(row, "request"));
  } catch (error) {
    throw isAppError(error, "duplicate") ? new AppError("duplicate", "This is already being erased.", { cause: error }) : error;
  }
  return toErasureWithNames(ctx, row);
}

type Target = Pick<ErasureRow, "callKey" | "patientId" | "fhirProviderId" | "chartHash">;

const targetOf = async (ctx: PlatformContext, tenant: TenantRow, requested: NewErasure): Promise<Target> => {
  switch (requested.kind) {
    case "call": {
      const call = await ctx.platform.inTenant(tenant.id).get<CallRow>(keys.call(requested.callId));
      if (!call || call.erasedAt) throw invalidField("callId", "This organization has no call with this id");
      const isInProgress = call.endSeenAt === undefined && ctx.clock().getTime() - Date.parse(call.startedAt) < longestCallMs;
      if (isInProgress) throw new AppError("not_doable", "This call is still in progress. Please try again after it ends.");
      return { callKey: requested.callId };
    }
    case "patient": {
      const { fhirProviderId, patientId, medicalRecordNumber, birthDate } = requested;
      const provider = await ctx.platform.get(keys.fhirProvider(fhirProviderId));
      if (!provider || (provider.ownerTenantId ?? tenant.id) !== tenant.id)
        throw invalidField("fhirProviderId", "There is no such record system");
      if (medicalRecordNumber === undefined && birthDate === undefined) return { fhirProviderId, patientId };
      if (medicalRecordNumber === undefined) throw invalidField("medicalRecordNumber", "Is needed beside the date of birth");
      if (birthDate === undefined) throw invalidField("birthDate", "Is needed beside the medical record number");
      return { fhirProviderId, patientId, chartHash: chartHash(tenant.id, medicalRecordNumber, birthDate) };
    }
    case "tenant":
      if (requested.confirmName !== tenant.name) throw invalidField("confirmName", "Must be the organization's name as it is shown");
      if (tenant.isActive)
        throw new AppError("not_doable", "This organization is still active. Deactivate it first, then request its erasure.");
      return {};
  }
};

const invalidField = (field: string, message: string): AppError =>
  new AppError("invalid_request", message, { fields: { [field]: message } });

/** Starts an erasure at once. AppError `not_doable` for the administrator who requested it, `stale_version` once it has started. */
export const approveErasure = (ctx: PlatformContext, id: string): Promise<Erasure> =>
  updateWaiting(ctx, id, async (row) => {
    if (row.requestedBy === ctx.actor.id)
      throw new AppError("not_doable", "You requested this erasure. Another administrator has to approve it, or it starts automatically.");
    const at = ctx.clock().toISOString();
    const set = { approvedBy: ctx.actor.id, approvedAt: at, startsAt: at };
    const approved = await save(ctx, row, set, "approve", [dueErasure(row.tenantId, id, at)]);
    await start(ctx, row);
    return approved;
  });

/** AppError `stale_version` once it has started. */
export const cancelErasure = (ctx: PlatformContext, id: string): Promise<Erasure> =>
  updateWaiting(ctx, id, (row) =>
    save(ctx, row, { status: "cancelled", finishedAt: ctx.clock().toISOString() }, "cancel", [remove(subjectKey(row))]),
  );

async function updateWaiting(ctx: PlatformContext, id: string, act: (row: ErasureRow) => Promise<ErasureRow>): Promise<Erasure> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row) throw notFound();
  if (row.status === "cancelled") throw new AppError("stale_version", "This erasure was canceled.");
  if (row.status !== "waiting" || row.approvedBy) throw new AppError("stale_version", "This erasure has already begun.");
  return toErasureWithNames(ctx, await act(row));
}

async function save(ctx: PlatformContext, row: ErasureRow, set: Partial<ErasureRow>, verb: string, writes: Write[]): Promise<ErasureRow> {
  const { version, asRead } = nextVersion(row, undefined);
  const after: ErasureRow = { ...row, ...set, version };
  await auditLogOf(ctx, row).commit(
    [update<ErasureRow>(keys.erasure(row.id), { set: { ...set, version } }, asRead), ...writes],
    auditOf(after, verb),
  );
  return after;
}

/** If the function cannot be started now, functions/events/retry starts it within a minute. */
async function start(ctx: PlatformContext, { id }: ErasureRow): Promise<void> {
  try {
    await invokeAsync(environment().ERASE_FUNCTION, { erasureId: id });
  } catch (error) {
    ctx.log(isAppError(error, "unavailable") ? "warn" : "error", "erasure.not_started", errorFields(error));
  }
}

/** For functions/events/retry: starts a due erasure. Returns whether it needs no further attempt. */
export async function resumeErasure(ctx: PlatformContext, id: string): Promise<boolean> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row || row.status === "cancelled") return true;
  // Another due row exists for its start.
  const now = ctx.clock().toISOString();
  if (row.status === "waiting" && row.startsAt > now) return true;
  // The last run has left a due row of its own.
  if (((await ctx.platform.get(keys.erasureRun(id)))?.continuesAt ?? "") > now) return true;
  await invokeAsync(environment().ERASE_FUNCTION, { erasureId: id });
  return row.status === "done";
}
