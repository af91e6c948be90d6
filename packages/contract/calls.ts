import * as z from "zod/mini";
import { Instant, PageQuery } from "./fields.ts";
import { routes } from "./route.ts";

/** What came of a call. Only `completed` counts as successful. */
export const CallStatus = z.enum(["queued", "ringing", "in_progress", "completed", "no_answer", "failed", "cancelled", "unknown"]);
export type CallStatus = z.infer<typeof CallStatus>;

export const Call = z.object({
  id: z.string(),
  platform: z.enum(["vapi", "retellai", "elevenlabs", "openai", "mcp"]),
  createdAt: Instant,
  /** Seconds; null while nobody has said. */
  duration: z.nullable(z.number()),
  status: CallStatus,
  toolsUsed: z.array(z.string()),
  resolved: z.boolean(),
  forwarded: z.boolean(),
  outcome: z.nullable(z.string()),
  endedReason: z.nullable(z.string()),
});
export type Call = z.infer<typeof Call>;

export const Range = z.enum(["24hours", "7days", "30days", "90days", "all"]);
export type Range = z.infer<typeof Range>;

export const CallMetrics = z.object({
  totalCalls: z.number(),
  successfulCalls: z.number(),
  /** Percent of all calls that ended completed, were never forwarded, and were not marked unsuccessful by the platform. */
  resolutionRate: z.number(),
  /** Seconds. */
  averageDuration: z.number(),
  revenueEvents: z.number(),
  costSavings: z.object({ hoursAutomated: z.number(), staffEquivalent: z.number() }),
  range: Range,
});
export type CallMetrics = z.infer<typeof CallMetrics>;

export const ToolUsage = z.object({ toolName: z.string(), count: z.number(), successRate: z.nullable(z.number()) });
export type ToolUsage = z.infer<typeof ToolUsage>;

const RangeQuery = z.object({ range: z._default(Range, "30days") });

export const tenantDashboard = routes({
  tenantMetrics: {
    method: "GET",
    path: "/api/tenant/dashboard/metrics",
    auth: "tenant_admin",
    summary: "The tenant's call metrics",
    query: RangeQuery,
    response: CallMetrics,
  },
  recentCalls: {
    method: "GET",
    path: "/api/tenant/dashboard/recent-calls",
    auth: "tenant_admin",
    summary: "The tenant's calls, newest first; the next page is in Link",
    noStore: true,
    query: PageQuery,
    response: z.array(Call),
  },
  toolUsage: {
    method: "GET",
    path: "/api/tenant/dashboard/tool-usage",
    auth: "tenant_admin",
    summary: "How often each tool ran, and how well",
    query: RangeQuery,
    response: z.array(ToolUsage),
  },
});

export const PlatformMetrics = z.object({
  totalUsers: z.number(),
  totalTenants: z.number(),
  activeTenants: z.number(),
  totalCalls: z.number(),
  successfulCalls: z.number(),
  revenueEvents: z.number(),
});
export type PlatformMetrics = z.infer<typeof PlatformMetrics>;

export const dashboard = routes({
  platformMetrics: {
    method: "GET",
    path: "/api/dashboard/metrics",
    auth: "system_admin",
    summary: "Counts over the whole platform",
    response: PlatformMetrics,
  },
});
