import { startFunction } from "@vitaline/aws";
import { dueErasure } from "@vitaline/calls";
import { erasureWaitDays, type Erasure, type NewErasure } from "@vitaline/contract";
import { AppError, envReader, errorFields, isAppError, newId, notFound } from "@vitaline/core";
import { create, keys, nextVersion, remove, update, type CallRow, type ErasureRow, type TenantRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { auditOf, logOf, subjectKey } from "./audit-entry.ts";
import { named } from "./read.ts";

const environment = envReader(z.object({ ERASE_FUNCTION: z.string() }));
const dayMs = 86_400_000;
/** No call lasts as long: one that nothing was heard of for this time is over. */
const longestCallMs = 6 * 3_600_000;

/**
 * Asks for an erasure. It begins when another administrator approves it, or when its waiting time is over. AppError `not_found` for an
 * unknown tenant, `invalid_request` for an unknown call or record system or another name than the tenant's, `not_doable` for a call that
 * is going on or a tenant that is still active, `duplicate` where the same is being erased already.
 */
export async function requestErasure(ctx: PlatformContext, tenantId: string, asked: NewErasure): Promise<Erasure> {
  const tenant = await ctx.platform.inTenant(tenantId).get<TenantRow>(keys.tenantConfig());
  if (!tenant) throw notFound();
  const target = await targetOf(ctx, tenant, asked);
  const now = ctx.clock();
  const row: ErasureRow = {
    id: newId(now.getTime()),
    kind: asked.kind,
    tenantId,
    tenantName: tenant.name,
    ...target,
    reason: asked.reason,
    status: "waiting",
    requestedBy: ctx.actor.id,
    requestedAt: now.toISOString(),
    startsAt: new Date(now.getTime() + erasureWaitDays[asked.kind] * dayMs).toISOString(),
    version: 1,
  };
  const writes = [
    create(subjectKey(row), { erasureId: row.id }),
    create(keys.erasure(row.id), row),
    dueErasure(tenantId, row.id, row.startsAt),
  ];
  try {
    await logOf(ctx, row).commit(writes, auditOf(row, "request"));
  } catch (error) {
    throw isAppError(error, "duplicate") ? new AppError("duplicate", "This is being erased already.", { cause: error }) : error;
  }
  return named(ctx, row);
}

type Target = Pick<ErasureRow, "callKey" | "patientId" | "fhirProviderId">;

const targetOf = async (ctx: PlatformContext, tenant: TenantRow, asked: NewErasure): Promise<Target> => {
  switch (asked.kind) {
    case "call": {
      const call = await ctx.platform.inTenant(tenant.id).get<CallRow>(keys.call(asked.callId));
      if (!call || call.erasedAt) throw wrong("callId", "This organization has no call with this id");
      const isGoingOn = call.countedAt === undefined && ctx.clock().getTime() - Date.parse(call.startedAt) < longestCallMs;
      if (isGoingOn) throw new AppError("not_doable", "This call is still going on. Please try again when it is over.");
      return { callKey: asked.callId };
    }
    case "patient": {
      const { fhirProviderId, patientId } = asked;
      const provider = await ctx.platform.get(keys.fhirProvider(fhirProviderId));
      if (!provider || (provider.ownerTenantId ?? tenant.id) !== tenant.id) throw wrong("fhirProviderId", "There is no such record system");
      return { fhirProviderId, patientId };
    }
    case "tenant":
      if (asked.confirmName !== tenant.name) throw wrong("confirmName", "Must be the organization's name as it is shown");
      if (tenant.isActive)
        throw new AppError("not_doable", "This organization is still active. Deactivate it first, then ask for its erasure.");
      return {};
  }
};

const wrong = (field: string, message: string): AppError => new AppError("invalid_request", message, { fields: { [field]: message } });

/** Lets an erasure begin at once. AppError `not_doable` for the administrator who asked for it, `stale_version` once it has begun. */
export const approveErasure = (ctx: PlatformContext, id: string): Promise<Erasure> =>
  change(ctx, id, async (row) => {
    if (row.requestedBy === ctx.actor.id)
      throw new AppError("not_doable", "You asked for this erasure. Another administrator has to approve it, or it starts by itself.");
    const at = ctx.clock().toISOString();
    const set = { approvedBy: ctx.actor.id, approvedAt: at, startsAt: at };
    const approved = await save(ctx, row, set, "approve", [dueErasure(row.tenantId, id, at)]);
    await start(ctx, row);
    return approved;
  });

/** AppError `stale_version` once it has begun. */
export const cancelErasure = (ctx: PlatformContext, id: string): Promise<Erasure> =>
  change(ctx, id, (row) =>
    save(ctx, row, { status: "cancelled", finishedAt: ctx.clock().toISOString() }, "cancel", [remove(subjectKey(row))]),
  );

async function change(ctx: PlatformContext, id: string, act: (row: ErasureRow) => Promise<ErasureRow>): Promise<Erasure> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row) throw notFound();
  if (row.status === "cancelled") throw new AppError("stale_version", "This erasure was cancelled.");
  if (row.status !== "waiting" || row.approvedBy) throw new AppError("stale_version", "This erasure has begun already.");
  return named(ctx, await act(row));
}

async function save(ctx: PlatformContext, row: ErasureRow, set: Partial<ErasureRow>, verb: string, writes: Write[]): Promise<ErasureRow> {
  const { version, asRead } = nextVersion(row, undefined);
  const after: ErasureRow = { ...row, ...set, version };
  await logOf(ctx, row).commit(
    [update<ErasureRow>(keys.erasure(row.id), { set: { ...set, version } }, asRead), ...writes],
    auditOf(after, verb),
  );
  return after;
}

/** Where it cannot be started now, functions/events/probe starts it within a minute. */
async function start(ctx: PlatformContext, { id }: ErasureRow): Promise<void> {
  try {
    await startFunction(environment().ERASE_FUNCTION, { erasureId: id });
  } catch (error) {
    ctx.log(isAppError(error, "unavailable") ? "warn" : "error", "erasure.not_started", errorFields(error));
  }
}

/** For functions/events/probe: starts what an erasure is waiting for; whether nothing is left that it would have to come back to. */
export async function pursueErasure(ctx: PlatformContext, id: string): Promise<boolean> {
  const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
  if (!row || row.status === "cancelled") return true;
  // It is due again when it begins
  if (row.status === "waiting" && row.startsAt > ctx.clock().toISOString()) return true;
  await startFunction(environment().ERASE_FUNCTION, { erasureId: id });
  return row.status === "done";
}
