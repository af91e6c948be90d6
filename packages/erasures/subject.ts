import { unseal } from "@vitaline/aws";
import { TaskAbout } from "@vitaline/contract";
import { chartHashesOf } from "@vitaline/proxies";
import {
  auditCategories,
  keys,
  type AuditCategory,
  type AuditRow,
  type ErasureRow,
  type ErasureRunRow,
  type DeliverySource,
  type TaskRow,
  update,
} from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

export type References = {
  calls: ReadonlySet<string>;
  messageIds: ReadonlySet<string>;
  appointmentIds: ReadonlySet<string>;
  /** Proxies who spoke for the patient. */
  proxyIds: ReadonlySet<string>;
  /** The patient's charts, as approvals name them; see `chartHash`. */
  charts: ReadonlySet<string>;
  /** Undefined for the erasure of a call, which includes all patients. */
  patient?: Patient;
};
type Patient = { patientId: string; fhirProviderId: string };

/** DynamoDB items are limited to 400 KB. */
const maxSavedLength = 300_000;

/** For a patient, the audit lists every call in which the record was opened. */
export async function findReferences(ctx: PlatformContext, row: ErasureRow): Promise<References> {
  const { callKey, patientId, fhirProviderId } = row;
  const searched = (await ctx.platform.get(keys.erasureRun(row.id)))?.searched;
  const [calls, messageIds, appointmentIds, proxyIds] = (["calls", "messageIds", "appointmentIds", "proxyIds"] as const).map(
    (name) => new Set(searched?.found[name]),
  ) as [Set<string>, Set<string>, Set<string>, Set<string>];
  const charts = new Set([...(row.chartHash === undefined ? [] : [row.chartHash]), ...(searched?.found.charts ?? [])]);
  if (callKey) return { calls: new Set([callKey]), messageIds, appointmentIds, proxyIds, charts };
  if (!patientId || !fhirProviderId) throw new Error("An erasure needs a call, a patient or a tenant");
  const patient = { patientId, fhirProviderId };
  const save = async (before: string): Promise<void> => {
    const found = {
      ...{ calls: [...calls], messageIds: [...messageIds], appointmentIds: [...appointmentIds] },
      ...{ proxyIds: [...proxyIds], charts: [...charts] },
    };
    if (JSON.stringify(found).length > maxSavedLength) return;
    const change = { set: { searched: { before, found } } };
    await ctx.platform.writeUnaudited(update<ErasureRunRow>(keys.erasureRun(row.id), change, { exists: true }));
  };
  for await (const audit of auditRows(ctx, row.tenantId, searched?.before, save)) {
    if (!isAboutPatient(audit, patient)) continue;
    const { messageId, appointmentId, proxyId } = audit.detail ?? {};
    if (typeof messageId === "string") messageIds.add(messageId);
    // Without the record system, another patient may have the same id.
    if (audit.detail?.["fhirProviderId"] === undefined) continue;
    if (audit.callKey) calls.add(audit.callKey);
    if (typeof proxyId === "string") proxyIds.add(proxyId);
    if (typeof audit.detail["charts"] === "string") for (const chart of audit.detail["charts"].split(" ")) charts.add(chart);
    if (typeof appointmentId === "string") appointmentIds.add(appointmentId);
  }
  for (const id of proxyIds) {
    const spoke = await ctx.platform.inTenant(row.tenantId).get(keys.proxy(id));
    if (spoke) for (const chart of await chartHashesOf(row.tenantId, spoke)) charts.add(chart);
  }
  return { calls, messageIds, appointmentIds, proxyIds, charts, patient };
}

/** Calls that this erasure has erased; a late event may have added data to them since. */
export async function findErasedCalls({ platform }: PlatformContext, { id, tenantId }: ErasureRow): Promise<References> {
  const calls = new Set<string>();
  for await (const rows of platform.stored(tenantPartitions.erasedCalls(tenantId), "gsi1"))
    for (const row of rows) if (row["erasureId"] === id) calls.add(String(row["callKey"]));
  return { calls, messageIds: new Set(), appointmentIds: new Set(), proxyIds: new Set(), charts: new Set() };
}

const isAboutPatient = ({ resourceType, resourceId, detail }: AuditRow, { patientId, fhirProviderId }: Patient): boolean =>
  resourceType === "Patient" && resourceId === patientId && (detail?.["fhirProviderId"] ?? fhirProviderId) === fhirProviderId;

/** `from`: the first month to read. `onMonth`: called when all rows before a month have been read. */
async function* auditRows(
  ctx: PlatformContext,
  tenantId: string,
  from: string | undefined,
  onMonth: (month: string) => Promise<unknown>,
): AsyncGenerator<AuditRow> {
  let current = from;
  for await (const { month, rows } of auditPages(ctx, tenantId, from)) {
    if (current !== undefined && month !== current) await onMonth(month);
    current = month;
    yield* rows as unknown as AuditRow[];
  }
}

export async function* auditPages(
  { platform, clock }: PlatformContext,
  tenantId: string,
  from?: string,
): AsyncGenerator<{ month: string; category: AuditCategory; rows: StoredRow[] }> {
  const created = (await platform.inTenant(tenantId).get(keys.tenantConfig()))?.createdAt ?? clock().toISOString();
  const now = clock();
  for (let first = firstOfMonth(new Date(from ?? created)); first <= now; first = firstOfMonth(first, 1))
    for (const category of auditCategories) {
      const month = first.toISOString().slice(0, 7);
      for await (const rows of platform.stored(tenantPartitions.audit(tenantId, month, category))) yield { month, category, rows };
    }
}

const firstOfMonth = (at: Date, monthsLater = 0): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1));

/** Whether a lead, task, proxy, message or delivery concerns the subject. Data of another patient in a shared call does not. */
export async function refersTo(ctx: PlatformContext, found: References, tenantId: string, row: StoredRow): Promise<boolean> {
  const { calls, messageIds, proxyIds, charts, patient } = found;
  const { callKey, id, source, sealed } = row as { callKey?: string; id?: string; source?: DeliverySource; sealed?: string };
  const isAboutCall = callKey !== undefined && calls.has(callKey);
  if (row.pk === tenantPartitions.messages(tenantId)) return (id !== undefined && messageIds.has(id)) || (isAboutCall && !patient);
  if (row.pk === tenantPartitions.proxies(tenantId))
    return (
      (id !== undefined && proxyIds.has(id)) ||
      (charts.size > 0 && (await chartHashesOf(tenantId, { sealed: sealed ?? "" })).some((chart) => charts.has(chart)))
    );
  if (row.pk === tenantPartitions.tasks(tenantId) && patient) return isTaskAbout(patient, isAboutCall, tenantId, sealed ?? "");
  if (source?.kind === "call") return calls.has(source.callKey);
  if (source?.kind === "task") return isTaskEventAbout(ctx, found, tenantId, source);
  if (source?.kind === "audit") return isEventAbout(ctx, found, tenantId, source);
  return isAboutCall;
}

const isTaskAbout = async (
  { patientId, fhirProviderId }: Patient,
  isAboutCall: boolean,
  tenantId: string,
  sealed: string,
): Promise<boolean> => {
  const about = z.parse(TaskAbout, JSON.parse(await unseal("phi", tenantId, sealed)));
  if (about.patientId === undefined) return isAboutCall;
  return about.patientId === patientId && (about.fhirProviderId ?? fhirProviderId) === fhirProviderId;
};

/** Deliveries are erased before tasks; of a task that is gone, its call decides. */
const isTaskEventAbout = async (
  { platform }: PlatformContext,
  { calls, patient }: References,
  tenantId: string,
  { taskId, callKey }: Extract<DeliverySource, { kind: "task" }>,
): Promise<boolean> => {
  const isAboutCall = callKey !== undefined && calls.has(callKey);
  const task = patient && (await platform.inTenant(tenantId).get<TaskRow>(keys.task(taskId)));
  return patient && task ? isTaskAbout(patient, isAboutCall, tenantId, task.sealed) : isAboutCall;
};

const isEventAbout = async (
  { platform }: PlatformContext,
  { calls, patient }: References,
  tenantId: string,
  { month, category, id }: Extract<DeliverySource, { kind: "audit" }>,
): Promise<boolean> => {
  const audit = await platform.inTenant(tenantId).get<AuditRow>(keys.audit(month, category, id));
  if (!audit) return false;
  if (patient && audit.resourceType === "Patient") return isAboutPatient(audit, patient);
  return audit.callKey !== undefined && calls.has(audit.callKey);
};
