import { screen, within } from "@testing-library/react";
import {
  dashboard,
  sessions,
  tenant,
  tenantDashboard,
  tenantOffices,
  type CallMetrics,
  type PlatformMetrics,
  type SignedIn,
} from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import paths from "../../../web/src/app/paths.json" with { type: "json" };
import { demo, demoUser } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  asTenant,
  button,
  eventually,
  fill,
  holdTime,
  reads,
  region,
  settled,
  showTab,
  tab,
  textOf,
  toast,
  visit,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const tenantPaths = paths.map((entry) => entry.path).filter((path) => ["/tenant", "/tenant-dashboard"].includes(path));
const down = () => refusal(503, { error: "The database could not be reached." });
const place = (): string => `${location.pathname}${location.search}`;
const titled = (title: string): Promise<void> => eventually(() => expect(document.querySelector("h1")?.textContent).toBe(title));
const main = (): HTMLElement => screen.getByRole("main");
const tenantRequests = ({ log }: FakeApi): string[] => log.filter((one) => one.includes("/api/tenant/"));

type Card = { value: string; caption?: string };
/** The summary cards by their labels: the figure, and what stands below. */
const cards = (): Record<string, Card> =>
  Object.fromEntries(
    within(region("Summary"))
      .getAllByRole("article")
      .map((card) => {
        const [value = "", caption] = [...card.querySelectorAll("dd")].map(({ textContent }) => textContent);
        return [card.querySelector("dt")?.textContent ?? "", { value, ...(caption !== undefined && { caption }) }];
      }),
  );
const factsOf = (name: string): string[] =>
  within(within(region("Summary")).getByRole("list", { name }))
    .getAllByRole("listitem")
    .map((fact) => textOf(fact));

const figures: CallMetrics = {
  totalCalls: 3,
  successfulCalls: 2,
  resolvedCalls: 2,
  forwardedCalls: 1,
  resolutionRate: 66.6666,
  averageDuration: 90,
  revenueEvents: 1,
  abandonedCalls: 0,
  toolRuns: 4,
  failedToolRuns: 4,
  costSavings: { hoursAutomated: 1.5, staffEquivalent: 0.009375 },
  range: "30days",
  days: { from: "2026-10-30", to: "2026-11-28" },
  previous: null,
};
const withFigures = (given: Partial<CallMetrics> = {}) =>
  asTenant("/tenant", {
    before: (api) => api.on(tenantDashboard.tenantMetrics, ({ query }) => ({ ...figures, ...given, range: query.range })),
  });

const signedIn = (user = demoUser("tenant_admin")): SignedIn => ({ user, token: "a-session", mustChangePassword: false, pending: null });
const signIn = async (user: { click(element: Element): Promise<void> }): Promise<void> => {
  fill("Email", "rita@riverside.example");
  fill("Password", "four words in a row");
  await user.click(button("Sign in", main()));
  await titled("Tenant Dashboard");
  await settled();
};

describe("the tenant's dashboard", () => {
  for (const id of ["D1.2-060", "D1.2-061", "D1.2-062", "D1.2-067"])
    proves(id, async ({ sees }) => {
      for (const address of tenantPaths) {
        await asTenant(address);
        sees(screen.getByRole("heading", { level: 1 }).textContent);
        expect(document.title).toBe("Tenant Dashboard · Vitaline");
        expect(button("Logout", screen.getByRole("banner"))).toBeTruthy();
        expect(Object.keys(cards())).toEqual(["Total Calls", "Resolution Rate", "Revenue Events", "Time Saved"]);
        const labels = screen.getAllByRole("tab").map(({ textContent }) => textContent);
        expect(labels).toEqual(["Overview", "API Keys", "FHIR", "Analytics", "Offices", "Audit", "System"]);
      }
      expect(tenantPaths).toHaveLength(2);
    });

  for (const [id, card, expected] of [
    ["D1.2-063", "Total Calls", { value: "3", caption: "66.7% success rate" }],
    ["D1.2-064", "Resolution Rate", { value: "66.7%", caption: "Calls resolved without forwarding" }],
    ["D1.2-065", "Revenue Events", { value: "1", caption: "Successful appointments scheduled" }],
    ["D1.2-066", "Time Saved", { value: "1.5h", caption: "0.01 full-time staff equivalent" }],
    ["D1.9-010", "Resolution Rate", { value: "66.7%", caption: "Calls resolved without forwarding" }],
  ] as const)
    proves(id, async ({ sees }) => {
      await withFigures();
      expect(cards()[card]).toEqual(expected);
      expect(textOf(main())).toContain("Last 30 days");
      sees(textOf(main()));
    });

  proves("D1.9-009", async ({ sees }) => {
    const captions: (string | undefined)[] = [];
    for (const [totalCalls, successfulCalls] of [
      [0, 0],
      [3, 2],
      [8, 7],
      [5, 5],
    ] as const) {
      await withFigures({ totalCalls, successfulCalls });
      captions.push(cards()["Total Calls"]?.caption);
    }
    expect(captions).toEqual(["0%", "66.7%", "87.5%", "100.0%"].map((rate) => `${rate} success rate`));
    sees(captions);
  });

  test("U03: the success rate stands beside what it leaves out: outcomes, failed tools, and the days before", async () => {
    const { range: _, previous: __, ...before } = { ...figures, days: { from: "2026-09-30", to: "2026-10-29" } };
    await withFigures({
      ...{ totalCalls: 4, successfulCalls: 4, resolvedCalls: 1, forwardedCalls: 1, abandonedCalls: 1 },
      previous: { ...before, totalCalls: 8, resolutionRate: 50, failedToolRuns: 1 },
    });
    expect(cards()["Total Calls"]).toEqual({ value: "4", caption: "100.0% success rate" });
    expect(textOf(region("Summary"))).toContain("A call counts as successful once it ended normally, whether or not it helped the caller.");
    expect(factsOf("Last 30 days, Oct 30 to Nov 28, 2026")).toEqual([
      ...["1 resolved", "1 transferred to a person", "2 unresolved", "1 of these abandoned", "1 appointment booked"],
      "4 of 4 tool runs failed (100.0%): See these calls",
    ]);
    expect(factsOf("Previous period, Sep 30 to Oct 29, 2026")).toEqual([
      ...["8 calls", "50.0% resolved", "1 appointment booked", "25.0% of tool runs failed"],
    ]);
    const unresolved = within(region("Summary")).getByRole("link", { name: "2 unresolved" });
    expect(unresolved.getAttribute("href")).toBe("/tenant/calls?outcome=unresolved&withoutTests=true");
    const failed = within(region("Summary")).getByRole("link", { name: "See these calls" });
    expect(failed.getAttribute("href")).toBe("/tenant/calls?toolFailed=true&withoutTests=true");
  });

  test("a tenant without calls is shown no figure that was not measured", async () => {
    await asTenant("/tenant", {
      me: { tenantName: "Meadow Clinic" },
      before(api) {
        const none = { totalCalls: 0, successfulCalls: 0, resolutionRate: 0, averageDuration: 0, revenueEvents: 0, abandonedCalls: 0 };
        const costSavings = { hoursAutomated: 0, staffEquivalent: 0 };
        api.on(tenantDashboard.tenantMetrics, ({ query }) => ({
          ...figures,
          ...none,
          toolRuns: 0,
          failedToolRuns: 0,
          costSavings,
          range: query.range,
        }));
        api.on(tenantDashboard.recentCalls, () => []);
        api.on(tenantDashboard.toolUsage, () => []);
      },
    });
    expect(cards()).toEqual({
      "Total Calls": { value: "0", caption: "0% success rate" },
      "Resolution Rate": { value: "0.0%", caption: "Calls resolved without forwarding" },
      "Revenue Events": { value: "0", caption: "Successful appointments scheduled" },
      "Time Saved": { value: "0h", caption: "0 full-time staff equivalent" },
    });
    expect(textOf(region("Recent Calls"))).toContain("No call data available");
    expect(textOf(region("Top Tools"))).toContain("No tool usage data available");
    expect(textOf(main())).toContain("Meadow Clinic");
  });

  test("the summary cards follow each refresh", async () => {
    const half = { hoursAutomated: 0.5, staffEquivalent: 0.003125 };
    let now: Partial<CallMetrics> = {};
    const { user } = await asTenant("/tenant", {
      before: (api) => api.on(tenantDashboard.tenantMetrics, ({ query }) => ({ ...figures, ...now, range: query.range })),
    });
    now = { totalCalls: 1204, successfulCalls: 1203, resolutionRate: 75, revenueEvents: 2, costSavings: half };
    expect(cards()["Total Calls"]?.value).toBe("3");
    await user.click(button("Refresh"));
    await eventually(() =>
      expect(cards()).toEqual({
        "Total Calls": { value: "1,204", caption: "99.9% success rate" },
        "Resolution Rate": { value: "75.0%", caption: "Calls resolved without forwarding" },
        "Revenue Events": { value: "2", caption: "Successful appointments scheduled" },
        "Time Saved": { value: "0.5h", caption: "<0.01 full-time staff equivalent" },
      }),
    );
    await eventually(() => expect(button("Refresh")).toBeTruthy());
  });

  test("what is shown stays when the network is gone, and a refresh says that it failed", async () => {
    const { user } = await asTenant("/tenant");
    const shown = cards();
    const calls = textOf(region("Recent Calls"));
    const online = fetch;
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await user.click(button("Refresh"));
    await reads(toast, /Error.*could not be reached/);
    expect([cards(), textOf(region("Recent Calls"))]).toEqual([shown, calls]);
    vi.stubGlobal("fetch", online);
    await user.click(button("Refresh"));
    await eventually(() => expect(button("Refresh")).toBeTruthy());
    expect(cards()).toEqual(shown);
  });

  test("without the organization's settings it says whose time zone it uses, until they load", async () => {
    const { user } = await asTenant("/tenant", { before: (api) => api.once(tenant.tenantSettings, down) });
    expect(textOf(screen.getByRole("alert"))).toMatch(/Failed to load organization settings.*browser's zone.*could not be reached/);
    await user.click(button("Retry"));
    await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  proves("D1.1-011", async () => {
    const { user } = await asTenant("/tenant");
    const seen: [label: string, text: RegExp][] = [
      ["Analytics", /Call Analytics.*Total Calls 3 .*Recent Call Details.*Completed/],
      ["API Keys", /API Key Management.*•{32}.*Active/],
      ["FHIR", /FHIR Integration.*Sandbox EHR.*Available Operations.*scheduleAppointment/],
      ["Offices", /Office Management.*Main Street Office/],
      ["Audit", /Audit & Compliance.*(AM|PM)/],
      ["System", /System Health.*Cost Savings.*\$\d/],
    ];
    for (const [label, text] of seen) {
      await showTab(user, label);
      await reads(screen.getByRole("tabpanel", { name: label }), text);
    }
  });

  proves("D1.6-008", async () => {
    const signed = signedIn();
    const before = (api: FakeApi) => {
      api.on(sessions.login, () => signed);
      api.on(sessions.me, () => signed.user);
    };
    for (const address of tenantPaths) {
      const { api } = await visit(address, { before });
      await titled("Tenant Login");
      expect(tenantRequests(api)).toEqual([]);
    }
    const { api, user } = await visit("/tenant", { before });
    await signIn(user);
    expect(tenantRequests(api).length).toBeGreaterThan(3);
    await user.click(button("Logout"));
    await titled("Tenant Login");
    const asked = tenantRequests(api).length;
    history.back();
    await settled();
    await titled("Tenant Login");
    expect(tenantRequests(api)).toHaveLength(asked);
  });

  proves("D1.9-004", async () => {
    const open = (address: string) => asTenant(address, { before: (api) => api.on(tenantDashboard.charts, () => []) });
    const pass = holdTime();
    for (const name of ["overview", "api-keys", "fhir", "analytics", "offices", "audit"]) {
      const { api } = await open(`/tenant?tab=${name}`);
      const asked = api.log.length;
      expect(tenantRequests(api).length).toBeGreaterThan(1);
      await pass(120_000);
      expect([name, api.log.slice(asked)]).toEqual([name, []]);
    }
    const { api } = await open("/tenant?tab=system");
    const asked = api.log.length;
    await pass(31_000);
    expect(new Set(api.log.slice(asked))).toEqual(new Set(["GET /api/tenant/dashboard/system-health"]));
  });

  test("nothing of a tenant is left behind for the next one in the same browser", async () => {
    const first = signedIn({ ...demoUser("tenant_admin"), tenantName: "First Clinic" });
    const second = signedIn({
      ...first.user,
      id: `${first.user.id.slice(0, -1)}x`,
      tenantId: "01m83bhp8m68dhac6etbkm9faz",
      tenantName: "Second Clinic",
    });
    let now = first;
    const { api, user } = await visit("/login", {
      before(opened) {
        opened.on(sessions.login, () => now);
        opened.on(sessions.me, () => now.user);
        opened.on(tenantDashboard.tenantMetrics, ({ query }) => ({ ...figures, totalCalls: now === first ? 1 : 0, range: query.range }));
        opened.on(tenantDashboard.recentCalls, () => []);
        opened.on(tenantOffices.officeCards, () => []);
      },
    });
    await signIn(user);
    expect(cards()["Total Calls"]?.value).toBe("1");
    localStorage.setItem("tenant_api_key", "a key");
    await user.click(button("Dismiss"));
    await user.click(button("Logout"));
    await titled("Tenant Login");
    // That a person has dismissed the checklist stays, and says no more than that.
    expect(Object.entries(localStorage)).toEqual([[expect.stringMatching(/^onboarding:[\w-]+:[0-9a-z]{26}:[0-9a-z]{26}$/), "yes"]]);
    expect(sessionStorage.length).toBe(0);
    now = second;
    const asked = api.log.length;
    await signIn(user);
    expect(cards()["Total Calls"]?.value).toBe("0");
    expect(api.log.slice(asked)).toContain("GET /api/tenant/dashboard/metrics");
    const text = textOf(document.body);
    expect(text).toContain("Second Clinic");
    expect(text).not.toContain("First Clinic");
  });
});

describe("the administrators' dashboard", () => {
  proves("D1.2-016", async () => {
    const { api, user } = await asSystem("/admin");
    await user.click(button("Logout"));
    await titled("System Admin Login");
    expect(place()).toBe("/admin/login");
    expect(api.received(sessions.logout)).toHaveLength(1);
    expect(localStorage.getItem("auth_token")).toBeNull();
  });

  test("three cards count users and tenants, and count again when the page is opened again", async () => {
    let counts: PlatformMetrics = { ...demo("system_admin", dashboard.platformMetrics), totalUsers: 3, activeTenants: 1, totalTenants: 2 };
    const open = () => asSystem("/admin", { before: (api) => api.on(dashboard.platformMetrics, () => counts) });
    const shown = () => Object.entries(cards()).map(([label, { value }]) => [label, value]);
    await open();
    expect(shown()).toEqual(Object.entries({ "Total Users": "3", "Active Tenants": "1", "Total Tenants": "2" }));
    counts = { ...counts, totalUsers: 4, activeTenants: 2, totalTenants: 3 };
    await open();
    expect(shown()).toEqual(Object.entries({ "Total Users": "4", "Active Tenants": "2", "Total Tenants": "3" }));
  });

  test("the header says who is signed in, and counts that do not load can be asked for again", async () => {
    const { user, me } = await asSystem("/admin", { before: (api) => api.once(dashboard.platformMetrics, down) });
    expect(textOf(screen.getByRole("banner"))).toMatch(new RegExp(`${me?.firstName} ${me?.lastName}.*${me?.email}.*System Admin.*Logout`));
    expect(textOf(screen.getByRole("alert"))).toContain("Failed to load platform metrics");
    await user.click(button("Retry"));
    await eventually(() => expect(Object.keys(cards())).toEqual(["Total Users", "Active Tenants", "Total Tenants"]));
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

proves("D1.0-001", async () => {
  for (const address of ["/", "/pricing", "/contact"]) {
    await visit(address);
    expect([place(), document.querySelector("h1")?.textContent]).toEqual([address, expect.stringMatching(/\w/)]);
  }
  for (const address of tenantPaths) {
    await visit(address);
    await titled("Tenant Login");
  }
  await asTenant("/tenant");
  await titled("Tenant Dashboard");
  expect(tab("Overview").getAttribute("aria-selected")).toBe("true");
  await asSystem("/admin");
  await titled("Admin Dashboard");
});
