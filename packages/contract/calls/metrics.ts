import * as z from "zod/mini";
import { ListedCall } from "./calls.ts";
import { RoutingOutcome, RoutingReason } from "./routing.ts";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { flag, optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";

export const Range = z.enum(["24hours", "7days", "30days", "90days", "all"]);
export type Range = z.infer<typeof Range>;
/** A chart needs a first day. */
export const ChartRange = z.enum(["24hours", "7days", "30days", "90days"]);
export type ChartRange = z.infer<typeof ChartRange>;

/** Days of the tenant's time zone, both included. */
export const Days = z.object({ from: z.iso.date(), to: z.iso.date() });
export type Days = z.infer<typeof Days>;

const figures = {
  totalCalls: z.number(),
  /** Calls that ended as `completed`, resolved or not. */
  successfulCalls: z.number(),
  resolvedCalls: z.number(),
  forwardedCalls: z.number(),
  /** Percent of all calls that were resolved; see `resolved` of a call. */
  resolutionRate: z.number(),
  /** Seconds. */
  averageDuration: z.number(),
  revenueEvents: z.number(),
  abandonedCalls: z.number(),
  toolRuns: z.number(),
  failedToolRuns: z.number(),
  costSavings: z.object({ hoursAutomated: z.number(), staffEquivalent: z.number() }),
};
export const CallFigures = z.object(figures);
export type CallFigures = z.infer<typeof CallFigures>;

export const CallMetrics = z.object({
  ...figures,
  /** null: of the requested days. */
  range: z.nullable(Range),
  /** null: of all time. */
  days: z.nullable(Days),
  /** The same figures of the period before; null without `compare`, and for all time. */
  previous: z.nullable(z.object({ ...figures, days: Days })),
});
export type CallMetrics = z.infer<typeof CallMetrics>;

export const ToolUsage = z.object({ toolName: z.string(), count: z.number(), successRate: z.nullable(z.number()) });
export type ToolUsage = z.infer<typeof ToolUsage>;

/** Sorted by count, without zeros. */
export const RoutingCount = z.object({ reason: RoutingReason, outcome: RoutingOutcome, count: z.number() });
export type RoutingCount = z.infer<typeof RoutingCount>;

/** One day of the time zone that the tenant had when the calls were counted. */
export const ChartDay = z.object({
  date: z.iso.date(),
  calls: z.number(),
  resolved: z.number(),
  forwarded: z.number(),
  abandoned: z.number(),
  minutes: z.number(),
  revenueEvents: z.number(),
});
export type ChartDay = z.infer<typeof ChartDay>;

/** US dollars an hour; the default wage. */
export const assumedHourlyWage = 25;
/** Hours a full-time employee works in a month. */
export const staffMonthHours = 160;
/** The shares of savings by kind of work; they add up to 1. */
export const savingsShares = { callHandling: 0.6, dataRetrieval: 0.25, administrative: 0.15 } as const;

/** Estimated savings of the last 30 days in US dollars, with the assumptions. */
export const Savings = z.object({
  hoursAutomated: z.number(),
  staffEquivalent: z.number(),
  hourlyWage: z.number(),
  /** The default wage was assumed, because the tenant set none. */
  isWageAssumed: z.boolean(),
  monthlySavings: z.number(),
  annualProjection: z.number(),
  savingsPerCall: z.number(),
  breakdown: z.object({ callHandling: z.number(), dataRetrieval: z.number(), administrative: z.number() }),
  /** Savings above the plan's price in percent; null without a plan or price. */
  roi: z.nullable(z.number()),
  /** Value of the booked visits; null until the tenant sets a value per visit. */
  revenue: z.nullable(z.number()),
});
export type Savings = z.infer<typeof Savings>;

/** A calendar month in UTC against the plan's minutes; without a plan, bundled and excess minutes are zero. */
export const Usage = z.object({
  month: z.string(),
  calls: z.number(),
  minutes: z.number(),
  /** Of the minutes: those of calls of earlier months that became known in this one. */
  earlierMinutes: z.number(),
  planName: z.nullable(z.string()),
  bundledMinutes: z.nullable(z.number()),
  overageMinutes: z.nullable(z.number()),
  /** US dollars a minute. */
  overageRate: z.number(),
  overageCharge: z.nullable(z.number()),
  asOf: Instant,
});
export type Usage = z.infer<typeof Usage>;

const officeId = optionally(Id);
const Day = optionally(z.iso.date("Must be a date such as 2026-05-01"));
const maxDays = 366;
const dayMs = 86_400_000;

/** Given days instead of the range. */
const days = { from: Day, to: Day };
const isPeriod = z.refine<{ from?: string; to?: string }>(
  ({ from, to }) => {
    if (!from || !to) return !from && !to;
    return from <= to && Date.parse(to) - Date.parse(from) < maxDays * dayMs;
  },
  { path: ["to"], error: `Must be the last of at most ${maxDays} days, and come with the first` },
);
const RangeQuery = z.object({ range: z._default(Range, "30days"), ...days, officeId }).check(isPeriod);
const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Must be a month such as 2026-05"));

export const tenantDashboard = routes({
  tenantMetrics: {
    method: "GET",
    path: "/api/tenant/dashboard/metrics",
    auth: "tenant_admin",
    summary: "The call metrics of the tenant, or of one office",
    query: z.object({ range: z._default(Range, "30days"), ...days, officeId, compare: flag }).check(isPeriod),
    response: CallMetrics,
  },
  recentCalls: {
    method: "GET",
    path: "/api/tenant/dashboard/recent-calls",
    auth: "tenant_admin",
    summary: "The tenant's calls, or one office's, newest first; the next page is in Link",
    noStore: true,
    query: z.extend(PageQuery, { officeId }),
    response: z.array(ListedCall),
  },
  toolUsage: {
    method: "GET",
    path: "/api/tenant/dashboard/tool-usage",
    auth: "tenant_admin",
    summary: "How often each tool ran, and its success rate",
    query: RangeQuery,
    response: z.array(ToolUsage),
  },
  routing: {
    method: "GET",
    path: "/api/tenant/dashboard/routing",
    auth: "tenant_admin",
    summary: "Reasons and outcomes of transfers to staff",
    query: RangeQuery,
    response: z.array(RoutingCount),
  },
  charts: {
    method: "GET",
    path: "/api/tenant/dashboard/charts",
    auth: "tenant_admin",
    summary: "Counts by day, oldest first, including days without calls",
    query: z.object({ range: z._default(ChartRange, "30days"), ...days, officeId }).check(isPeriod),
    response: z.array(ChartDay),
  },
  savings: {
    method: "GET",
    path: "/api/tenant/dashboard/savings",
    auth: "tenant_admin",
    summary: "Estimated savings of the last 30 days",
    response: Savings,
  },
  usage: {
    method: "GET",
    path: "/api/tenant/usage",
    auth: "tenant_admin",
    summary: "A month's minutes against the plan; this month by default",
    query: z.object({ month: optionally(Month) }),
    response: Usage,
  },
});

/** Messages and requests that wait are counted up to this number. */
export const mostWaiting = 100;

export const PlatformMetrics = z.object({
  totalUsers: z.number(),
  totalTenants: z.number(),
  activeTenants: z.number(),
  totalCalls: z.number(),
  successfulCalls: z.number(),
  revenueEvents: z.number(),
  /** Open work for system administrators: kept events, unmailed contact messages and organizations' open requests (100 means 100 or more). */
  waiting: z.object({ keptEvents: z.number(), unmailedMessages: z.number(), openRequests: z.number() }),
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
