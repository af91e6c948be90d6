import * as z from "zod/mini";
import { Id, Instant, optionalLine, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** What kind of act a row of the audit tells of; each row has a precise `action` besides. */
export const ActionType = z.enum(["patient_access", "data_query", "api_call", "configuration_change"]);
export type ActionType = z.infer<typeof ActionType>;

export const AuditRange = z.enum(["24hours", "7days", "30days", "90days"]);
export type AuditRange = z.infer<typeof AuditRange>;

/** A row of the audit. It holds ids, codes and counts, never what a patient is called or has. */
export const AuditLog = z.object({
  id: z.string(),
  createdAt: Instant,
  actorKind: z.enum(["user", "api_key", "voice_provider", "system", "nobody"]),
  /** Null where the system itself acted. */
  actorId: z.nullable(z.string()),
  /** Of a user of the tenant, or of an administrator of the platform who looked at it in their place. */
  actorName: z.optional(z.string()),
  actionType: ActionType,
  /** noun.verb, as in office.create or tool.getPatientInfo. */
  action: z.string(),
  /** The same in words for people, as in "Created an office"; of what did not succeed "Tried to create an office". */
  act: z.string(),
  resourceType: z.string(),
  resourceId: z.nullable(z.string()),
  /** Null where the system itself acted. */
  ipAddress: z.nullable(z.string()),
  success: z.boolean(),
  /** Why it did not succeed. */
  code: z.nullable(z.string()),
  requestId: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type AuditLog = z.infer<typeof AuditLog>;

/** `search` looks into action (as a word and in words), actor, resource, address, code and request id; `actor` is an id, `resource` a type or an id. */
export const AuditQuery = z.object({
  search: optionalLine(100),
  actionType: z._default(z.enum(["all", ...ActionType.options]), "all"),
  timeRange: z._default(AuditRange, "7days"),
  actor: optionalLine(100),
  resource: optionalLine(100),
  ...PageQuery.shape,
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/**
 * The tenant that a row concerns, if any, and what it is called now. `actorName` is of any user, and of a key or a voice
 * platform says whose it is: "API key of Bay Clinic".
 */
export const PlatformAuditLog = z.extend(AuditLog, { tenantId: z.nullable(z.string()), tenantName: z.nullable(z.string()) });
export type PlatformAuditLog = z.infer<typeof PlatformAuditLog>;

/** Whether what the audit promises holds for a tenant's own log. */
export const AuditStatus = z.object({
  retentionYears: z.number(),
  /** Rows in the archive, and when the last one came. */
  archivedRows: z.number(),
  archivedAt: z.nullable(Instant),
  /** The last verification of the archive; null before the first. */
  lastVerifiedAt: z.nullable(Instant),
  /** Whether it found every row intact; null before the first. */
  intact: z.nullable(z.boolean()),
});
export type AuditStatus = z.infer<typeof AuditStatus>;

export const tenantAudit = routes({
  auditLogs: {
    method: "GET",
    path: "/api/tenant/dashboard/audit-logs",
    auth: "tenant_admin",
    summary: "The tenant's audit log, newest first; the next page is in Link. A filtered page may be short and still have a next one",
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
 * The platform's latest acts and how many there were. ERROR is an access that was refused; WARN is what failed otherwise, or
 * changed who gets in (keys, passwords, second factors); INFO is the rest. Days are UTC; a week is today and the six days before.
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
  /** Of the week: every ERROR, and every change of who gets in. */
  securityEvents: z.number(),
  /** Of the week: sign-ins, requests and identity checks that were refused. */
  failedAttempts: z.number(),
});
export type AuditDashboard = z.infer<typeof AuditDashboard>;

/** How many of the latest rows a panel shows. */
export const LatestQuery = z.object({ limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20) });

export const platformAudit = routes({
  platformAuditLogs: {
    method: "GET",
    path: "/api/admin/audit-logs",
    auth: "system_admin",
    summary: "What happened on the whole platform, without patients' ids; with `tenantId` a tenant's own audit log",
    noStore: true,
    query: z.extend(AuditQuery, { tenantId: z.optional(Id) }),
    response: z.array(PlatformAuditLog),
  },
  auditDashboard: {
    method: "GET",
    path: "/api/dashboard/audit-logs",
    auth: "system_admin",
    summary: "The latest acts on the platform, and how many there were",
    query: LatestQuery,
    response: AuditDashboard,
  },
});
