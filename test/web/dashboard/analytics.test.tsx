import { screen, within } from "@testing-library/react";
import {
  tenant,
  tenantCalls,
  tenantDashboard,
  tenantOffices,
  type CallMetrics,
  type ChartDay,
  type RoutingCount,
  type Savings,
  type TenantSettings,
  type ToolUsage,
} from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { longDay, shortDay } from "../../../web/src/features/calls/analytics/day-measures.ts";
import { endOfDay, startOfDay } from "../../../web/src/lib/format/zone-day.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  reads,
  region,
  settled,
  textOf,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const metrics: CallMetrics = {
  ...demo("tenant_admin", tenantDashboard.tenantMetrics),
  ...{ totalCalls: 3, successfulCalls: 3, resolutionRate: 66.666, revenueEvents: 1 },
  // 95, 1900 and 40 seconds
  averageDuration: 2035 / 3,
};
const savings = demo("tenant_admin", tenantDashboard.savings);
const recordedDays = demo("tenant_admin", tenantDashboard.charts);
const noCalls = { calls: 0, resolved: 0, forwarded: 0, abandoned: 0, minutes: 0, revenueEvents: 0 };
const days: ChartDay[] = recordedDays.map(({ date }, at) => ({
  ...{ date, ...noCalls },
  ...(at === recordedDays.length - 1 && { calls: 3, resolved: 2, minutes: 33.9 }),
}));
const lastDay = shortDay(days.at(-1)!.date);
const quiet = (api: FakeApi): void => {
  const none = { totalCalls: 0, successfulCalls: 0, resolutionRate: 0, averageDuration: 0, revenueEvents: 0, abandonedCalls: 0 };
  api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => ({ ...metrics, ...none, range }));
  api.on(tenantDashboard.charts, () => days.map(({ date }) => ({ date, ...noCalls })));
  api.on(tenantDashboard.toolUsage, () => []);
  api.on(tenantDashboard.routing, () => []);
};
/** The tab without days to draw, unless a test is about these. */
const openAnalytics = (query = "", before: (api: FakeApi) => void = () => {}) =>
  asTenant(`/tenant?tab=analytics${query}`, {
    before(api) {
      api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => ({ ...metrics, range }));
      api.on(tenantDashboard.charts, () => []);
      before(api);
    },
  });
const place = (): URLSearchParams => new URLSearchParams(location.search);
const down = () => refusal(503, { error: "The database could not be reached." });
const figures = (): Record<string, string> =>
  Object.fromEntries(
    within(region("Call Analytics"))
      .getAllByRole("article")
      .map((card) => [card.querySelector("dt")?.textContent ?? "", card.querySelector("dd")?.textContent ?? ""]),
  );
const bars = (): HTMLElement[] => within(region("Tool Usage Analytics")).queryAllByRole("progressbar");
const picker = (name: string): HTMLSelectElement => within(region("Call Analytics")).getByRole("combobox", { name });

describe("the figures", () => {
  proves("D1.2-101", async ({ sees }) => {
    await openAnalytics();
    const titles = within(region("Call Analytics")).getAllByRole("heading", { level: 2 });
    expect(titles).toHaveLength(1);
    sees(titles[0]?.textContent);
  });
  proves("D1.2-102", async () => {
    await openAnalytics();
    expect(figures()).toEqual({ "Total Calls": "3", "Success Rate": "100.0%", "Average Duration": "11m", "Resolution Rate": "66.7%" });
  });
  proves("D1.9-011", async ({ sees }) => {
    await openAnalytics();
    expect(figures()["Average Duration"]).toBe("11m");
    await openAnalytics("", quiet);
    expect(figures()["Average Duration"]).toBe("0m");
    sees(figures()["Average Duration"]);
  });
  test("of an organization without calls are zeros, and each panel says that there is nothing yet", async () => {
    await openAnalytics("", quiet);
    expect(figures()).toEqual({ "Total Calls": "0", "Success Rate": "0%", "Average Duration": "0m", "Resolution Rate": "0.0%" });
    expect(textOf(region("Day by Day"))).toContain("No calls on these days");
    expect(within(region("Day by Day")).queryByRole("figure")).toBeNull();
    expect(textOf(region("Calls to Staff"))).toContain("No calls to staff");
  });
});

describe("tool usage", () => {
  const withUsage = (usage: ToolUsage[]) => openAnalytics("", (api) => api.on(tenantDashboard.toolUsage, () => usage));

  const drawnWidth = (): string => bars()[0]!.querySelector("div")!.style.width;

  proves("D1.2-104", async ({ sees }) => {
    await withUsage([
      { toolName: "verifyPatientIdentity", count: 30, successRate: 66.666 },
      { toolName: "scheduleAppointment", count: 1, successRate: 100 },
      { toolName: "sendSMS", count: 2, successRate: null },
    ]);
    sees(textOf(region("Tool Usage Analytics")));
    expect(
      bars().map((bar) => [bar.getAttribute("aria-label"), bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuetext")]),
    ).toEqual([
      ["Verify patient identity, success rate", "66.7", "66.7% of 30 uses succeeded"],
      ["Schedule appointments, success rate", "100", "100.0% of 1 use succeeded"],
      ["Send a text message, success rate", "0", "Not known"],
    ]);
    const lines = within(region("Tool Usage Analytics")).getAllByRole("listitem");
    expect(lines.map((line) => textOf(line))).toEqual([
      "Verify patient identity verifyPatientIdentity 30 uses 66.7% 10 failed",
      "Schedule appointments scheduleAppointment 1 use 100.0%",
      "Send a text message sendSMS 2 uses N/A",
    ]);
  });
  proves("D1.9-014", async () => {
    await withUsage([{ toolName: "getPatientInfo", count: 7, successRate: 140 }]);
    expect(bars().map((bar) => bar.getAttribute("aria-valuenow"))).toEqual(["100"]);
    expect(drawnWidth()).toBe("100%");
  });
  proves("D1.9-015", async () => {
    await withUsage([{ toolName: "getPatientInfo", count: 8, successRate: 62.5 }]);
    expect(bars().map((bar) => [bar.getAttribute("aria-valuemax"), bar.getAttribute("aria-valuenow")])).toEqual([["100", "62.5"]]);
    expect(drawnWidth()).toBe("62.5%");
  });
  proves("D1.2-108", async ({ sees }) => {
    await withUsage([]);
    sees(textOf(region("Tool Usage Analytics")));
    expect(bars()).toEqual([]);
  });
});

proves("D1.2-105", async ({ sees }) => {
  await openAnalytics();
  const card = region("Revenue Generation");
  sees(within(card).getByRole("heading").textContent);
  expect(textOf(card)).toMatch(/ 1 appointments booked by voice agents /);
  expect(described("Value of a visit", card)).toBe("Not set");
});

proves("D1.2-106", async ({ sees }) => {
  await openAnalytics("", (api) =>
    api.on(tenantDashboard.savings, () => ({
      ...savings,
      ...{ monthlySavings: 1234.5, annualProjection: 14814, savingsPerCall: 411.5 },
      breakdown: { callHandling: 740.7, dataRetrieval: 308.63, administrative: 185.18 },
    })),
  );
  const card = region("Cost Savings");
  sees(within(card).getByRole("heading").textContent);
  expect(textOf(card)).toMatch(/\$1,235 of staff time saved in a month/);
  expect([described("A year at this rate", card), described("Saved per call", card)]).toEqual(["$14,814", "$411.50"]);
  const parts = within(card).getAllByRole("listitem");
  expect(parts.map((part) => /\$[\d.,]+/.exec(textOf(part))?.[0])).toEqual(["$740.70", "$308.63", "$185.18"]);
  expect(textOf(card)).toContain("$25.00 an hour, which is assumed");
});

describe("the time range", () => {
  const asked = ({ api }: { api: FakeApi }) =>
    [tenantDashboard.tenantMetrics, tenantDashboard.charts, tenantDashboard.toolUsage, tenantDashboard.routing].map((route) => {
      const { range, officeId } = api.received(route).at(-1)!.query;
      return [range, officeId];
    });

  test("and the office stand in the address, count for every figure, and outlive a reload; the focus stays", async () => {
    const { id, name } = demo("tenant_admin", tenantOffices.officeCards)[0]!;
    const counts = (api: FakeApi) =>
      api.on(tenantDashboard.tenantMetrics, ({ query: { range, officeId } }) => ({
        ...{ ...metrics, range },
        totalCalls: range === "7days" && officeId === id ? 1206 : 3,
      }));
    const opened = await openAnalytics("", counts);
    const { user } = opened;
    picker("Time range").focus();
    await user.selectOptions(picker("Time range"), "Last 7 days");
    await settled();
    expect(document.activeElement).toBe(picker("Time range"));
    await user.selectOptions(picker("Office"), name);
    await eventually(() => expect(figures()["Total Calls"]).toBe("1,206"));
    expect([place().get("range"), place().get("office"), place().get("tab")]).toEqual(["7days", id, "analytics"]);
    const of7Days = Array.from({ length: 4 }, () => ["7days", id]);
    await eventually(() => expect(asked(opened)).toEqual(of7Days));
    const { searchParams } = new URL(location.href);
    const again = await openAnalytics(`&range=${searchParams.get("range")}&office=${searchParams.get("office")}`, counts);
    expect([picker("Time range").value, picker("Office").value, figures()["Total Calls"]]).toEqual(["7days", id, "1,206"]);
    await again.user.selectOptions(picker("Time range"), "Last 30 days");
    expect(place().get("range")).toBeNull();
    await settled();
  });

  test("that makes no sense in the address is the usual one, and all time has the last 90 days' charts", async () => {
    const usual = await openAnalytics("&range=forever&office=nowhere");
    expect(picker("Time range").value).toBe("30days");
    expect(asked(usual)).toEqual(Array.from({ length: 4 }, () => ["30days", undefined]));
    const all = await openAnalytics("&range=all");
    expect(asked(all).map(([range]) => range)).toEqual(["all", "90days", "all", "all"]);
    expect(textOf(region("Day by Day"))).toContain("Last 90 days, the longest range with daily figures");
  });
});

describe("U04: one range of the clinic's days", () => {
  test("is that of the figures, the charts and the list of calls", async () => {
    const { api, user } = await openAnalytics();
    await user.selectOptions(picker("Time range"), "Last month");
    await settled();
    const { from, to } = api.received(tenantDashboard.charts).at(-1)!.query;
    expect(from).toMatch(/-01$/);
    for (const route of [tenantDashboard.tenantMetrics, tenantDashboard.toolUsage, tenantDashboard.routing])
      expect(api.received(route).some(({ query }) => query.from === from && query.to === to)).toBe(true);
    const zone = demo("tenant_admin", tenant.tenantSettings).timeZone;
    await eventually(() =>
      expect(api.received(tenantCalls.listCalls).at(-1)?.query).toMatchObject({
        from: startOfDay(from!, zone),
        to: endOfDay(to!, zone),
      }),
    );
    expect(textOf(region("Recent Call Details"))).toContain("Last month, ");
  });

  test("is one day in the list that a day of the table opens, without test calls, and Back returns", async () => {
    const date = days.at(-1)!.date;
    const { api, user } = await openAnalytics("&days=table&outcome=resolved", (fake) => fake.on(tenantDashboard.charts, () => days));
    await user.click(screen.getByRole("link", { name: `${longDay(date)}: see its calls` }));
    expect(location.pathname).toBe("/tenant/calls");
    expect([place().get("from"), place().get("to"), place().get("outcome")]).toEqual([date, date, "ended"]);
    const zone = demo("tenant_admin", tenant.tenantSettings).timeZone;
    await eventually(() =>
      expect(api.received(tenantCalls.listCalls).at(-1)?.query).toMatchObject({ from: startOfDay(date, zone), isTest: false }),
    );
    await settled();
    history.back();
    await eventually(() => expect(place().get("from")).toBeNull());
    await settled();
    await user.click(await screen.findByRole("link", { name: `Resolved on ${longDay(date)}: 2, see these calls` }));
    expect([place().get("from"), place().get("to"), place().get("outcome")]).toEqual([date, date, "resolved"]);
    await eventually(() => expect(api.received(tenantCalls.listCalls).at(-1)?.query.outcome).toBe("resolved"));
    await settled();
  });

  test("is compared with the days before", async () => {
    const { range: _, previous: __, days: ___, ...before } = metrics;
    await openAnalytics("", (api) =>
      api.on(tenantDashboard.tenantMetrics, ({ query }) => ({
        ...{ ...metrics, range: query.range, totalCalls: 3 },
        previous: { ...before, totalCalls: 4, days: { from: "2026-09-29", to: "2026-10-28" } },
      })),
    );
    expect(textOf(region("Call Analytics"))).toContain("Last 30 days; 25% fewer than before");
    expect(textOf(region("Call Analytics"))).toContain("Previous period, Sep 29 to Oct 28, 2026 4 calls");
  });

  test("names its days once, and tells the appointments booked then and before", async () => {
    const { range: _, previous: __, days: ___, ...before } = metrics;
    const days = { from: "2026-10-01", to: "2026-10-31" };
    await openAnalytics(`&from=${days.from}&to=${days.to}`, (api) =>
      api.on(tenantDashboard.tenantMetrics, ({ query }) => ({
        ...{ ...metrics, range: query.range, days, totalCalls: 3, revenueEvents: 1 },
        previous: { ...before, totalCalls: 4, revenueEvents: 2, days: { from: "2026-08-31", to: "2026-09-30" } },
      })),
    );
    const said = textOf(region("Call Analytics"));
    expect(said).toContain("helped the caller. Oct 1 to Oct 31, 2026 2 resolved");
    expect(said).not.toContain("2026, Oct 1");
    expect(said).toMatch(/0 of these abandoned 1 appointment booked /);
    expect(said).toContain("2 appointments booked");
  });
});

test("a comparison of a day that is not over with whole days says so", async () => {
  const { range: _, previous: __, days: ___, ...figures } = demo("tenant_admin", tenantDashboard.tenantMetrics);
  await asTenant("/tenant?tab=analytics&range=24hours", {
    before(api) {
      api.on(tenantDashboard.charts, () => []);
      // Twenty calls a day, two of them by nine in the morning
      api.on(tenantDashboard.tenantMetrics, ({ query }) => ({
        ...{ ...figures, range: query.range, totalCalls: 22, days: { from: "2026-06-03", to: "2026-06-04" } },
        previous: { ...figures, totalCalls: 40, days: { from: "2026-06-01", to: "2026-06-02" } },
      }));
    },
  });
  expect(textOf(region("Call Analytics"))).toContain("Today and yesterday; 45% fewer than before, though today is not over");
});

test("the charts tell each day in words, and are a table on demand, which the address remembers", async () => {
  const withDays = (api: FakeApi) => api.on(tenantDashboard.charts, () => days);
  const { user } = await openAnalytics("", withDays);
  const drawn = () => within(region("Day by Day")).queryAllByRole("figure");
  const rows = () => within(region("Day by Day")).queryAllByRole("row");
  await eventually(() => expect(drawn()).toHaveLength(4));
  expect(textOf(region("Day by Day"))).toContain("Days are in Eastern Time; today is incomplete.");
  expect(drawn().map((figure) => textOf(figure.querySelector("figcaption")!))).toEqual([
    expect.stringMatching(new RegExp(`^.+ by day, .+ to ${lastDay}\\. All calls: 3 in total, most on ${lastDay} `)),
    expect.stringMatching(/33\.9 in total/),
    expect.stringMatching(/by day/),
    expect.stringMatching(/^Abandoned calls by day/),
  ]);
  button("View as table", region("Day by Day")).focus();
  await user.keyboard("{Enter}");
  await eventually(() => expect(rows()).toHaveLength(days.length + 1));
  expect(textOf(rows()[1]!)).toMatch(new RegExp(`${lastDay}.* 3 2 0 33\\.9 0 0$`));
  await hasFocus(() => button("View as charts", region("Day by Day")));
  const { user: again } = await openAnalytics(`&days=${place().get("days")}`, withDays);
  expect(rows()).toHaveLength(days.length + 1);
  await again.click(button("View as charts", region("Day by Day")));
  await eventually(() => expect(drawn()).toHaveLength(4));
  expect(place().get("days")).toBeNull();
});

test("calls to staff are counted by reason, with what became of them", async () => {
  await openAnalytics("", (api) =>
    api.on(tenantDashboard.routing, (): RoutingCount[] => [
      { reason: "billing", outcome: "callback", count: 1 },
      { reason: "billing", outcome: "voicemail", count: 1 },
      { reason: "person", outcome: "callback", count: 1 },
    ]),
  );
  const lines = within(region("Calls to Staff")).getAllByRole("listitem");
  expect(lines.map((line) => textOf(line))).toEqual([
    "Billing 2 (66.7%) 1 to be called back, 1 left a voicemail",
    "Asked for a person 1 (33.3%) 1 to be called back",
  ]);
});

test("each count of a reason, a tool, its failures and the bookings leads to the calls behind it", async () => {
  const [office] = demo("tenant_admin", tenantOffices.officeCards);
  await openAnalytics(`&range=7days&office=${office?.id}&days=table&q=a`, (api) => {
    api.on(tenantDashboard.routing, (): RoutingCount[] => [{ reason: "billing", outcome: "callback", count: 2 }]);
    api.on(tenantDashboard.toolUsage, (): ToolUsage[] => [{ toolName: "sendSMS", count: 4, successRate: 75 }]);
    api.on(tenantDashboard.charts, () => [{ ...noCalls, date: "2026-11-27", calls: 3, revenueEvents: 2 }]);
  });
  const opens = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  const counted = (more: string) => `/tenant/calls?range=7days&office=${office?.id}&${more}&withoutTests=true`;
  expect(opens("2 for Billing: see the calls")).toBe(counted("loggedReason=billing"));
  expect(opens("4 uses of Send a text message: see the calls")).toBe(counted("tool=sendSMS"));
  expect(opens("1 failed use of Send a text message: see the calls")).toBe(counted("failedTool=sendSMS"));
  expect(opens("1 appointment booked")).toBe(counted("result=booked"));
  expect(opens("Appointments on Fri, Nov 27, 2026: 2, see these calls")).toBe(
    `/tenant/calls?range=7days&office=${office?.id}&from=2026-11-27&to=2026-11-27&result=booked&withoutTests=true`,
  );
});

describe("the estimates for the days of the page", () => {
  const { range: _, previous: __, days: ___, ...before } = metrics;
  const counted = (api: FakeApi) => {
    api.on(tenantDashboard.tenantMetrics, ({ query: { range } }) => ({
      ...{ ...metrics, range, totalCalls: 8, revenueEvents: 3, costSavings: { hoursAutomated: 2, staffEquivalent: 0.0125 } },
      previous: {
        ...before,
        revenueEvents: 1,
        costSavings: { hoursAutomated: 1, staffEquivalent: 0 },
        days: { from: "2026-11-15", to: "2026-11-21" },
      },
    }));
    api.on(tenant.tenantSettings, () => ({ ...demo("tenant_admin", tenant.tenantSettings), averageVisitValue: 120 }));
    api.on(tenantDashboard.savings, () => ({ ...savings, hourlyWage: 30, isWageAssumed: false, revenue: 1200 }));
  };
  const partOf = (card: string, name: string): HTMLElement | null => within(region(card)).queryByRole("region", { name });

  test("stand below those of the last 30 days, with the days before and the office", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    await openAnalytics(`&range=7days&office=${office?.id}`, counted);
    const name = `Last 7 days, ${office?.name}`;
    const earned = partOf("Revenue Generation", name)!;
    expect(["Revenue", "Appointments booked", "Revenue, Nov 15 to Nov 21, 2026"].map((one) => described(one, earned))).toEqual([
      ...["$360.00", "3", "$120.00"],
    ]);
    const saved = partOf("Cost Savings", name)!;
    expect(["Staff time saved", "Hours automated", "Staff time saved, Nov 15 to Nov 21, 2026"].map((one) => described(one, saved))).toEqual(
      [...["$60.00", "2h", "$30.00"]],
    );
    expect(textOf(region("Cost Savings"))).toContain("An estimate for the last 30 days, all offices.");
  });

  test("are not repeated where the page shows the last 30 days of all offices", async () => {
    await openAnalytics("", counted);
    for (const card of ["Revenue Generation", "Cost Savings"])
      expect(within(region(card)).queryAllByRole("heading", { level: 3 })).toEqual([]);
  });
});

describe("panels whose data cannot be read", () => {
  const { tenantMetrics, charts, toolUsage, routing, savings: savingsRoute } = tenantDashboard;
  const parts = [
    { route: tenantMetrics, what: "analytics metrics", panel: "Call Analytics" },
    { route: charts, what: "calls by day", panel: "Day by Day" },
    { route: toolUsage, what: "tool usage analytics", panel: "Tool Usage Analytics" },
    { route: routing, what: "calls to staff", panel: "Calls to Staff" },
    { route: savingsRoute, what: "cost savings", panel: "Cost Savings" },
  ];
  const alertsIn = (panel: string) => within(region(panel)).queryAllByRole("alert");

  test.each(parts)("say so for $what, with the request to name; the others live on, and Retry mends it", async ({ route, what, panel }) => {
    let isDown = true;
    const { user } = await openAnalytics("&range=7days", (api) => {
      const handlers = {
        [tenantMetrics.path]: () =>
          api.on(tenantMetrics, ({ query: { range } }) => (isDown && range === "7days" ? down() : { ...metrics, range })),
        [charts.path]: () => api.on(charts, () => (isDown ? down() : [])),
        [toolUsage.path]: () => api.on(toolUsage, () => (isDown ? down() : [])),
        [routing.path]: () => api.on(routing, () => (isDown ? down() : [])),
        [savingsRoute.path]: () => api.on(savingsRoute, () => (isDown ? down() : savings)),
      };
      handlers[route.path]?.();
    });
    expect(alertsIn(panel).map((alert) => textOf(alert))).toEqual([
      expect.stringMatching(new RegExp(`Failed to load ${what}.*could not be reached.*Request ID: 0123456789abcdef`)),
    ]);
    for (const other of parts.filter((one) => one.panel !== panel)) expect([other.panel, alertsIn(other.panel)]).toEqual([other.panel, []]);
    isDown = false;
    await user.click(button("Retry", region(panel)));
    await eventually(() => expect(alertsIn(panel)).toEqual([]));
    await settled();
  });
});

describe("the form of the amounts that money is counted by", () => {
  /** An API that keeps the amounts and counts by them. */
  const keeps = (state: { settings: TenantSettings }) => (api: FakeApi) => {
    api.on(tenant.tenantSettings, () => state.settings);
    api.on(tenantDashboard.savings, (): Savings => {
      const { hourlyWage, averageVisitValue } = state.settings;
      return { ...savings, hourlyWage: hourlyWage ?? 25, isWageAssumed: hourlyWage === null, revenue: averageVisitValue };
    });
    api.on(tenant.updateTenantSettings, ({ body, ifMatch }) => {
      if (ifMatch !== state.settings.version) return refusal(409, { error: "It was changed meanwhile.", code: "stale_version" });
      const { hourlyWage = state.settings.hourlyWage, averageVisitValue = state.settings.averageVisitValue } = body;
      state.settings = { ...state.settings, hourlyWage, averageVisitValue, version: ifMatch + 1 };
      return state.settings;
    });
  };
  const openForm = async (before: (api: FakeApi) => void = () => {}) => {
    const state = { settings: demo("tenant_admin", tenant.tenantSettings) };
    const opened = await openAnalytics("", (api) => {
      keeps(state)(api);
      before(api);
    });
    await opened.user.click(button(/visit value/, region("Revenue Generation")));
    await dialogOpened();
    const sent = () => opened.api.received(tenant.updateTenantSettings).map(({ body, ifMatch }) => ({ ...body, ifMatch }));
    return { ...opened, state, sent };
  };
  const save = (): HTMLElement => button("Save amounts", dialog());

  test("checks them, keeps what was typed when saving fails, sends them once, and the estimates follow", async () => {
    const { api, user, state, sent } = await openForm();
    const { version } = state.settings;
    fill("Staff wage", "a lot", dialog());
    fill("Value of a visit", "$1,120.50", dialog());
    await user.click(save());
    await reads(dialog, "Must be an amount in dollars and cents");
    expect(sent()).toEqual([]);
    fill("Staff wage", "30", dialog());
    api.once(tenant.updateTenantSettings, down);
    await user.click(save());
    await reads(() => within(dialog()).queryByRole("alert"), "could not be reached");
    expect(labeled("Value of a visit", dialog()).value).toBe("$1,120.50");
    await user.dblClick(save());
    await isGone("dialog");
    const typed = { hourlyWage: 30, averageVisitValue: 1120.5, ifMatch: version };
    expect(sent()).toEqual([typed, typed]);
    await reads(region("Revenue Generation"), /\$1,121 brought in by booked appointments/);
    await reads(region("Cost Savings"), "$30.00 an hour. ");
    await hasFocus(() => button("Change visit value", region("Revenue Generation")));
  });

  test("begins with the amounts as they are, and asks before what was typed is thrown away", async () => {
    const { user, sent } = await openForm((api) =>
      keeps({ settings: { ...demo("tenant_admin", tenant.tenantSettings), hourlyWage: 30, averageVisitValue: 1120.5 } })(api),
    );
    expect([labeled("Staff wage", dialog()).value, labeled("Value of a visit", dialog()).value]).toEqual(["30.00", "1120.50"]);
    fill("Staff wage", "31", dialog());
    await user.keyboard("{Escape}");
    await reads(() => screen.queryByRole("alertdialog"), "Discard changes?");
    await user.click(button("Discard"));
    await isGone("dialog");
    expect(textOf(region("Cost Savings"))).toContain("Change wage");
    expect(sent()).toEqual([]);
  });

  test("sends what was typed and nothing else, and tells of a change made meanwhile", async () => {
    const { user, state, sent } = await openForm();
    const { version } = state.settings;
    fill("Staff wage", "40", dialog());
    state.settings = { ...state.settings, averageVisitValue: 90, version: version + 1 };
    await user.click(save());
    await reads(() => within(dialog()).queryByRole("alert"), "Another user has changed the settings in the meantime");
    await eventually(() => expect(labeled("Value of a visit", dialog()).value).toBe("90.00"));
    expect(labeled("Staff wage", dialog()).value).toBe("40");
    await user.click(save());
    await isGone("dialog");
    expect(sent()).toEqual([
      { hourlyWage: 40, ifMatch: version },
      { hourlyWage: 40, ifMatch: version + 1 },
    ]);
    await eventually(() => expect(described("Value of a visit", region("Revenue Generation"))).toBe("$90.00"));
  });

  test("says that they could not be read, and reads them on Retry", async () => {
    const { api, user } = await openAnalytics();
    api.once(tenant.tenantSettings, down);
    await user.click(button(/visit value/, region("Revenue Generation")));
    await dialogOpened();
    expect(textOf(within(dialog()).getByRole("alert"))).toMatch(/Failed to load the amounts.*could not be reached/);
    await user.click(button("Retry", dialog()));
    await reads(dialog, /Staff wage.*Save amounts/);
    expect(within(dialog()).queryByRole("alert")).toBeNull();
  });
});
