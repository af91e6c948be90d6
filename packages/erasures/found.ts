import { unseal } from "@vitaline/aws";
import { TaskAbout } from "@vitaline/contract";
import { auditCategories, keys, type AuditRow, type ErasureRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

/** What an erasure of a call or a patient is about, as rows refer to it. */
export type Found = {
  calls: ReadonlySet<string>;
  messageIds: ReadonlySet<string>;
  auditIds: ReadonlySet<string>;
  patient?: { patientId: string; fhirProviderId: string };
};

/** Calls and messages of a patient, as the audit has them: every look at a patient's record stands there with its call. */
export async function findSubject(ctx: PlatformContext, row: ErasureRow): Promise<Found> {
  const { callKey, patientId, fhirProviderId } = row;
  if (callKey) return { calls: new Set([callKey]), messageIds: new Set(), auditIds: new Set() };
  if (!patientId || !fhirProviderId) throw new Error("An erasure is of a call, a patient or a tenant");
  const [calls, messageIds, auditIds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for await (const audit of auditRows(ctx, row.tenantId)) {
    if (!isAbout(audit, patientId, fhirProviderId)) continue;
    auditIds.add(audit.id);
    if (audit.callKey) calls.add(audit.callKey);
    const messageId = audit.detail?.["messageId"];
    if (typeof messageId === "string") messageIds.add(messageId);
  }
  return { calls, messageIds, auditIds, patient: { patientId, fhirProviderId } };
}

/** Messages of a visit are sent by the clock, and their audit names no record system. */
const isAbout = ({ resourceType, resourceId, detail }: AuditRow, patientId: string, fhirProviderId: string): boolean =>
  resourceType === "Patient" && resourceId === patientId && (detail?.["fhirProviderId"] ?? fhirProviderId) === fhirProviderId;

/** A tenant's whole audit, a month after the other. */
export async function* auditRows({ platform, clock }: PlatformContext, tenantId: string): AsyncGenerator<AuditRow> {
  const created = (await platform.inTenant(tenantId).get(keys.tenantConfig()))?.createdAt ?? clock().toISOString();
  const now = clock();
  for (let month = firstOf(new Date(created)); month <= now; month = firstOf(month, 1))
    for (const category of auditCategories)
      for await (const rows of platform.stored(tenantPartitions.audit(tenantId, month.toISOString().slice(0, 7), category)))
        yield* rows as unknown as AuditRow[];
}

const firstOf = (at: Date, monthsLater = 0): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1));

/** Whether a lead, task, message or delivery is about it. A task tells of its patient only when it is unsealed. */
export async function refersTo({ calls, messageIds, auditIds, patient }: Found, tenantId: string, row: StoredRow): Promise<boolean> {
  const { callKey, id, source, sealed } = row as {
    callKey?: string;
    id?: string;
    source?: { callKey?: string; id?: string };
    sealed?: string;
  };
  if (callKey !== undefined && calls.has(callKey)) return true;
  if (id !== undefined && messageIds.has(id)) return true;
  if ((source?.callKey !== undefined && calls.has(source.callKey)) || (source?.id !== undefined && auditIds.has(source.id))) return true;
  if (!patient || sealed === undefined || row.pk !== tenantPartitions.tasks(tenantId)) return false;
  const about = z.parse(TaskAbout, JSON.parse(await unseal("phi", tenantId, sealed)));
  return about.patientId === patient.patientId && (about.fhirProviderId ?? patient.fhirProviderId) === patient.fhirProviderId;
}
