import type { AccessReportRow, AuditRow, PatientRef } from "@vitaline/store";

export type Subject = AccessReportRow["about"];
type PatientSubject = Extract<Subject, { kind: "patient" }>;

/**
 * The ids that belong to the subject, as the log says. For a patient: the calls in which the record was opened, with the time of the first such row,
 * and what those calls left. For a user: the calls that they touched, with the patients of each.
 */
export type Links = {
  calls: Map<string, { at: string; patients: Set<string> }>;
  leads: Set<string>;
  tasks: Set<string>;
  messages: Set<string>;
  proxies: Set<string>;
};

export const noLinks = (): Links => ({
  calls: new Map(),
  leads: new Set(),
  tasks: new Set(),
  messages: new Set(),
  proxies: new Set(),
});

type StoredLinks = { calls: [string, string, string[]][] } & Record<"leads" | "tasks" | "messages" | "proxies", string[]>;

export const linksToText = ({ calls, leads, tasks, messages, proxies }: Links): string => {
  const stored: StoredLinks = {
    calls: [...calls].map(([callKey, { at, patients }]) => [callKey, at, [...patients]]),
    leads: [...leads],
    tasks: [...tasks],
    messages: [...messages],
    proxies: [...proxies],
  };
  return JSON.stringify(stored);
};

/** Of a text that `linksToText` wrote. */
export const linksFromText = (text: string): Links => {
  const { calls, leads, tasks, messages, proxies } = JSON.parse(text) as StoredLinks;
  return {
    calls: new Map(calls.map(([callKey, at, patients]) => [callKey, { at, patients: new Set(patients) }])),
    leads: new Set(leads),
    tasks: new Set(tasks),
    messages: new Set(messages),
    proxies: new Set(proxies),
  };
};

/** The patients that the row itself names. */
export const patientsNamed = ({ resourceType, resourceId, detail, patients = [] }: AuditRow): PatientRef[] => {
  const fhirProviderId = detail?.["fhirProviderId"];
  const own = resourceType === "Patient" && resourceId !== undefined ? [{ id: resourceId, fhirProviderId }] : [];
  return [...own, ...patients] as PatientRef[];
};

/** Without a record system in the row or the question, the id alone decides. */
const isNamed = (row: AuditRow, { patientId, fhirProviderId }: PatientSubject): boolean =>
  patientsNamed(row).some(
    (one) => one.id === patientId && (one.fhirProviderId ?? fhirProviderId) === (fhirProviderId ?? one.fhirProviderId),
  );

const isOfUser = ({ actorKind, actorId }: AuditRow, userId: string): boolean => actorKind === "user" && actorId === userId;

/** Adds the ids that the row shows to belong to the subject. */
export function noteLinks(subject: Subject, links: Links, row: AuditRow): void {
  if (subject.kind === "user") return noteCallsOfUser(subject.userId, links, row);
  const isOfCall = row.callKey !== undefined && links.calls.has(row.callKey);
  const named = isNamed(row, subject);
  if (!named && !(isOfCall && !namesOthers(row))) return;
  const { messageId, leadId, taskId, promisedTaskId, proxyId } = row.detail ?? {};
  if (named && row.callKey !== undefined && !links.calls.has(row.callKey))
    links.calls.set(row.callKey, { at: row.at, patients: new Set([subject.patientId]) });
  if (row.resourceType === "Lead" && row.resourceId !== undefined) links.leads.add(row.resourceId);
  if (row.resourceType === "Task" && row.resourceId !== undefined) links.tasks.add(row.resourceId);
  for (const [ids, id] of [
    [links.messages, messageId],
    [links.leads, leadId],
    [links.tasks, taskId],
    [links.tasks, promisedTaskId],
    [links.proxies, named ? proxyId : undefined],
  ] as const)
    if (typeof id === "string") ids.add(id);
}

const noteCallsOfUser = (userId: string, { calls }: Links, row: AuditRow): void => {
  const { callKey, at } = row;
  if (callKey === undefined) return;
  if (isOfUser(row, userId) && !calls.has(callKey)) calls.set(callKey, { at, patients: new Set() });
  for (const { id } of patientsNamed(row)) calls.get(callKey)?.patients.add(id);
};

/** In a call about two patients, a row that names the other one is not about this one; whole calls are about both. */
const namesOthers = (row: AuditRow): boolean => row.resourceType !== "Call" && patientsNamed(row).length > 0;

const callContents: ReadonlySet<string> = new Set(["Call", "Lead", "Task", "Message", "Appointment", "Communication"]);
const linkedIds: Readonly<Record<string, keyof Omit<Links, "calls">>> = {
  Lead: "leads",
  Task: "tasks",
  Message: "messages",
  Proxy: "proxies",
};
const wholeCopies: ReadonlySet<string> = new Set(["erasure.writeCopy", "erasure.downloadCopy"]);

/** Whether the row belongs in the report of the subject. `tenantId`: the patient's organization. */
export function concerns(subject: Subject, links: Links, row: AuditRow, tenantId: string | undefined): boolean {
  if (subject.kind === "user") return isOfUser(row, subject.userId);
  // The platform's log has the copies of a tenant whose erasure has begun.
  if (row.resourceType === "Tenant") return row.resourceId === tenantId && wholeCopies.has(row.action);
  if (row.tenantId !== tenantId) return false;
  if (isNamed(row, subject)) return true;
  if (namesOthers(row)) return false;
  if (row.callKey !== undefined && links.calls.has(row.callKey))
    return row.category === "patient_access" || callContents.has(row.resourceType);
  // An item has the id of the task or lead that it is about.
  if (row.resourceType === "ToDo" && row.resourceId !== undefined)
    return links.tasks.has(row.resourceId) || links.leads.has(row.resourceId);
  const kind = linkedIds[row.resourceType];
  if (kind && row.resourceId !== undefined && links[kind].has(row.resourceId)) return true;
  return isExportWithLinks(links, row);
}

/** A call may have begun this long before its first row about the patient. */
const longestCallMs = 6 * 3_600_000;

/** Exports name the range of what they hold; without one, all that was there before. */
const isExportWithLinks = ({ calls, leads }: Links, { action, at, detail = {}, success }: AuditRow): boolean => {
  if (!success) return false;
  if (action === "lead.export") {
    const { newestId = "~", oldestId = "" } = detail;
    return detail["rows"] !== 0 && [...leads].some((id) => id >= oldestId && id <= newestId);
  }
  if (action !== "call.export" || detail["rows"] === 0) return false;
  const { newest = at, oldest = "" } = detail;
  const beganBefore = (call: { at: string }) => new Date(Date.parse(call.at) - longestCallMs).toISOString() <= String(newest);
  return [...calls.values()].some((call) => call.at >= String(oldest) && beganBefore(call));
};
