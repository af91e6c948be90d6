import { cleanup, screen, within } from "@testing-library/react";
import { tenant, tenantDashboard, tenantHealth, type Savings, type SystemHealth } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { asTenant, button, eventually, holdTime, link, reads, region, settled, tab, textOf, type Screen } from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const healthy: SystemHealth = {
  ...{ overallStatus: "healthy", uptime: 99.87, uptimeSince: "2026-11-10", apiResponseTime: 31, voiceAgentStatus: "healthy" },
  ...{ fhirConnectivity: "warning", databaseStatus: "healthy", lastUpdated: "2026-11-23T04:43:21.000Z" },
  services: [
    { name: "API", status: "healthy", responseTime: 31 },
    { name: "Database", status: "warning", responseTime: 1240 },
    { name: "Vapi", status: "error", responseTime: null },
  ],
};
const saved: Savings = {
  ...{ hoursAutomated: 12.4, staffEquivalent: 0.0775, hourlyWage: 25, isWageAssumed: true, monthlySavings: 310 },
  ...{ annualProjection: 3720, savingsPerCall: 4.43, roi: null, revenue: null },
  breakdown: { callHandling: 186, dataRetrieval: 77.5, administrative: 46.5 },
};
const words = { healthy: "Healthy", warning: "Warning", error: "Down", unknown: "Unknown" } as const;

const openSystem = (health: SystemHealth = healthy, savings: Savings = saved, before?: (api: FakeApi) => void): Promise<Screen> =>
  asTenant("/tenant?tab=system", {
    before: (api) => {
      api.on(tenantHealth.tenantSystemHealth, () => health);
      api.on(tenantDashboard.savings, () => savings);
      before?.(api);
    },
  });
const healthPanel = () => region("System Health");
const savingsPanel = () => region("Cost Savings Analytics");

/** Names of figures with all that stands below them. */
const figuresIn = (part: HTMLElement): Record<string, string> =>
  Object.fromEntries(
    [...part.querySelectorAll("dl > div")].map((figure) => [
      textOf(figure.querySelector("dt")!),
      [...figure.querySelectorAll("dd")].map(textOf).join(" | "),
    ]),
  );
const itemsOf = (name: string): string[] => within(screen.getByRole("list", { name })).getAllByRole("listitem").map(textOf);

const readTab = async () => {
  await openSystem();
  const [health, savings] = [healthPanel(), savingsPanel()];
  const read = {
    health: { text: textOf(health), figures: figuresIn(health), services: itemsOf("Services"), infrastructure: itemsOf("Infrastructure") },
    savings: { text: textOf(savings), figures: figuresIn(savings) },
    bar: within(health).getByRole("progressbar", { name: "Uptime" }).getAttribute("aria-valuenow"),
  };
  cleanup();
  return read;
};
let reading: ReturnType<typeof readTab> | undefined;
/** What the tab shows, read once. */
const shown = () => (reading ??= readTab());

/** Opens the tab in a time that only the test moves on; gives how. */
const openInOwnTime = async (before?: (api: FakeApi) => void) => {
  const moveOn = holdTime();
  const opened = await openSystem(healthy, saved, before);
  const pass = async (milliseconds: number): Promise<void> => {
    await moveOn(milliseconds);
    await settled();
  };
  const asked = (): number => opened.api.received(tenantHealth.tenantSystemHealth).length;
  return { ...opened, pass, asked };
};

describe("system health", () => {
  proves("D1.2-137", async ({ sees }) => {
    const { health, savings } = await shown();
    sees(health.text);
    sees(savings.text);
    expect(health.text).toMatch(/^System Health The platform, your record/);
    expect(savings.text).toMatch(/^Cost Savings Analytics What resolved calls/);
  });
  proves("D1.2-138", async () => {
    for (const status of ["healthy", "warning", "error", "unknown"] as const) {
      cleanup();
      await openSystem({ ...healthy, overallStatus: status });
      expect(textOf(healthPanel())).toMatch(new RegExp(`^System Health The platform, your record .* Overall ${words[status]} Uptime`));
    }
  });
  proves("D1.2-139", async () => {
    const { health, bar } = await shown();
    expect(health.figures["Uptime"]).toBe("99.87% | Measured since Nov 10, 2026 (UTC)");
    expect(Number(bar)).toBeCloseTo(healthy.uptime!, 1);
  });
  proves("D1.2-140", async () => {
    const { health } = await shown();
    expect(health.figures["API Response Time"]).toBe("31 ms | Median of the last check, excluding your own connection");
  });
  proves("D1.2-141", async () => {
    const { health } = await shown();
    expect(health.figures["Voice Agent Status"]).toBe("Healthy | Every active voice platform answered at the last check.");
  });
  proves("D1.2-142", async () => {
    const { health } = await shown();
    expect(health.services).toEqual(["API 31 ms Healthy", "Database 1,240 ms Warning", "Vapi N/A Down"]);
  });
  proves("D1.2-143", async ({ sees }) => {
    const { health } = await shown();
    for (const row of health.infrastructure) sees(row);
    expect(health.infrastructure).toEqual([
      "Database PostgreSQL Vitaline uses Amazon DynamoDB instead. Healthy",
      "FHIR Gateway EHR Connectivity Warning",
    ]);
  });
  proves("D1.2-144", async () => {
    const { health } = await shown();
    expect(demo("tenant_admin", tenant.tenantSettings).timeZone).toBe("America/New_York");
    expect(health.text).toMatch(/Last updated: Nov 22, 2026, 11:43:21 PM ?\. Checked every 5 minutes\. Refreshes every 30 seconds\./);
  });
  proves("D1.2-145", async () => {
    const { api, pass } = await openInOwnTime();
    api.on(tenantHealth.tenantSystemHealth, () => ({ ...healthy, overallStatus: "warning" as const, uptime: 91.5 }));
    await pass(29_000);
    expect(figuresIn(healthPanel())["Uptime"]).toContain("99.87%");
    await pass(1000);
    expect(figuresIn(healthPanel())["Uptime"]).toContain("91.5%");
    expect(textOf(healthPanel())).toMatch(/Overall Warning/);
  });
  proves("D1.9-019", async () => {
    const { asked, pass } = await openInOwnTime();
    expect(asked()).toBe(1);
    for (const times of [2, 3]) {
      await pass(29_000);
      expect(asked()).toBe(times - 1);
      await pass(1000);
      expect(asked()).toBe(times);
    }
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    await pass(90_000);
    Reflect.deleteProperty(document, "visibilityState");
    expect(asked()).toBe(3);
  });
  proves("D1.9-020", async () => {
    await openSystem({ ...healthy, uptime: null, uptimeSince: null, apiResponseTime: null, lastUpdated: null });
    const figures = figuresIn(healthPanel());
    expect(figures["Uptime"]).toBe("No data yet | Default, not measured: 99.9%");
    expect(figures["API Response Time"]).toBe("No data yet | Default, not measured: 245 ms");
    expect(within(healthPanel()).queryByRole("progressbar")).toBeNull();
    expect(textOf(healthPanel())).toContain("Last updated: not yet");
  });

  test("shows an answer in the terms operational and down", async () => {
    const unmeasured = { uptime: null, uptimeSince: null, apiResponseTime: null, lastUpdated: null };
    await openSystem({
      ...{ ...healthy, ...unmeasured, overallStatus: "operational", voiceAgentStatus: "down", databaseStatus: "unknown" },
      services: [{ name: "API", status: "operational", responseTime: null }],
    });
    const figures = figuresIn(healthPanel());
    expect(figures["Voice Agent Status"]).toMatch(/^Down/);
    expect(figures["Uptime"]).toMatch(/^No data yet/);
    expect(textOf(healthPanel())).toMatch(/Overall Healthy.*API.*Healthy.*Database PostgreSQL .* Unknown/);
  });

  test("that does not load says so, leaves the savings alone and tries again", async () => {
    const problem = { error: "The database could not be reached.", requestId: "req-9" };
    const { user } = await openSystem(healthy, saved, (api) => api.once(tenantHealth.tenantSystemHealth, () => refusal(503, problem)));
    await reads(
      within(healthPanel()).getByRole("alert"),
      /Failed to load system health The database could not be reached\. Request ID: req-9/,
    );
    expect(Object.keys(figuresIn(savingsPanel()))).toContain("Monthly Savings");
    await user.click(button("Retry"));
    await reads(healthPanel(), "Last updated");
  });

  test("that can no longer be asked says that what is shown is old, until it can be asked again", async () => {
    const { api, pass } = await openInOwnTime();
    const before = figuresIn(healthPanel());
    api.once(tenantHealth.tenantSystemHealth, () => refusal(503, { error: "The database could not be reached." }));
    await pass(30_000);
    expect(api.received(tenantHealth.tenantSystemHealth)).toHaveLength(2);
    await reads(
      () => within(healthPanel()).getByRole("alert"),
      /The last refresh failed: The database could not be reached\. Showing data from \d/,
    );
    expect(figuresIn(healthPanel())).toEqual(before);
    await pass(30_000);
    expect(within(healthPanel()).queryByRole("alert")).toBeNull();
  });
});

describe("cost savings", () => {
  proves("D1.2-146", async () => {
    const { savings } = await shown();
    expect(savings.figures["Hours Automated"]).toBe("12.4h | 12.4 hours in the last 30 days");
    expect(savings.text).not.toContain("too little to project a year");
  });
  proves("D1.2-147", async () => {
    const { savings } = await shown();
    expect(savings.figures["Staff Equivalent"]).toBe("0.08 | Full-time staff");
  });
  proves("D1.2-148", async () => {
    const { savings } = await shown();
    expect(savings.figures["Monthly Savings"]).toBe("$310.00 | $25.00 for each hour");
    expect(savings.figures["Savings per Call"]).toBe("$4.43 | Across all calls in this period");
  });
  proves("D1.2-149", async () => {
    const { savings } = await shown();
    expect(savings.figures["Annual Projection"]).toBe("$3,720 | If every month is like this one");
  });
  proves("D1.2-150", async () => {
    const { savings } = await shown();
    expect(savings.text).toContain("Savings Breakdown Call handling $186.00 · 60% Data retrieval $77.50 · 25% Administrative $46.50 · 15%");
  });
  proves("D1.2-151", async () => {
    const { savings } = await shown();
    expect(savings.figures["ROI"]).toBe("N/A | No plan with a price");
    expect(savings.text).toContain("Wage: $25.00 per hour is assumed");
    await openSystem(healthy, { ...saved, hourlyWage: 32.5, isWageAssumed: false, roi: 30.246 });
    expect(figuresIn(savingsPanel())["ROI"]).toBe("30.2% | Savings above the plan's price");
    expect(textOf(savingsPanel())).toContain("Wage: $32.50 per hour, as your organization has set it");
  });
  proves("D1.2-152", async () => {
    const { savings } = await shown();
    expect(savings.text).toMatch(/Efficiency General statements about the product, not measured for your organization\./);
    expect(savings.text).toMatch(/Calls are answered at any hour/);
  });

  test("of less than an hour are in minutes, and too little to project a year from", async () => {
    await openSystem(healthy, demo("tenant_admin", tenantDashboard.savings));
    expect(figuresIn(savingsPanel())["Hours Automated"]).toMatch(/^0\.\d+h \| \d+ minutes in the last 30 days$/);
    expect(textOf(savingsPanel())).toContain("Less than an hour of resolved calls in this period: too little to project a year.");
  });

  test("are an estimate whose assumptions stand beside it, with the way to change the wage", async () => {
    const { user } = await openSystem();
    expect(textOf(savingsPanel())).toMatch(/^Cost Savings Analytics What resolved calls .* Estimate Hours Automated/);
    link("Set your hourly wage", savingsPanel()).focus();
    await user.keyboard("{Enter}");
    await eventually(() => expect(tab("Analytics").getAttribute("aria-selected")).toBe("true"));
    await settled();
  });

  test("that do not load say so and can be asked for again", async () => {
    const { user } = await openSystem(healthy, saved, (api) => api.once(tenantDashboard.savings, () => refusal(500)));
    await reads(within(savingsPanel()).getByRole("alert"), "Failed to load cost savings");
    await reads(healthPanel(), "Last updated");
    await user.click(button("Retry"));
    await reads(savingsPanel(), "Savings Breakdown");
    expect(within(savingsPanel()).queryByRole("alert")).toBeNull();
  });
});
