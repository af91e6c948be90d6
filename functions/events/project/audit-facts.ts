import { countsOfAudit } from "@vitaline/audit";
import { dayRow } from "@vitaline/calls";
import { auditCategories, type AuditRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { Addition } from "./facts.ts";

/** Somebody signed in on a UTC day, for the first time of it or once more. */
export type SignIn = { date: string; userId: string; at: string };
/** What every row of the audit means for the platform, whatever it tells of. */
export type AuditFacts = { additions: Addition[]; feed: AuditRow; signIn?: SignIn };

const Row = z.object({
  id: z.string().check(z.minLength(1)),
  at: z.iso.datetime(),
  tenantId: z.optional(z.string()),
  actorKind: z.string(),
  actorId: z.string(),
  category: z.enum(auditCategories),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.optional(z.string()),
  success: z.boolean(),
  code: z.optional(z.string()),
  clientAddress: z.string(),
  requestId: z.string(),
  callKey: z.optional(z.string()),
  detail: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  expiresAt: z.number(),
});

/** Throws when it is no row of the audit. */
export function factsOfAnyAudit(image: Record<string, unknown>): AuditFacts {
  const row = z.parse(Row, image);
  const counts = countsOfAudit(row);
  const signedIn = counts["logins"] === 1 && row.actorKind === "user";
  return {
    additions: [{ row: dayRow(row.at), counts }],
    feed: row,
    signIn: signedIn ? { date: row.at.slice(0, 10), userId: row.actorId, at: row.at } : undefined,
  };
}
