import type { Card } from "./look.fixture.ts";
import type { Site } from "./site.fixture.ts";

/** What a tenant's calls come to, as sums. */
export type Sums = { calls: number; successful: number; resolved: number; booked: number; resolvedSeconds: number };
type Metrics = {
  totalCalls: number;
  successfulCalls: number;
  resolutionRate: number;
  revenueEvents: number;
  costSavings: { hoursAutomated: number };
};

export async function sumsOf(site: Site, tenant: number): Promise<Sums> {
  const { admin } = site.demo.tenants[tenant]!;
  const { json } = await site.api<Metrics>("GET", "/api/tenant/dashboard/metrics", { token: await site.tokenFor(admin) });
  const { totalCalls: calls, successfulCalls: successful, resolutionRate, revenueEvents: booked, costSavings } = json;
  return {
    calls,
    successful,
    resolved: Math.round((resolutionRate * calls) / 100),
    booked,
    resolvedSeconds: Math.round(costSavings.hoursAutomated * 3600),
  };
}

const staffMonthHours = 160;
const amount = (hours: number): string => (hours > 0 && hours < 0.005 ? "<0.01" : String(Number(hours.toFixed(2))));
const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)}%`;

/** The four cards as the specification words them. */
export const cardsFor = ({ calls, successful, resolved, booked, resolvedSeconds }: Sums): Record<string, Card> => ({
  "Total Calls": { value: String(calls), caption: `${percent(successful, calls)} success rate` },
  "Resolution Rate": { value: percent(resolved, calls), caption: "Calls resolved without forwarding" },
  "Revenue Events": { value: String(booked), caption: "Successful appointments scheduled" },
  "Time Saved": {
    value: `${amount(resolvedSeconds / 3600)}h`,
    caption: `${amount(resolvedSeconds / 3600 / staffMonthHours)} full-time staff equivalent`,
  },
});
