import * as z from "zod/mini";
import { Id, Instant, optionalLine, PageQuery } from "../http/fields.ts";
import { optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { TimeZone } from "../tenants/business-hours.ts";

/** The category of an audit row; `action` is more precise. */
export const ActionType = z.enum(["patient_access", "data_query", "api_call", "configuration_change"]);
export type ActionType = z.infer<typeof ActionType>;

export const AuditRange = z.enum(["24hours", "7days", "30days", "90days"]);
export type AuditRange = z.infer<typeof AuditRange>;

/** An audit row: ids, codes and counts, never patient data. */
export const AuditLog = z.object({
  id: z.string(),
  createdAt: Instant,
  actorKind: z.enum(["user", "api_key", "voice_provider", "system", "nobody"]),
  /** null: the system. */
  actorId: z.nullable(z.string()),
  /** A user of the tenant, or a system administrator who viewed the tenant. */
  actorName: z.optional(z.string()),
  actionType: ActionType,
  /** noun.verb, as in office.create or tool.getPatientInfo. */
  action: z.string(),
  /** The action in words: "Created an office"; after a failure "Tried to create an office". */
  act: z.string(),
  resourceType: z.string(),
  resourceId: z.nullable(z.string()),
  /** null: the system. */
  ipAddress: z.nullable(z.string()),
  success: z.boolean(),
  /** Error code of a failure. */
  code: z.nullable(z.string()),
  requestId: z.string(),
  callId: z.optional(z.string()),
  /** The patients of what was read, where the resource is a call or a task. */
  patientIds: z.optional(z.array(z.string())),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type AuditLog = z.infer<typeof AuditLog>;

/**
 * `search` matches action (code and words), actor, resource, address, code and request id; `actor`: an id; `resource`: a type or id.
 * `start` and `end`: days in `timeZone` (default UTC), both included, in place of `timeRange`; one alone means up to today, or 30 days.
 */
export const AuditQuery = z.object({
  search: optionalLine(100),
  actionType: z._default(z.enum(["all", ...ActionType.options]), "all"),
  timeRange: z._default(AuditRange, "7days"),
  start: optionally(z.iso.date("Must be a date such as 2026-01-31")),
  end: optionally(z.iso.date("Must be a date such as 2026-01-31")),
  timeZone: z.optional(TimeZone),
  actor: optionalLine(100),
  resource: optionalLine(100),
  ...PageQuery.shape,
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/** With the tenant's current name. `actorName`: the user's name; of an API key or voice platform, "API key of Bay Clinic". */
export const PlatformAuditLog = z.extend(AuditLog, { tenantId: z.nullable(z.string()), tenantName: z.nullable(z.string()) });
export type PlatformAuditLog = z.infer<typeof PlatformAuditLog>;

/** The integrity of a tenant's audit log. */
export const AuditStatus = z.object({
  retentionYears: z.number(),
  /** Rows in the archive, and when the last one was added. */
  archivedRows: z.number(),
  archivedAt: z.nullable(Instant),
  /** The last verification of the archive; null before the first. */
  lastVerifiedAt: z.nullable(Instant),
  /** All rows were intact; null before the first verification. */
  intact: z.nullable(z.boolean()),
});
export type AuditStatus = z.infer<typeof AuditStatus>;

export const tenantAudit = routes({
  auditLogs: {
    method: "GET",
    path: "/api/tenant/dashboard/audit-logs",
    auth: "tenant_admin",
    summary:
      "The tenant's audit log, newest first, of any days that it is kept; the next page is in Link. A page may be short or empty and still have a next one",
    noStore: true,
    query: AuditQuery,
    response: z.array(AuditLog),
  },
  auditStatus: {
    method: "GET",
    path: "/api/tenant/dashboard/audit-status",
    auth: "tenant_admin",
    summary: "How long the audit log is kept, and when its archive was last verified",
    response: AuditStatus,
  },
});

export const AuditLevel = z.enum(["INFO", "WARN", "ERROR"]);
export type AuditLevel = z.infer<typeof AuditLevel>;

/**
 * The platform's latest activity with counts. ERROR: a denied access. WARN: another failure, or a change of credentials (keys,
 * passwords, second factors). INFO: all others, also emergencies. Days are UTC; a week is today and the six days before.
 */
export const AuditDashboard = z.object({
  logs: z.array(
    z.object({
      id: z.string(),
      action: z.string(),
      description: z.string(),
      level: AuditLevel,
      /** As in PlatformAuditLog. */
      actorName: z.optional(z.string()),
      timestamp: Instant,
    }),
  ),
  todayCount: z.number(),
  weekCount: z.number(),
  /** This week: ERROR entries and changes of credentials. */
  securityEvents: z.number(),
  /** This week: denied sign-ins, requests and identity checks. */
  failedAttempts: z.number(),
});
export type AuditDashboard = z.infer<typeof AuditDashboard>;

/** The number of rows in a panel. */
export const LatestQuery = z.object({ limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20) });

export const platformAudit = routes({
  platformAuditLogs: {
    method: "GET",
    path: "/api/admin/audit-logs",
    auth: "system_admin",
    summary:
      "Events of the whole platform in the last 90 days, without patients' ids; with `tenantId`, a tenant's own audit log, of any days that it is kept",
    noStore: true,
    query: z.extend(AuditQuery, { tenantId: z.optional(Id) }),
    response: z.array(PlatformAuditLog),
  },
  auditDashboard: {
    method: "GET",
    path: "/api/dashboard/audit-logs",
    auth: "system_admin",
    summary: "The platform's latest events, and their number",
    query: LatestQuery,
    response: AuditDashboard,
  },
});
