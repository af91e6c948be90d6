import { unseal } from "@vitaline/aws";
import { TaskAbout } from "@vitaline/contract";
import { auditCategories, keys, type AuditCategory, type AuditRow, type ErasureRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

/** What an erasure is about, as rows refer to it. */
export type Found = {
  calls: ReadonlySet<string>;
  messageIds: ReadonlySet<string>;
  appointmentIds: ReadonlySet<string>;
  /** Absent: everything of these calls is meant. */
  patient?: Patient;
};
type Patient = { patientId: string; fhirProviderId: string };

/** What a call or a patient is known by: of a patient the audit has every call in which the record was opened. */
export async function findSubject(ctx: PlatformContext, row: ErasureRow): Promise<Found> {
  const { callKey, patientId, fhirProviderId } = row;
  const [calls, messageIds, appointmentIds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  if (callKey) return { calls: new Set([callKey]), messageIds, appointmentIds };
  if (!patientId || !fhirProviderId) throw new Error("An erasure is of a call, a patient or a tenant");
  const patient = { patientId, fhirProviderId };
  for await (const audit of auditRows(ctx, row.tenantId)) {
    if (!isOfPatient(audit, patient)) continue;
    const { messageId, appointmentId } = audit.detail ?? {};
    if (typeof messageId === "string") messageIds.add(messageId);
    // Without the record system it may be another patient who is called by the same id there
    if (audit.detail?.["fhirProviderId"] === undefined) continue;
    if (audit.callKey) calls.add(audit.callKey);
    if (typeof appointmentId === "string") appointmentIds.add(appointmentId);
  }
  return { calls, messageIds, appointmentIds, patient };
}

/** The calls that an erasure has taken: a late event may have brought something of them since. */
export async function findErased({ platform }: PlatformContext, { id, tenantId }: ErasureRow): Promise<Found> {
  const calls = new Set<string>();
  for await (const rows of platform.stored(tenantPartitions.erasedCalls(tenantId), "gsi1"))
    for (const row of rows) if (row["erasureId"] === id) calls.add(String(row["callKey"]));
  return { calls, messageIds: new Set(), appointmentIds: new Set() };
}

const isOfPatient = ({ resourceType, resourceId, detail }: AuditRow, { patientId, fhirProviderId }: Patient): boolean =>
  resourceType === "Patient" && resourceId === patientId && (detail?.["fhirProviderId"] ?? fhirProviderId) === fhirProviderId;

/** A tenant's whole audit, a month after the other. */
async function* auditRows(ctx: PlatformContext, tenantId: string): AsyncGenerator<AuditRow> {
  for await (const { rows } of auditPages(ctx, tenantId)) yield* rows as unknown as AuditRow[];
}

export async function* auditPages(
  { platform, clock }: PlatformContext,
  tenantId: string,
): AsyncGenerator<{ month: string; category: AuditCategory; rows: StoredRow[] }> {
  const created = (await platform.inTenant(tenantId).get(keys.tenantConfig()))?.createdAt ?? clock().toISOString();
  const now = clock();
  for (let first = firstOf(new Date(created)); first <= now; first = firstOf(first, 1))
    for (const category of auditCategories) {
      const month = first.toISOString().slice(0, 7);
      for await (const rows of platform.stored(tenantPartitions.audit(tenantId, month, category))) yield { month, category, rows };
    }
}

const firstOf = (at: Date, monthsLater = 0): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1));

type Source = { kind: "call"; callKey: string } | { kind: "audit"; month: string; category: AuditCategory; id: string };

/** Whether a lead, task, message or delivery is about it. What a shared call has left of another patient is not. */
export async function refersTo(ctx: PlatformContext, found: Found, tenantId: string, row: StoredRow): Promise<boolean> {
  const { calls, messageIds, patient } = found;
  const { callKey, id, source, sealed } = row as { callKey?: string; id?: string; source?: Source; sealed?: string };
  const isOfCall = callKey !== undefined && calls.has(callKey);
  if (row.pk === tenantPartitions.messages(tenantId)) return (id !== undefined && messageIds.has(id)) || (isOfCall && !patient);
  if (row.pk === tenantPartitions.tasks(tenantId) && patient) return isTaskOf(patient, isOfCall, tenantId, sealed ?? "");
  if (source?.kind === "call") return calls.has(source.callKey);
  if (source?.kind === "audit") return isEventOf(ctx, found, tenantId, source);
  return isOfCall;
}

const isTaskOf = async ({ patientId, fhirProviderId }: Patient, isOfCall: boolean, tenantId: string, sealed: string): Promise<boolean> => {
  const about = z.parse(TaskAbout, JSON.parse(await unseal("phi", tenantId, sealed)));
  if (about.patientId === undefined) return isOfCall;
  return about.patientId === patientId && (about.fhirProviderId ?? fhirProviderId) === fhirProviderId;
};

const isEventOf = async (
  { platform }: PlatformContext,
  { calls, patient }: Found,
  tenantId: string,
  { month, category, id }: Extract<Source, { kind: "audit" }>,
): Promise<boolean> => {
  const audit = await platform.inTenant(tenantId).get<AuditRow>(keys.audit(month, category, id));
  if (!audit) return false;
  if (patient && audit.resourceType === "Patient") return isOfPatient(audit, patient);
  return audit.callKey !== undefined && calls.has(audit.callKey);
};
