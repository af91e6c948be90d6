import type { ChartDay } from "@vitaline/contract";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { open, longTimeout, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const openAnalytics = (page: Page, query = "") => open(page, `/tenant?tab=analytics${query}`);
const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const problem = { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" };

const days: ChartDay[] = Array.from({ length: 31 }, (_, index) => {
  const calls = 24 + Math.round(14 * Math.sin(index / 2.3)) + (index % 4);
  const date = new Date(Date.UTC(2026, 3, 8 + index)).toISOString().slice(0, 10);
  return {
    ...{ date, calls, resolved: Math.round(calls * 0.8), forwarded: Math.round(calls * 0.12), abandoned: index % 3 },
    ...{ minutes: calls * 3.2, revenueEvents: Math.round(calls / 4) },
  };
});

const savings = {
  ...{
    hoursAutomated: 62.4,
    staffEquivalent: 0.39,
    hourlyWage: 32,
    isWageAssumed: false,
    monthlySavings: 1996.8,
    annualProjection: 23_961.6,
  },
  ...{
    savingsPerCall: 2.66,
    breakdown: { callHandling: 1198.08, dataRetrieval: 499.2, administrative: 299.52 },
    roi: 5.1,
    revenue: 25_920,
  },
};
const routing = [
  { reason: "billing", outcome: "transferred", count: 34 },
  { reason: "billing", outcome: "voicemail", count: 6 },
  { reason: "person", outcome: "transferred", count: 21 },
  { reason: "clinical", outcome: "callback", count: 9 },
  { reason: "emergency", outcome: "emergency", count: 1 },
];
const tools = [
  { toolName: "verifyPatientIdentity", count: 812, successRate: 93.1 },
  { toolName: "scheduleAppointment", count: 402, successRate: 88.2 },
  { toolName: "getMedicationHistoryFhir", count: 96, successRate: 61.5 },
  { toolName: "sendCommunicationFhir", count: 0, successRate: null },
];

const metrics = {
  totalCalls: 751,
  successfulCalls: 732,
  resolutionRate: 84.2,
  averageDuration: 214,
  revenueEvents: 180,
  abandonedCalls: 12,
  range: "30days",
};

const isBusy = async (page: Page): Promise<void> => {
  await page.route("**/api/tenant/dashboard/metrics*", (route) =>
    route.fulfill({ json: { ...metrics, costSavings: { hoursAutomated: 62.4, staffEquivalent: 0.39 } } }),
  );
  await page.route("**/api/tenant/settings", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), hourlyWage: 32, averageVisitValue: 144 } });
  });
  for (const [path, json] of Object.entries({ charts: days, savings, routing, "tool-usage": tools }))
    await page.route(`**/api/tenant/dashboard/${path}*`, (route) => route.fulfill({ json }));
};
async function drawn(page: Page): Promise<void> {
  const columns = partOf(page, "Day by Day").locator("svg .recharts-bar-rectangle");
  await expect.poll(() => columns.count(), longTimeout).toBeGreaterThan(0);
}

export const analyticsLooks: Look[] = [
  {
    name: "the analytics of a busy month",
    as: asTenant,
    arrange: async (page) => {
      await isBusy(page);
      await openAnalytics(page);
      await drawn(page);
    },
  },
  {
    name: "the analytics as a table of days",
    as: asTenant,
    arrange: async (page) => {
      await isBusy(page);
      await openAnalytics(page, "&days=table");
      await reads(partOf(page, "Day by Day"), /View as charts/);
    },
  },
  {
    name: "the amounts that estimates are counted by, mistyped",
    as: asTenant,
    arrange: async (page) => {
      await openAnalytics(page);
      await partOf(page, "Cost Savings").getByRole("button", { name: /wage/ }).click();
      const form = page.getByRole("dialog");
      await form.getByLabel("Staff wage").fill("a lot");
      await form.getByRole("button", { name: "Save amounts" }).click();
      await reads(form, /Must be an amount/);
    },
  },
  {
    name: "analytics that do not load",
    as: asTenant,
    refused: ["metrics", "charts", "tool-usage", "routing", "savings"].map((part) => `503 GET /api/tenant/dashboard/${part}`),
    arrange: async (page) => {
      await page.route(/\/api\/tenant\/dashboard\/(metrics|charts|tool-usage|routing|savings)/, (route) =>
        route.fulfill({ status: 503, json: problem }),
      );
      await openAnalytics(page);
      await reads(partOf(page, "Cost Savings"), /Failed to load cost savings/);
    },
  },
];
