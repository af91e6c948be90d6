import * as z from "zod/mini";
import { AuditLog } from "./audit.ts";
import { FhirId } from "./erasures.ts";
import { ExportFormat } from "./exports.ts";
import { Id, Instant, optionalLine, PageQuery } from "../http/fields.ts";
import { TimeZone } from "../tenants/business-hours.ts";
import { routes } from "../http/route.ts";

const day = z.iso.date("Must be a date such as 2026-01-31");
const asked = {
  /** Days in `timeZone`, both included; any of the retention. */
  ...{ start: day, end: day, timeZone: TimeZone },
};
/** Without a record system: a patient with this id in any of them. */
const ofPatient = { kind: z.literal("patient"), patientId: FhirId, fhirProviderId: z.optional(Id) };
const ofUser = { kind: z.literal("user"), userId: Id };

export const NewAccessReport = z.discriminatedUnion("kind", [
  z.strictObject({ ...ofPatient, ...asked }),
  z.strictObject({ ...ofUser, ...asked }),
]);
export type NewAccessReport = z.infer<typeof NewAccessReport>;

/** A patient's report is about one tenant; a user's, without a tenant, about all logs. */
export const NewPlatformAccessReport = z.discriminatedUnion("kind", [
  z.strictObject({ ...ofPatient, ...asked, tenantId: Id }),
  z.strictObject({ ...ofUser, ...asked, tenantId: z.optional(z.nullable(Id)) }),
]);
export type NewPlatformAccessReport = z.infer<typeof NewPlatformAccessReport>;

/** One access: who did what, when, in which call. */
export const AccessEntry = z.object({
  ...z.pick(AuditLog, { id: true, action: true, act: true, actorKind: true, success: true, code: true, requestId: true }).shape,
  at: Instant,
  actorId: z.string(),
  /** null: the account no longer exists, or the actor is not a person. */
  actorName: z.nullable(z.string()),
  /** The voice agent of the call, where an agent acted. */
  agentName: z.nullable(z.string()),
  /** The data that was read or changed. */
  what: z.string(),
  change: z.boolean(),
  resourceType: z.string(),
  resourceId: z.nullable(z.string()),
  callId: z.nullable(z.string()),
  callStartedAt: z.nullable(Instant),
  patientIds: z.array(z.string()),
  tenantId: z.nullable(Id),
  tenantName: z.nullable(z.string()),
  ipAddress: z.nullable(z.string()),
});
export type AccessEntry = z.infer<typeof AccessEntry>;

export const AccessReport = z.object({
  id: Id,
  state: z.enum(["queued", "running", "ready", "failed"]),
  kind: z.enum(["patient", "user"]),
  start: z.iso.date(),
  end: z.iso.date(),
  timeZone: z.string(),
  tenantId: z.nullable(Id),
  requestedAt: Instant,
  /** Log entries read so far, in two passes over the log, and those that belong in the report. */
  examined: z.number(),
  found: z.number(),
  /** Of the log, from 0 to 1. */
  progress: z.number(),
  expiresAt: Instant,
});
export type AccessReport = z.infer<typeof AccessReport>;

/** A report in a list, with who asked for it and what it is about. */
export const ListedAccessReport = z.extend(AccessReport, {
  requestedBy: z.string(),
  /** null: not a user of the organization any more. */
  requestedByName: z.nullable(z.string()),
  /** null: about a person, or in the list of the platform, which has no ids of patients. */
  patientId: z.nullable(z.string()),
  userId: z.nullable(Id),
  userName: z.nullable(z.string()),
  /** null: of all organizations. */
  tenantName: z.nullable(z.string()),
});
export type ListedAccessReport = z.infer<typeof ListedAccessReport>;

/** A user of the organization, also one who may no longer sign in. */
export const ReportablePerson = z.object({ id: Id, name: z.string(), email: z.string(), isActive: z.boolean() });
export type ReportablePerson = z.infer<typeof ReportablePerson>;

/** Once it is ready: its subject, and a page of entries or a download link, which is valid for ten minutes without authentication. */
export const AccessReportDetail = z.extend(AccessReport, {
  patientId: z.nullable(z.string()),
  fhirProviderId: z.nullable(z.string()),
  userId: z.nullable(Id),
  userName: z.nullable(z.string()),
  entries: z.array(AccessEntry),
  nextPage: z.nullable(z.number()),
  url: z.nullable(z.string()),
});
export type AccessReportDetail = z.infer<typeof AccessReportDetail>;

const one = z.object({ reportId: Id });
const Read = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), 1),
  download: z.optional(ExportFormat),
});

/** By the number on the chart, or by family name and birth date. */
export const PatientSearch = z.strictObject({
  fhirProviderId: z.optional(Id),
  medicalRecordNumber: optionalLine(60),
  familyName: optionalLine(100),
  birthDate: z.optional(z.iso.date("Must be a date")),
});
export type PatientSearch = z.infer<typeof PatientSearch>;

export const FoundPatient = z.object({
  patientId: z.string(),
  fhirProviderId: Id,
  name: z.nullable(z.string()),
  birthDate: z.nullable(z.string()),
  medicalRecordNumber: z.nullable(z.string()),
});
export type FoundPatient = z.infer<typeof FoundPatient>;

export const accessReports = routes({
  requestAccessReport: {
    method: "POST",
    path: "/api/tenant/audit/access-reports",
    auth: "tenant_admin",
    summary: "Create a report of who saw or changed a patient's data, or of what a user did; poll it until it is ready",
    status: 202,
    noStore: true,
    body: NewAccessReport,
    response: AccessReport,
  },
  listAccessReports: {
    method: "GET",
    path: "/api/tenant/audit/access-reports",
    auth: "tenant_admin",
    summary: "The tenant's reports of the last seven days, with who asked for each, newest first; the next page is in Link. Audited",
    noStore: true,
    query: PageQuery,
    response: z.array(ListedAccessReport),
  },
  accessReport: {
    method: "GET",
    path: "/api/tenant/audit/access-reports/{reportId}",
    auth: "tenant_admin",
    activity: false,
    summary: "A report's progress; once it is ready, a page of its entries or a download link. Audited",
    noStore: true,
    params: one,
    query: Read,
    response: AccessReportDetail,
  },
  listReportablePeople: {
    method: "GET",
    path: "/api/tenant/audit/people",
    auth: "tenant_admin",
    summary: "Users of the tenant for a report of what one of them did, also deactivated ones; the next page is in Link",
    query: PageQuery,
    response: z.array(ReportablePerson),
  },
  requestPlatformAccessReport: {
    method: "POST",
    path: "/api/admin/audit/access-reports",
    auth: "system_admin",
    summary: "Create a report of who saw a tenant's patient, or of what a user did",
    status: 202,
    noStore: true,
    body: NewPlatformAccessReport,
    response: AccessReport,
  },
  listPlatformAccessReports: {
    method: "GET",
    path: "/api/admin/audit/access-reports",
    auth: "system_admin",
    summary:
      "Reports that system administrators asked for in the last seven days, newest first, without patients; the next page is in Link. Audited",
    noStore: true,
    query: PageQuery,
    response: z.array(ListedAccessReport),
  },
  platformAccessReport: {
    method: "GET",
    path: "/api/admin/audit/access-reports/{reportId}",
    auth: "system_admin",
    activity: false,
    summary: "A report's progress; once it is ready, a page of its entries or a download link. Audited",
    noStore: true,
    params: one,
    query: Read,
    response: AccessReportDetail,
  },
});

export const patientSearch = routes({
  findPatients: {
    method: "POST",
    path: "/api/tenant/patients/search",
    auth: "tenant_admin",
    summary: "Patients in the record system, by medical record number or by family name and birth date. Each is audited",
    noStore: true,
    body: PatientSearch,
    response: z.array(FoundPatient),
  },
});
