import * as z from "zod/mini";
import { LatestQuery } from "./audit.ts";
import { Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

const percent = z.nullable(z.number().check(z.gte(0), z.lte(100)));

/** Percentages; null while nothing was counted. */
export const ComplianceMetrics = z.object({
  /** Unaltered rows among those of the last verification of the audit archive. */
  auditScore: percent,
  /** Intact chains among the verified ones: one per tenant, and the platform's own. */
  dataIntegrity: percent,
  /** allowed / (allowed + denied), of all access requests in the audit of 30 days. */
  accessControl: percent,
  definitions: z.object({ auditScore: z.string(), dataIntegrity: z.string(), accessControl: z.string() }),
  /** Checks of the platform's current state; `ok` is null while unknown. */
  checks: z.array(z.object({ id: z.string(), name: z.string(), ok: z.nullable(z.boolean()), detail: z.string() })),
});
export type ComplianceMetrics = z.infer<typeof ComplianceMetrics>;

/** Counts of today, a day of `dayBoundary`. */
export const UserActivity = z.object({
  /** Distinct users who signed in. */
  activeUsers: z.number(),
  loginCount: z.number(),
  failedLogins: z.number(),
  dayBoundary: z.literal("UTC"),
  /** The latest acts of users. */
  recentActions: z.array(
    z.object({
      id: z.string(),
      action: z.string(),
      description: z.string(),
      actorId: z.string(),
      actorName: z.optional(z.string()),
      timestamp: Instant,
    }),
  ),
});
export type UserActivity = z.infer<typeof UserActivity>;

export const compliance = routes({
  complianceMetrics: {
    method: "GET",
    path: "/api/admin/compliance-metrics",
    auth: "system_admin",
    summary: "Audit verification, access figures, and a list of checks",
    response: ComplianceMetrics,
  },
  userActivity: {
    method: "GET",
    path: "/api/admin/user-activity",
    auth: "system_admin",
    summary: "Today's sign-ins, and the latest events of users",
    query: LatestQuery,
    response: UserActivity,
  },
});
