import type { AccessReport, NewPlatformAccessReport } from "@vitaline/contract";
import { type Context, newId } from "@vitaline/core";
import { type AccessReportRow, create } from "@vitaline/store";
import { countAsked } from "../log/asking-limit.ts";
import { anyPeriod } from "../log/period.ts";
import { startAccessJob } from "./job.ts";
import { accessAudit, type AccessScope } from "./scope.ts";
import { toAccessReport } from "./view.ts";

const keptDays = 7;

/** Requests a report, which functions/events/export writes; audited. AppError `invalid_request` for an invalid period; `too_many_requests`. */
export async function startAccessReport(
  ctx: Context,
  scope: AccessScope,
  asked: Omit<NewPlatformAccessReport, "tenantId"> & { tenantId?: string | null | undefined },
): Promise<AccessReport> {
  const now = ctx.clock();
  const row: AccessReportRow = {
    id: newId(now.getTime()),
    status: "queued",
    about: subjectOf(asked as NewPlatformAccessReport),
    ...anyPeriod(asked, now),
    tenantId: scope.tenantId ?? asked.tenantId ?? undefined,
    requestedBy: ctx.actor.id,
    requestedAt: now.toISOString(),
    tries: 1,
    seq: 0,
    heartbeatAt: now.toISOString(),
    progress: { step: "find", source: 0, after: "", done: 0, pages: [], rows: 0, examined: 0 },
    expiresAt: Math.floor(now.getTime() / 1000) + keptDays * 86_400,
  };
  const { start, end, timeZone } = row;
  await countAsked(ctx, scope.asked);
  await scope.storeFor(row).commit([create(scope.keyOf(row.id), row)], accessAudit(row, "request", { start, end, timeZone }));
  await startAccessJob(ctx, scope, row);
  return toAccessReport(row);
}

const subjectOf = (asked: NewPlatformAccessReport): AccessReportRow["about"] => {
  if (asked.kind === "user") return { kind: "user", userId: asked.userId };
  const { patientId, fhirProviderId } = asked;
  return { kind: "patient", patientId, ...(fhirProviderId === undefined ? {} : { fhirProviderId }) };
};
