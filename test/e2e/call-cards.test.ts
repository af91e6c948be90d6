import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCall, type FinishedCall } from "../call/run-call.ts";
import type { ScenarioName } from "../call/scenarios.ts";
import { type Card, cardsOf, open, patience, reads, settled } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.platform.cloud.drained();
});
afterAll(() => site?.close());

/** What a tenant's calls come to, as sums. */
type Sums = { calls: number; successful: number; resolved: number; booked: number; resolvedSeconds: number };
type Metrics = {
  totalCalls: number;
  successfulCalls: number;
  resolutionRate: number;
  revenueEvents: number;
  costSavings: { hoursAutomated: number };
};

async function sumsOf(tenant: number): Promise<Sums> {
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
const amount = (hours: number): string => String(Number(hours.toFixed(2)));
const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)}%`;

/** The four cards as the specification words them. */
const cardsFor = ({ calls, successful, resolved, booked, resolvedSeconds }: Sums): Record<string, Card> => ({
  "Total Calls": { value: String(calls), caption: `${percent(successful, calls)} success rate` },
  "Resolution Rate": { value: percent(resolved, calls), caption: "Calls resolved without forwarding" },
  "Revenue Events": { value: String(booked), caption: "Successful appointments scheduled" },
  "Time Saved": {
    value: `${amount(resolvedSeconds / 3600)}h`,
    caption: `${amount(resolvedSeconds / 3600 / staffMonthHours)} full-time staff equivalent`,
  },
});

const phoneTenantOne = (scenario: ScenarioName): Promise<FinishedCall> =>
  runCall({ origin: site.origin, apiKey: site.demo.tenants[0]!.apiKey, platform: "vapi", scenario, patient: site.demo.patients[0]! });

/** How long a call's own report says that it took. */
const reportedSeconds = ({ exchanges }: FinishedCall): number => {
  const report = exchanges.at(-1)?.body as { message: { durationSeconds: number } } | undefined;
  return Math.round(report?.message.durationSeconds ?? Number.NaN);
};

type Happening = { what: string; happen: () => Promise<(before: Sums) => Sums> };
const happenings: Happening[] = [
  {
    what: "a booked call",
    happen: async () => {
      const call = await phoneTenantOne("book");
      expect(call.changes).toMatchObject([{ what: "booked" }]);
      return (before) => ({
        calls: before.calls + 1,
        successful: before.successful + 1,
        resolved: before.resolved + 1,
        booked: before.booked + 1,
        resolvedSeconds: before.resolvedSeconds + reportedSeconds(call),
      });
    },
  },
  {
    what: "half an hour's call that booked nothing",
    happen: async () => {
      const { apiKey } = site.demo.tenants[0]!;
      const body = {
        callId: "half-an-hour",
        summary: "Answered a question.",
        resolved: true,
        durationSeconds: 1800,
        endedReason: "customer-ended-call",
      };
      expect((await site.api("POST", "/api/vapi/call-summary", { key: apiKey, body })).status).toBe(200);
      return (before) => ({
        ...before,
        calls: before.calls + 1,
        successful: before.successful + 1,
        resolved: before.resolved + 1,
        resolvedSeconds: before.resolvedSeconds + 1800,
      });
    },
  },
  {
    what: "a call that went on to a person",
    happen: async () => {
      await phoneTenantOne("transfer");
      return (before) => ({ ...before, calls: before.calls + 1, successful: before.successful + 1 });
    },
  },
];

describe("the four summary cards", () => {
  test.each(happenings)("change by exactly what $what did, and those of another tenant do not move", async ({ happen }) => {
    const [one, two] = site.demo.tenants;
    const before = await sumsOf(0);
    await site.visit({ as: one!.admin }, async ({ page }) => {
      await site.visit({ as: two!.admin }, async ({ page: pageOfTwo }) => {
        await open(page, "/tenant");
        expect(await cardsOf(page)).toEqual(cardsFor(before));
        await open(pageOfTwo, "/tenant");
        const cardsOfTwo = await cardsOf(pageOfTwo);

        const change = await happen();
        await site.platform.cloud.drained();

        await page.getByRole("button", { name: "Refresh" }).click();
        await expect.poll(() => cardsOf(page), patience).toEqual(cardsFor(change(before)));
        await page.reload();
        expect(await cardsOf(page)).toEqual(cardsFor(change(before)));
        await pageOfTwo.reload();
        expect(await cardsOf(pageOfTwo)).toEqual(cardsOfTwo);
      });
    });
  });
});

describe("the overview", () => {
  test("shows five calls, newest first, and what each tool did", async () => {
    await phoneTenantOne("book");
    await site.platform.cloud.drained();
    await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
      await open(page, "/tenant?tab=overview");
      const calls = page.getByRole("list", { name: "Recent calls" }).getByRole("listitem");
      expect(await calls.count()).toBe(5);
      const moments = await calls.locator("time").evaluateAll((times) => times.map((time) => time.getAttribute("datetime") ?? ""));
      expect(moments).toEqual(moments.toSorted().toReversed());
      await reads(calls.first(), /Completed/);
      await settled(page);
      const tools = page.getByRole("list", { name: "Top tools" }).getByRole("listitem");
      expect((await tools.allInnerTexts()).join("\n")).toMatch(/scheduleAppointment\s+\d+ uses\s+\d+\.\d%/);
    });
  });
});
