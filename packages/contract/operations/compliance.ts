import * as z from "zod/mini";
import { LatestQuery } from "./audit.ts";
import { Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

const percent = z.nullable(z.number().check(z.gte(0), z.lte(100)));

/** Percentages over what was counted; null where there is nothing to count yet. */
export const ComplianceMetrics = z.object({
  /** Of the rows that the last verification of the audit archive looked at, those found unaltered in their chain. */
  auditScore: percent,
  /** Of the chains that were verified, one a tenant and the platform's own, those in which nothing was amiss. */
  dataIntegrity: percent,
  /** Of all requests for access in 30 days that the audit tells of, those that were allowed: allowed / (allowed + denied). */
  accessControl: percent,
  definitions: z.object({ auditScore: z.string(), dataIntegrity: z.string(), accessControl: z.string() }),
  /** What can be told from the platform's own state now; `ok` is null where it cannot be told yet. */
  checks: z.array(z.object({ id: z.string(), name: z.string(), ok: z.nullable(z.boolean()), detail: z.string() })),
});
export type ComplianceMetrics = z.infer<typeof ComplianceMetrics>;

/** Numbers of today, a day of `dayBoundary`. */
export const UserActivity = z.object({
  /** Different people who signed in. */
  activeUsers: z.number(),
  loginCount: z.number(),
  failedLogins: z.number(),
  dayBoundary: z.literal("UTC"),
  /** The latest acts of people. */
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
    summary: "How much of the audit is verified, how access went, and a list of checks",
    response: ComplianceMetrics,
  },
  userActivity: {
    method: "GET",
    path: "/api/admin/user-activity",
    auth: "system_admin",
    summary: "Who signed in today, and the latest acts of people",
    query: LatestQuery,
    response: UserActivity,
  },
});
