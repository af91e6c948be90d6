import type { AccessEntry } from "@vitaline/contract";
import { inBatches, awaitAllThenThrow } from "@vitaline/core";
import { type AuditRow, type CallRow, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { actionText } from "../log/describe.ts";
import type { DisplayNames } from "../log/display-names.ts";
import { type Links, patientsNamed, type Subject } from "./subject.ts";
import { isChange, whatOf } from "./what.ts";

/** With current names; the agents and starts of calls as far as the calls are still kept. Two round trips for the rows of one tenant. */
export async function accessEntries(
  ctx: PlatformContext,
  names: DisplayNames,
  subject: Subject,
  rows: readonly AuditRow[],
): Promise<AccessEntry[]> {
  const [calls] = await awaitAllThenThrow([callsOf(ctx, rows), names.load(rows)]);
  return rows.map((row) => {
    const call = row.callKey === undefined ? undefined : calls.get(callId(row));
    const isAgent = row.actorKind !== "user" && row.actorKind !== "system";
    return {
      id: row.id,
      at: row.at,
      actorKind: row.actorKind as AccessEntry["actorKind"],
      actorId: row.actorId,
      actorName: names.actorName(row) ?? null,
      agentName: (isAgent && call?.agentName) || null,
      action: row.action,
      act: actionText(row),
      what: whatOf(row),
      change: isChange(row),
      resourceType: row.resourceType,
      resourceId: row.resourceId ?? null,
      callId: row.callKey ?? null,
      callStartedAt: call ? (call.platformStartedAt ?? call.startedAt) : null,
      patientIds: subject.kind === "patient" ? [subject.patientId] : [...new Set(patientsNamed(row).map(({ id }) => id))],
      success: row.success,
      code: row.code ?? null,
      requestId: row.requestId,
      tenantId: row.tenantId ?? null,
      tenantName: names.tenantName(row) ?? null,
      ipAddress: row.clientAddress || null,
    };
  });
}

const callId = ({ tenantId, callKey }: AuditRow): string => `${tenantId}|${callKey}`;

async function callsOf({ platform }: PlatformContext, rows: readonly AuditRow[]): Promise<Map<string, CallRow>> {
  const byTenant = Map.groupBy(
    rows.filter(({ callKey, tenantId }) => callKey !== undefined && tenantId !== undefined),
    ({ tenantId = "" }) => tenantId,
  );
  const found = await awaitAllThenThrow(
    [...byTenant].map(async ([tenantId, its]) => {
      const callKeys = [...new Set(its.map(({ callKey = "" }) => callKey))];
      const calls = await inBatches(callKeys, (some) => platform.inTenant(tenantId).batchGet(some.map((callKey) => keys.call(callKey))));
      return calls.flatMap((call) => (call ? [[`${tenantId}|${call.callKey}`, call] as const] : []));
    }),
  );
  return new Map(found.flat());
}

/** In a user's report, a call's patients become known with the rest of the log. */
export const withPatients = (entries: readonly AccessEntry[], { calls }: Links): AccessEntry[] =>
  entries.map((entry) => {
    if (entry.patientIds.length > 0 || entry.callId === null) return entry;
    return { ...entry, patientIds: [...(calls.get(entry.callId)?.patients ?? [])] };
  });
