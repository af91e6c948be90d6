import type { CallMetrics, ChartDay, RoutingCount, Savings, ToolUsage } from "@vitaline/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { openClinic, type Clinic } from "./clinic.fixture.ts";
import { showsFocus } from "./focus.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

let site: Site;
let clinic: Clinic;
let empty: Login;
beforeAll(async () => {
  site = await openSite();
  empty = await addTenant(site, "Silent Clinic");
  clinic = await openClinic(site, "Counting Clinic");
  await clinic.phone("one", { seconds: 95 });
  await clinic.phone("two", { seconds: 1900 });
  await clinic.phone("three", { seconds: 40, isSuccess: false });
  for (const [reason, outcome] of [
    ["a bill", "callback"],
    ["the same bill", "voicemail"],
    ["wants a person", "callback"],
  ])
    await clinic.useTool(`staff-${reason}`, "logRoutingEvent", { reason, outcome });
  await site.platform.cloud.drained();
});
afterAll(() => site?.close());

const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const openAnalytics = (page: Page, query = "") => open(page, `/tenant?tab=analytics${query}`);
const answerOf = async <T>(login: Login, path: string): Promise<T> =>
  (await site.api<T>("GET", `/api/tenant/${path}`, { token: await site.tokenFor(login) })).json;
const queryOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const visit = (body: (page: Page) => Promise<void>, { as = clinic.login, refused = [] as string[] } = {}): Promise<void> =>
  site.visit({ as, refused }, ({ page }) => body(page));
const asFirst = () => site.demo.tenants[0]!.admin;
const down = { status: 503, json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" } };

/** The four cards' figures by their labels. */
const figuresOf = async (page: Page): Promise<Record<string, string>> => {
  await settled(page);
  const cards = await partOf(page, "Call Analytics")
    .getByRole("article")
    .evaluateAll((articles) =>
      articles.map((article) => ["dt", "dd"].map((part) => article.querySelector(part)?.textContent ?? "") as [string, string]),
    );
  return Object.fromEntries(cards);
};
const figuresFor = ({ totalCalls, successfulCalls, averageDuration, resolutionRate }: CallMetrics): Record<string, string> => ({
  "Total Calls": totalCalls.toLocaleString("en-US"),
  "Success Rate": totalCalls === 0 ? "0%" : `${((successfulCalls / totalCalls) * 100).toFixed(1)}%`,
  "Average Duration": `${Math.round(averageDuration / 60)}m`,
  "Resolution Rate": `${resolutionRate.toFixed(1)}%`,
});

proves("D1.2-101", ({ sees }) =>
  visit(async (page) => {
    await openAnalytics(page);
    const title = partOf(page, "Call Analytics").getByRole("heading", { level: 2 });
    sees(await title.innerText());
    expect(await title.count()).toBe(1);
  }),
);

proves("D1.2-102", () =>
  visit(async (page) => {
    await openAnalytics(page);
    const shown = await figuresOf(page);
    expect(Object.keys(shown)).toHaveLength(4);
    expect(shown).toEqual(figuresFor(await answerOf(clinic.login, "dashboard/metrics?range=30days")));
    expect(shown).toMatchObject({ "Total Calls": "3", "Success Rate": "100.0%", "Resolution Rate": "66.7%" });
  }),
);

proves("D1.9-011", ({ sees }) =>
  visit(async (page) => {
    await openAnalytics(page);
    // 95, 1900 and 40 seconds
    expect((await figuresOf(page))["Average Duration"]).toBe("11m");
    await visit(
      async (other) => {
        await openAnalytics(other);
        const { "Average Duration": none } = await figuresOf(other);
        sees(none);
        expect(none).toBe("0m");
      },
      { as: empty },
    );
  }),
);

const barsOf = (page: Page) => page.getByRole("list", { name: "Tool usage" }).getByRole("progressbar");

proves("D1.2-104", ({ sees }) =>
  visit(
    async (page) => {
      await openAnalytics(page);
      const panel = partOf(page, "Tool Usage Analytics");
      sees(await panel.innerText());
      const used = await answerOf<ToolUsage[]>(asFirst(), "dashboard/tool-usage?range=30days");
      expect(used.length).toBeGreaterThan(1);
      const bars = await barsOf(page).evaluateAll((all) => all.map((bar) => [bar.ariaLabel, Number(bar.ariaValueNow)]));
      expect(bars).toEqual(
        used.map(({ toolName, successRate }) => [`${toolName}, success rate`, Math.round((successRate ?? 0) * 10) / 10]),
      );
      const lines = await panel.getByRole("listitem").allInnerTexts();
      for (const [index, { toolName, count, successRate }] of used.entries()) {
        expect(lines[index]).toContain(toolName);
        expect(lines[index]).toContain(`${count} use`);
        expect(lines[index]).toContain(successRate === null ? "N/A" : `${successRate.toFixed(1)}%`);
      }
    },
    { as: asFirst() },
  ),
);

proves("D1.9-014", () =>
  visit(async (page) => {
    await page.route("**/dashboard/tool-usage*", (route) =>
      route.fulfill({ json: [{ toolName: "getPatientInfo", count: 7, successRate: 140 }] }),
    );
    await openAnalytics(page);
    const bar = barsOf(page);
    expect(await bar.getAttribute("aria-valuenow")).toBe("100");
    const widths = await bar.evaluate((whole) => [whole, whole.firstElementChild!].map((one) => one.getBoundingClientRect().width));
    expect(widths[1]).toBe(widths[0]);
  }),
);

proves("D1.9-015", () =>
  visit(async (page) => {
    await page.route("**/dashboard/tool-usage*", (route) =>
      route.fulfill({ json: [{ toolName: "getPatientInfo", count: 8, successRate: 62.5 }] }),
    );
    await openAnalytics(page);
    const bar = barsOf(page);
    expect([await bar.getAttribute("aria-valuemax"), await bar.getAttribute("aria-valuenow")]).toEqual(["100", "62.5"]);
    const [whole = 0, part = 0] = await bar.evaluate((all) =>
      [all, all.firstElementChild!].map((one) => one.getBoundingClientRect().width),
    );
    expect(part / whole).toBeCloseTo(0.625, 2);
  }),
);

proves("D1.2-108", ({ sees }) =>
  visit(
    async (page) => {
      await openAnalytics(page);
      const text = await partOf(page, "Tool Usage Analytics").innerText();
      sees(text);
      expect(await barsOf(page).count()).toBe(0);
    },
    { as: empty },
  ),
);

const dollars = (amount: number): string => amount.toLocaleString("en-US", { style: "currency", currency: "USD" });

proves("D1.2-105", ({ sees }) =>
  visit(
    async (page) => {
      await openAnalytics(page);
      const card = partOf(page, "Revenue Generation");
      sees(await card.getByRole("heading").innerText());
      const { revenueEvents } = await answerOf<CallMetrics>(asFirst(), "dashboard/metrics");
      expect(revenueEvents).toBeGreaterThan(0);
      await reads(card, new RegExp(`\\b${revenueEvents}\\s+appointments booked[^]*Value of a visit\\s+Not set`));
    },
    { as: asFirst() },
  ),
);

proves("D1.2-106", ({ sees }) =>
  visit(async (page) => {
    await openAnalytics(page);
    const card = partOf(page, "Cost Savings");
    sees(await card.getByRole("heading").innerText());
    const { monthlySavings, annualProjection, breakdown } = await answerOf<Savings>(clinic.login, "dashboard/savings");
    expect(monthlySavings).toBeGreaterThan(0);
    await reads(card, dollars(monthlySavings));
    await reads(card, dollars(annualProjection));
    for (const part of Object.values(breakdown)) await reads(card, dollars(part));
    await reads(card, /\$25\.00 an hour, which is assumed/);
  }),
);

describe("the time range", () => {
  test("and the office stand in the address, count for every figure, and outlive a reload; the focus stays", async () => {
    const { admin, offices } = site.demo.tenants[0]!;
    const { id, name } = offices[0]!;
    await visit(
      async (page) => {
        await openAnalytics(page);
        const picker = page.getByRole("combobox", { name: "Time range" });
        await picker.focus();
        await picker.selectOption("Last 7 days");
        await settled(page);
        expect(await picker.evaluate((element) => element === document.activeElement)).toBe(true);
        await page.getByRole("combobox", { name: "Office" }).first().selectOption(name);
        expect([queryOf(page).get("range"), queryOf(page).get("office"), queryOf(page).get("tab")]).toEqual(["7days", id, "analytics"]);
        const expected = figuresFor(await answerOf(admin, `dashboard/metrics?range=7days&officeId=${id}`));
        await expect.poll(() => figuresOf(page), patience).toEqual(expected);
        await page.reload();
        await settled(page);
        expect(await picker.inputValue()).toBe("7days");
        expect(await figuresOf(page)).toEqual(expected);
        await picker.selectOption("Last 30 days");
        await expect.poll(() => queryOf(page).get("range"), patience).toBeNull();
      },
      { as: admin },
    );
  });

  test("that makes no sense in the address is the usual one, and all time has the last 90 days' charts", async () => {
    await visit(async (page) => {
      await openAnalytics(page, "&range=forever&office=nowhere");
      expect(await page.getByRole("combobox", { name: "Time range" }).inputValue()).toBe("30days");
      expect((await figuresOf(page))["Total Calls"]).toBe("3");
      await openAnalytics(page, "&range=all");
      expect((await figuresOf(page))["Total Calls"]).toBe("3");
      await reads(partOf(page, "Day by Day"), /Last 90 days, which is as far back/);
    });
  });
});

describe("the charts", () => {
  test("draw each day, tell it in words, and are a table on demand, by keyboard too", async () => {
    await visit(async (page) => {
      await openAnalytics(page);
      const panel = partOf(page, "Day by Day");
      const drawn = panel.getByRole("figure");
      await expect.poll(() => drawn.count(), patience).toBe(3);
      await reads(drawn.first().locator("figcaption"), /All calls: 3 in total, most on/);
      await expect.poll(() => drawn.first().locator(".recharts-bar-rectangle path").count(), patience).toBeGreaterThan(0);
      const days = await answerOf<ChartDay[]>(clinic.login, "dashboard/charts?range=30days");
      await panel.getByRole("button", { name: "View as table" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => panel.getByRole("row").count(), patience).toBe(days.length + 1);
      await reads(panel.getByRole("row").filter({ hasText: "33.9" }), /3\s+2\s+0\s+33\.9\s+0/);
      await showsFocus(page);
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe("View as charts");
      await page.reload();
      await settled(page);
      expect(await panel.getByRole("row").count()).toBe(days.length + 1);
      await panel.getByRole("button", { name: "View as charts" }).click();
      await expect.poll(() => drawn.count(), patience).toBe(3);
    });
  });

  test("say where there is nothing to draw", async () => {
    await visit(
      async (page) => {
        await openAnalytics(page);
        await reads(partOf(page, "Day by Day"), /No calls on these days/);
        expect(await partOf(page, "Day by Day").getByRole("figure").count()).toBe(0);
      },
      { as: empty },
    );
  });
});

test("calls to staff are counted by reason, with what became of them", async () => {
  await visit(async (page) => {
    await openAnalytics(page);
    const counts = await answerOf<RoutingCount[]>(clinic.login, "dashboard/routing?range=30days");
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    const panel = partOf(page, "Calls to Staff");
    await reads(panel, /Billing\s+2 \(66\.7%\)\s+1 to be called back, 1 left a voicemail/);
    await reads(panel, /Asked for a person\s+1 \(33\.3%\)\s+1 to be called back/);
  });
});

describe("panels whose data cannot be read", () => {
  const parts = [
    { path: "metrics", what: "analytics metrics", panel: "Call Analytics" },
    { path: "charts", what: "calls by day", panel: "Day by Day" },
    { path: "tool-usage", what: "tool usage analytics", panel: "Tool Usage Analytics" },
    { path: "routing", what: "calls to staff", panel: "Calls to Staff" },
    { path: "savings", what: "cost savings", panel: "Cost Savings" },
  ];

  test.each(parts)("say so for $what, with the request to name; the others live on, and Retry mends it", async ({ path, what, panel }) => {
    await visit(
      async (page) => {
        const address = new RegExp(`/dashboard/${path}\\?.*range|/dashboard/${path}$`);
        await page.route(address, (route) => route.fulfill(down));
        await openAnalytics(page);
        const failed = partOf(page, panel).getByRole("alert");
        await reads(failed, new RegExp(`Failed to load ${what}[^]*could not be reached[^]*Request ID: 0123456789abcdef`));
        const healthy = parts.filter((one) => one.path !== path);
        for (const one of healthy) expect(await partOf(page, one.panel).getByRole("alert").count()).toBe(0);
        await page.unroute(address);
        await failed.getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => failed.count(), patience).toBe(0);
      },
      { refused: [`503 GET /api/tenant/dashboard/${path}`] },
    );
  });
});

describe("the amounts that money is counted by", () => {
  const openForm = async (page: Page) => {
    await partOf(page, "Revenue Generation")
      .getByRole("button", { name: /visit value/ })
      .click();
    return page.getByRole("dialog", { name: "Amounts for the estimates" });
  };

  test("are checked, survive a save that failed, are sent once, and change the estimates", async () => {
    const { login } = await openClinic(site, "Earning Clinic");
    await visit(
      async (page) => {
        await openAnalytics(page);
        const form = await openForm(page);
        await form.getByLabel("Staff wage").fill("a lot");
        await form.getByLabel("Value of a visit").fill("$1,120.50");
        await form.getByRole("button", { name: "Save amounts" }).click();
        await reads(form, /Must be an amount in dollars and cents/);
        await form.getByLabel("Staff wage").fill("30");
        await page.route("**/api/tenant/settings", (route) =>
          route.request().method() === "PUT" ? route.fulfill(down) : route.continue(),
        );
        await form.getByRole("button", { name: "Save amounts" }).click();
        await reads(form.getByRole("alert"), /could not be reached/);
        expect(await form.getByLabel("Value of a visit").inputValue()).toBe("$1,120.50");
        await page.unroute("**/api/tenant/settings");
        const sent: string[] = [];
        page.on("request", (request) => request.method() === "PUT" && sent.push(request.postData() ?? ""));
        await form.getByRole("button", { name: "Save amounts" }).dblclick();
        await expect.poll(() => form.count(), patience).toBe(0);
        expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([{ hourlyWage: 30, averageVisitValue: 1120.5 }]);
        await reads(partOf(page, "Revenue Generation"), /\$0\.00[^]*Value of a visit\s+\$1,121/);
        await reads(partOf(page, "Cost Savings"), /\$30\.00 an hour\. /);
        // Whoever presses with the mouse sees no ring, yet goes on from there by the keyboard.
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe("Change visit value");
        const again = await openForm(page);
        expect(await again.getByLabel("Value of a visit").inputValue()).toBe("1120.50");
        await again.getByLabel("Staff wage").fill("31");
        await page.keyboard.press("Escape");
        await reads(page.getByRole("alertdialog"), /Discard changes\?/);
        await page.getByRole("button", { name: "Discard", exact: true }).click();
        await expect.poll(() => again.count(), patience).toBe(0);
        await reads(partOf(page, "Cost Savings"), /Change wage/);
      },
      { as: login, refused: ["503 PUT /api/tenant/settings"] },
    );
  });
});

describe("the form of amounts", () => {
  const button = (page: Page) => partOf(page, "Revenue Generation").getByRole("button", { name: /visit value/ });
  const formOf = (page: Page) => page.getByRole("dialog", { name: "Amounts for the estimates" });

  test("sends what was typed and nothing else, and says when somebody was faster", async () => {
    const { login } = await openClinic(site, "Shared Clinic");
    await visit(
      async (page) => {
        await openAnalytics(page);
        await button(page).click();
        const form = formOf(page);
        await form.getByLabel("Staff wage").fill("40");
        const token = await site.tokenFor(login);
        expect((await site.api("PUT", "/api/tenant/settings", { token, body: { averageVisitValue: 90 } })).status).toBe(200);
        await form.getByRole("button", { name: "Save amounts" }).click();
        await reads(form.getByRole("alert"), /Somebody else has changed the settings meanwhile/);
        await expect.poll(() => form.getByLabel("Value of a visit").inputValue(), patience).toBe("90.00");
        expect(await form.getByLabel("Staff wage").inputValue()).toBe("40");
        const sent: string[] = [];
        page.on("request", (request) => request.method() === "PUT" && sent.push(request.postData() ?? ""));
        await form.getByRole("button", { name: "Save amounts" }).click();
        await expect.poll(() => form.count(), patience).toBe(0);
        expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([{ hourlyWage: 40 }]);
        await reads(partOf(page, "Revenue Generation"), /Value of a visit\s+\$90/);
      },
      { as: login, refused: ["409 PUT /api/tenant/settings"] },
    );
  });

  test("says that they could not be read, and reads them on Retry", async () => {
    await visit(
      async (page) => {
        await openAnalytics(page);
        await page.route("**/api/tenant/settings", (route) => route.fulfill(down));
        await button(page).click();
        await reads(formOf(page).getByRole("alert"), /Failed to load the amounts[^]*could not be reached/);
        await page.unroute("**/api/tenant/settings");
        await formOf(page).getByRole("button", { name: "Retry" }).click();
        await reads(formOf(page), /Staff wage[^]*Save amounts/);
        expect(await formOf(page).getByRole("alert").count()).toBe(0);
      },
      { as: empty, refused: ["503 GET /api/tenant/settings"] },
    );
  });
});

test("the analytics fit a phone and show nothing of another tenant", async () => {
  await site.visit({ as: empty, viewport: phone }, async ({ page }) => {
    await openAnalytics(page);
    expect(await figuresOf(page)).toEqual({
      "Total Calls": "0",
      "Success Rate": "0%",
      "Average Duration": "0m",
      "Resolution Rate": "0.0%",
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await reads(partOf(page, "Calls to Staff"), /No calls to staff/);
  });
});
