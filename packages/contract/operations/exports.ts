import * as z from "zod/mini";
import { ActionType } from "./audit.ts";
import { Id, Instant, optionalLine, PageQuery } from "../http/fields.ts";
import { TimeZone } from "../tenants/business-hours.ts";
import { routes } from "../http/route.ts";

export const ExportFormat = z.enum(["csv", "pdf", "json"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

const day = z.optional(
  z.pipe(
    z.nullable(z.union([z.literal(""), z.iso.date("Must be a date such as 2026-01-31")], "Must be a date such as 2026-01-31")),
    z.transform((date) => date || undefined),
  ),
);
const asked = {
  /** Days in `timeZone`, both included; default: the last 30 days. */
  start: day,
  end: day,
  timeZone: z._default(TimeZone, "UTC"),
  format: ExportFormat,
  /** Filters of the audit log. */
  actionType: z._default(z.enum(["all", ...ActionType.options]), "all"),
  search: optionalLine(100),
};
export const NewTenantExport = z.strictObject(asked);
export type NewTenantExport = z.infer<typeof NewTenantExport>;
/** Without a tenant: all tenants' audit and the platform's own, without ids of patients and calls. */
export const NewPlatformExport = z.strictObject({ ...asked, tenantId: z.optional(z.nullable(Id)) });
export type NewPlatformExport = z.infer<typeof NewPlatformExport>;

export const AuditExport = z.object({
  exportId: Id,
  state: z.enum(["queued", "running", "ready", "failed"]),
  format: ExportFormat,
  start: z.iso.date(),
  end: z.iso.date(),
  timeZone: z.string(),
  tenantId: z.nullable(Id),
  requestedBy: z.string(),
  /** Only in lists; null: not a user of the organization any more. */
  requestedByName: z.optional(z.nullable(z.string())),
  requestedAt: Instant,
  /** Failed because it has too many rows for one file; one of fewer days may succeed. */
  tooLong: z.optional(z.boolean()),
  rows: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  /** When the file is deleted. */
  expiresAt: Instant,
  /** Download link, valid for ten minutes without authentication; only in the answer for a single export that is ready. */
  url: z.optional(z.string()),
  urlExpiresAt: z.optional(Instant),
});
export type AuditExport = z.infer<typeof AuditExport>;

const one = z.object({ exportId: Id });

export const exports = routes({
  exportAudit: {
    method: "POST",
    path: "/api/admin/audit/export",
    auth: "system_admin",
    summary: "Create an audit report; poll a long one until it is ready",
    status: 202,
    noStore: true,
    body: NewPlatformExport,
    response: AuditExport,
  },
  auditExports: {
    method: "GET",
    path: "/api/admin/audit/exports",
    auth: "system_admin",
    summary: "Audit reports of the last seven days, newest first; the next page is in Link",
    query: PageQuery,
    response: z.array(AuditExport),
  },
  auditExport: {
    method: "GET",
    path: "/api/admin/audit/exports/{exportId}",
    auth: "system_admin",
    activity: false,
    summary: "An audit report's progress, and a download link that works for ten minutes",
    noStore: true,
    params: one,
    response: AuditExport,
  },
  exportTenantAudit: {
    method: "POST",
    path: "/api/tenant/audit/export",
    auth: "tenant_admin",
    summary: "Create a report of the tenant's audit; poll a long one until it is ready",
    status: 202,
    noStore: true,
    body: NewTenantExport,
    response: AuditExport,
  },
  tenantAuditExports: {
    method: "GET",
    path: "/api/tenant/audit/exports",
    auth: "tenant_admin",
    summary: "The tenant's audit reports of the last seven days, newest first; the next page is in Link",
    query: PageQuery,
    response: z.array(AuditExport),
  },
  tenantAuditExport: {
    method: "GET",
    path: "/api/tenant/audit/exports/{exportId}",
    auth: "tenant_admin",
    activity: false,
    summary: "The progress of a report of the tenant's audit, and a download link that works for ten minutes",
    noStore: true,
    params: one,
    response: AuditExport,
  },
});
