import { newId, type Context } from "@vitaline/core";
import { audit as auditKey, platformAudit, type Key } from "./keys.ts";
import type { AuditCategory, AuditRow } from "./rows.ts";

/** What is said of an act. Ids, codes and counts; never what a patient is called or has. */
export type Audit = {
  category: AuditCategory;
  action: string;
  resourceType: string;
  resourceId?: string;
  success?: boolean;
  code?: string;
  callKey?: string;
  detail?: Record<string, string | number | boolean>;
};

/** Who acts, as every row of the audit names it. */
export type Author = Pick<Context, "actor" | "requestId" | "clientAddress" | "clock">;

const retentionSeconds = 7 * 365.25 * 86_400;

/** The audit row of an act and its key: in the tenant's log, or in the platform's when no tenant is concerned. */
export function auditRow(author: Author, tenantId: string | undefined, audit: Audit): { key: Key<AuditRow>; row: AuditRow } {
  const now = author.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const month = at.slice(0, 7);
  const { actor } = author;
  const row: AuditRow = {
    success: true,
    ...audit,
    // A row of somebody who looks at a tenant names both: who it is, and as whose administrator.
    ...(actor.kind === "user" && actor.viewAs
      ? { detail: { ...audit.detail, viewAs: actor.viewAs, ...(actor.name && { viewAsBy: actor.name }) } }
      : {}),
    id,
    at,
    tenantId,
    actorKind: actor.kind,
    actorId: actor.id,
    clientAddress: author.clientAddress,
    requestId: author.requestId,
    expiresAt: Math.floor(now.getTime() / 1000 + retentionSeconds),
  };
  return { key: tenantId ? auditKey(month, audit.category, id) : platformAudit(month, audit.category, id), row };
}
