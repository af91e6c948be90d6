import { newId, type Context } from "@vitaline/core";
import { audit as auditKey, platformAudit, type AuditCategory, type AuditRow } from "../entities/audit.ts";
import type { Key } from "../entities/entity.ts";

/** The description of an action: ids, codes and counts, never patient data. */
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

/** The part of the context that audit rows need. */
export type Author = Pick<Context, "actor" | "requestId" | "clientAddress" | "clock">;

const retentionSeconds = 7 * 365.25 * 86_400;

/** The audit row of an action, in the tenant's log, or in the platform's without `tenantId`. */
export function auditRow(author: Author, tenantId: string | undefined, audit: Audit): { key: Key<AuditRow>; row: AuditRow } {
  const now = author.clock();
  const id = newId(now.getTime());
  const at = now.toISOString();
  const month = at.slice(0, 7);
  const { actor } = author;
  const row: AuditRow = {
    success: true,
    ...audit,
    // A system administrator who views a tenant is named together with the tenant.
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
