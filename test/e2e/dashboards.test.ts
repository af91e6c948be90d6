import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runCall, type FinishedCall } from "../call/run-call.ts";
import type { ScenarioName } from "../call/scenarios.ts";
import { proves } from "../requirements/proves.ts";
import { cardsOf, fillLogin, open, patience, reads, settled, titled } from "./look.fixture.ts";
import { cardsFor, sumsOf, type Sums } from "./cards.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

/** The function whose calls to AWS fail now. */
let broken: string | undefined;

let site: Site;
beforeAll(async () => {
  site = await openSite({
    fault: ({ principalArn }) =>
      broken !== undefined && principalArn.toLowerCase().includes(broken)
        ? { status: 500, code: "InternalServerError", message: "Internal server error" }
        : undefined,
  });
  await site.platform.cloud.drained();
});
afterEach(() => {
  broken = undefined;
});
afterAll(() => site?.close());

const asSystemAdmin = (): Promise<string> => site.tokenFor(site.demo.systemAdmin);

describe("the console's three cards", () => {
  /** What the lists of the API come to. */
  const counted = async (): Promise<Record<string, { value: string }>> => {
    const token = await asSystemAdmin();
    const users = await site.api<object[]>("GET", "/api/admin/users?limit=100", { token });
    const tenants = await site.api<{ isActive: boolean }[]>("GET", "/api/admin/tenants?limit=100", { token });
    return {
      "Total Users": { value: String(users.json.length) },
      "Active Tenants": { value: String(tenants.json.filter(({ isActive }) => isActive).length) },
      "Total Tenants": { value: String(tenants.json.length) },
    };
  };

  test("say what the API counts, before and after a tenant and a user were added", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin");
      const before = await counted();
      expect(await cardsOf(page)).toEqual(before);
      await addTenant(site, "Hilltop Clinic");
      await site.platform.cloud.drained();
      const after = await counted();
      const numbers = (cards: typeof before) => Object.values(cards).map(({ value }) => Number(value));
      expect(numbers(after)).toEqual(numbers(before).map((number) => number + 1));
      await page.reload();
      expect(await cardsOf(page)).toEqual(after);
    });
  });

  test("stand under who is signed in, and a count that does not load can be asked for again", async () => {
    await site.visit({ as: site.demo.systemAdmin, refused: ["503 GET /api/dashboard/metrics"] }, async ({ page }) => {
      broken = "dashboard";
      await open(page, "/admin");
      await reads(page.getByRole("banner"), /System Administrator[^]*admin@vitaline\.example[^]*System Admin[^]*Logout/);
      await reads(page.getByRole("alert"), /Failed to load platform metrics/);
      broken = undefined;
      await page.getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => cardsOf(page), patience).toEqual(await counted());
    });
  });
});

proves("D1.2-016", async () => {
  // Logging out ends the session, so it is one of its own
  await site.visit({}, async ({ page }) => {
    await open(page, "/admin-login");
    await fillLogin(page, site.demo.systemAdmin);
    await titled(page, "Admin Dashboard");
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: "Logout" }).click();
    await titled(page, "System Admin Login");
    expect(new URL(page.url()).pathname).toBe("/admin/login");
  });
});

describe("a tenant's dashboard", () => {
  test("before the first call says so, and shows no figure that was not measured", async () => {
    const login = await addTenant(site, "Meadow Clinic");
    await site.visit({ as: login }, async ({ page }) => {
      await open(page, "/tenant");
      expect(await cardsOf(page)).toEqual({
        "Total Calls": { value: "0", caption: "0% success rate" },
        "Resolution Rate": { value: "0.0%", caption: "Calls resolved without forwarding" },
        "Revenue Events": { value: "0", caption: "Successful appointments scheduled" },
        "Time Saved": { value: "0h", caption: "0 full-time staff equivalent" },
      });
      await reads(page.getByRole("region", { name: "Recent Calls" }), /No call data available/);
      await reads(page.getByRole("region", { name: "Top Tools" }), /No tool usage data available/);
      await reads(page.getByRole("main"), /Meadow Clinic/);
    });
  });

  const parts = ["call metrics", "recent calls", "tool usage", "calls that need follow-up", "calls in progress", "plan usage"];
  /** What the page reads from the tenant's function. */
  const read = [
    ...["metrics", "recent-calls", "tool-usage", "offices"].map((part) => `dashboard/${part}`),
    ...["settings", "calls", "calls/in-progress", "tool-calls", "usage"],
  ].map((path) => `GET /api/tenant/${path}`);
  const failureOf = (page: Page, part: string) => page.getByRole("alert").filter({ hasText: `Failed to load ${part}` });

  test("whose data cannot be read says which, with the request to name and a way to try again", async () => {
    const [one] = site.demo.tenants;
    await site.visit({ as: one!.admin, refused: read.map((request) => `503 ${request}`) }, async ({ page }) => {
      broken = "tenant";
      const failed = new Set<string>();
      page.on("response", (response) => {
        if (response.status() === 503) failed.add(`${response.request().method()} ${new URL(response.url()).pathname}`);
      });
      await open(page, "/tenant");
      await expect.poll(() => read.filter((request) => !failed.has(request)), patience).toEqual([]);
      for (const part of parts) await reads(failureOf(page, part), /could not be reached[^]*Request ID: \S+/);
      broken = undefined;
      for (const part of parts) {
        await failureOf(page, part).getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => failureOf(page, part).count(), patience).toBe(0);
      }
      expect(await cardsOf(page)).toEqual(cardsFor(await sumsOf(site, 0)));
      expect(await page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").count()).toBeGreaterThan(0);
    });
  });

  test("keeps what it shows when the network is gone, and says that it could not be refreshed", async () => {
    const [, two] = site.demo.tenants;
    const lost = [...read, "GET /api/tenant/dashboard/fhir-providers"].map((request) => `net::ERR_INTERNET_DISCONNECTED ${request}`);
    await site.visit({ as: two!.admin, refused: lost }, async ({ page, context }) => {
      await open(page, "/tenant");
      const shown = await cardsOf(page);
      await context.setOffline(true);
      await page.getByRole("button", { name: "Refresh" }).click();
      await reads(page.getByRole("region", { name: /notifications/i }), /Error[^]*could not be reached/);
      expect(await cardsOf(page)).toEqual(shown);
      await context.setOffline(false);
      await page.getByRole("button", { name: "Refresh" }).click();
      await titled(page, "Tenant Dashboard");
      await expect.poll(() => page.getByRole("button", { name: "Refresh" }).innerText(), patience).toBe("Refresh");
      expect(await cardsOf(page)).toEqual(shown);
    });
  });
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
    const before = await sumsOf(site, 0);
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
