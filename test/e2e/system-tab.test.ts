import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HealthStatus, Savings, SystemHealth } from "@vitaline/contract";
import { healthLook } from "../../web/src/features/system-health/health-look.ts";
import { proves } from "../requirements/proves.ts";
import { tenantIdOf } from "./audit-log.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

let site: Site;
let login: Login;
beforeAll(async () => {
  site = await openSite();
  login = site.demo.tenants[0]!.admin;
  await site.platform.cloud.drained();
  await site.platform.cloud.runScheduled("events-health");
});
afterAll(() => site?.close());

const address = "/api/tenant/dashboard/system-health";
const healthOf = (page: Page) => page.getByRole("region", { name: "System Health" });
const savingsOf = (page: Page) => page.getByRole("region", { name: "Cost Savings Analytics" });
const openSystem = (page: Page) => open(page, "/tenant?tab=system");
const visitSystem = (body: (page: Page) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ as: login, refused }, async ({ page }) => body(page));
const asTenant = async <T>(path: string): Promise<T> => (await site.api<T>("GET", path, { token: await site.tokenFor(login) })).json;
const saved = () => asTenant<Savings>(savingsAddress);

const savingsAddress = "/api/tenant/dashboard/savings";
/** What each status is called on the screen. */
const words = { healthy: "Healthy", warning: "Warning", error: "Down", unknown: "Unknown" } as const;

const measured: SystemHealth = {
  uptimeSince: "2026-05-01",
  ...{ overallStatus: "healthy", uptime: 99.87, apiResponseTime: 31, voiceAgentStatus: "healthy", fhirConnectivity: "healthy" },
  ...{ databaseStatus: "healthy", lastUpdated: "2026-05-08T09:00:00.000Z", services: [] },
};
const answerWith = (page: Page, health: SystemHealth) => page.route(`**${address}`, (route) => route.fulfill({ json: health }));
/** The tab as it looks when the platform is so. */
const lookAt = (health: SystemHealth, look: (page: Page) => Promise<void>): Promise<void> =>
  visitSystem(async (page) => {
    await answerWith(page, health);
    await openSystem(page);
    await look(page);
  });

type Figures = Record<string, string>;
/** Names of figures with all that stands below them. */
const figuresOf = (part: Locator): Promise<Figures> =>
  part.locator("dl > div").evaluateAll((figures) =>
    Object.fromEntries(
      figures.map((figure) => {
        const texts = [...figure.querySelectorAll("dd")].map((line) => line.innerText.trim());
        return [figure.querySelector("dt")?.innerText ?? "", texts.join(" | ")];
      }),
    ),
  );
const itemsOf = async (part: Locator, list: string): Promise<string[]> => {
  const items = await part.getByRole("list", { name: list, exact: true }).getByRole("listitem").allInnerTexts();
  return items.map((item) => item.replaceAll(/\n+/g, "\n"));
};

/** Read once, before the first test: the tab on the platform as it is. */
let health: { text: string; figures: Figures; services: string[]; infrastructure: string[]; bar: string | null };
let savings: { text: string; figures: Figures };
let real: { health: SystemHealth; savings: Savings };
let reading: Promise<void> | undefined;
const readAll = () =>
  visitSystem(async (page) => {
    // The very answers that the page shows: they change with each check.
    const [healthAnswer, savingsAnswer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(address)),
      page.waitForResponse((response) => response.url().endsWith(savingsAddress)),
      openSystem(page),
    ]);
    real = { health: (await healthAnswer.json()) as SystemHealth, savings: (await savingsAnswer.json()) as Savings };
    const [one, two] = [healthOf(page), savingsOf(page)];
    const [services, infrastructure] = [await itemsOf(one, "Services"), await itemsOf(one, "Infrastructure")];
    const bar = await one.getByRole("progressbar", { name: "Uptime" }).getAttribute("aria-valuenow");
    health = { text: await one.innerText(), figures: await figuresOf(one), services, infrastructure, bar };
    savings = { text: await two.innerText(), figures: await figuresOf(two) };
  });
beforeEach(() => (reading ??= readAll()), 120_000);

const dollars = (amount: number): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", ...(amount < 1000 ? {} : { maximumFractionDigits: 0 }) }).format(
    amount,
  );

describe("system health", () => {
  proves("D1.2-137", ({ sees }) => {
    sees(health.text);
    sees(savings.text);
    expect([health.text.split("\n")[0], savings.text.split("\n")[0]]).toEqual(["System Health", "Cost Savings Analytics"]);
  });
  proves("D1.2-138", () => {
    const word = words[real.health.overallStatus];
    expect(health.text).toMatch(new RegExp(`^System Health\\s+The platform, your record[^\\n]*\\s+Overall\\s+${word}\\n`));
  });
  proves("D1.2-139", () => {
    const { uptime, uptimeSince } = real.health;
    expect(uptime).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(uptimeSince!)).toBeLessThan(29 * 86_400_000);
    expect(health.figures["Uptime"]).toMatch(new RegExp(`^${uptime}% \\| Measured since [A-Z][a-z]{2} \\d+, \\d{4} \\(UTC\\)$`));
    expect(Number(health.bar)).toBeCloseTo(uptime!, 1);
  });
  proves("D1.2-140", () => {
    expect(real.health.apiResponseTime).toBeGreaterThan(0);
    expect(health.figures["API Response Time"]).toMatch(new RegExp(`^${real.health.apiResponseTime} ms \\|`));
  });
  proves("D1.2-141", () => {
    expect(real.health.voiceAgentStatus).toBe("healthy");
    expect(health.figures["Voice Agent Status"]).toBe("Healthy | Every active voice platform answered at the last check.");
  });
  proves("D1.2-142", () => {
    const { services } = real.health;
    expect(services.length).toBeGreaterThan(2);
    expect(health.services).toEqual(services.map(({ name, status, responseTime }) => `${name}\n${responseTime} ms\n${words[status]}`));
  });
  proves("D1.2-143", ({ sees }) => {
    for (const row of health.infrastructure) sees(row);
    expect(health.infrastructure).toEqual([
      "Database\nPostgreSQL\nAmazon DynamoDB stands in its place.\nHealthy",
      "FHIR Gateway\nEHR Connectivity\nHealthy",
    ]);
  });
  proves("D1.2-144", () => {
    const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "America/New_York" });
    expect(real.health.lastUpdated).toMatch(/Z$/);
    expect(health.text).toContain(`Last updated: ${day.format(new Date(real.health.lastUpdated!))}, `);
    expect(health.text).toMatch(/Last updated: [^\n]*, \d+:\d\d:\d\d [AP]M\./);
  });

  const pollsOf = async (page: Page, pass: () => Promise<unknown>): Promise<number> => {
    let asked = 0;
    page.on("request", (request) => void (asked += Number(request.url().endsWith(address))));
    await pass();
    return asked;
  };
  /** Opens the tab in a time that a test can hurry. */
  const openInOwnTime = async (page: Page): Promise<void> => {
    await page.clock.install();
    await openSystem(page);
  };
  /** In two steps, as a jump fires each timer once. */
  const halfAMinute = async (page: Page): Promise<void> => {
    await page.clock.fastForward(24_000);
    await page.clock.fastForward(6_000);
  };

  proves("D1.2-145", async () => {
    await visitSystem(async (page) => {
      await openInOwnTime(page);
      await answerWith(page, { ...measured, overallStatus: "warning", uptime: 91.5 });
      expect((await figuresOf(healthOf(page)))["Uptime"]).not.toContain("91.5%");
      await halfAMinute(page);
      await expect.poll(async () => (await figuresOf(healthOf(page)))["Uptime"], patience).toContain("91.5%");
      expect(health.text).toContain("Checked every 5 minutes. Refreshes every 30 seconds.");
    });
  });

  proves("D1.9-019", async () => {
    await visitSystem(async (page) => {
      await openInOwnTime(page);
      const answered = () => page.waitForResponse((response) => response.url().endsWith(address));
      await Promise.all([answered(), halfAMinute(page)]);
      await settled(page);
      // Far enough ahead that it is not over before it is asked for, and well before the next question.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 3000));
      expect(await pollsOf(page, () => page.clock.fastForward(18_000))).toBe(0);
      expect(await pollsOf(page, () => Promise.all([answered(), page.clock.fastForward(12_000)]))).toBe(1);
      await settled(page);
      await page.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true }));
      expect(await pollsOf(page, () => page.clock.fastForward(90_000))).toBe(0);
    });
  });

  proves("D1.9-020", async () => {
    await lookAt({ ...measured, uptime: null, uptimeSince: null, apiResponseTime: null, lastUpdated: null }, async (page) => {
      const figures = await figuresOf(healthOf(page));
      expect(figures["Uptime"]).toBe("No data yet | Default, not measured: 99.9%");
      expect(figures["API Response Time"]).toBe("No data yet | Default, not measured: 245 ms");
      expect(await healthOf(page).getByRole("progressbar").count()).toBe(0);
      await reads(healthOf(page), /Last updated: not yet/);
    });
  });

  /**
   * What a badge of this status says, and the hue of its dot in degrees; undefined for a grey one. Words that the contract lets no
   * answer have, such as "operational", never reach the screen: of those the mapping itself is asked.
   */
  const badgeFor = async (status: HealthStatus): Promise<{ label: string; hue: number | undefined }> => {
    let seen = { label: "", hue: undefined as number | undefined };
    await lookAt({ ...measured, overallStatus: status, voiceAgentStatus: "unknown" }, async (page) => {
      const badge = healthOf(page).locator(".vl-badge").first();
      const colour = await badge.locator("span").evaluate((dot) => getComputedStyle(dot).backgroundColor);
      const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/[\d.]+/g)].map(([number]) => Number(number));
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      const sixth =
        most === red
          ? (green - blue) / (most - least)
          : most === green
            ? 2 + (blue - red) / (most - least)
            : 4 + (red - green) / (most - least);
      seen = { label: await badge.innerText(), hue: (most - least) / most < 0.4 ? undefined : (sixth * 60 + 360) % 360 };
    });
    return seen;
  };

  proves("D1.4-010", async ({ sees }) => {
    const { label, hue } = await badgeFor("healthy");
    sees(label);
    expect([label, hue! > 90 && hue! < 170]).toEqual(["Healthy", true]);
    expect(healthLook("operational")).toEqual(healthLook("healthy"));
  });
  proves("D1.4-011", async ({ sees }) => {
    const { label, hue } = await badgeFor("warning");
    sees(label);
    expect([label, hue! > 40 && hue! < 65]).toEqual(["Warning", true]);
  });
  proves("D1.4-012", async ({ sees }) => {
    const { label, hue } = await badgeFor("error");
    sees(label);
    expect([label, hue! < 15 || hue! > 345]).toEqual(["Down", true]);
    expect(healthLook("down")).toEqual(healthLook("error"));
  });
  proves("D1.4-013", async () => {
    expect(healthLook("of another kind")).toEqual(healthLook("unknown"));
    expect(await badgeFor("unknown")).toEqual({ label: "Unknown", hue: undefined });
  });

  test("that does not load says so, leaves the savings alone and tries again", async () => {
    await visitSystem(
      async (page) => {
        const problem = { error: "The database could not be reached.", code: "unavailable", requestId: "req-9" };
        await page.route(`**${address}`, (route) => route.fulfill({ status: 503, json: problem }), { times: 1 });
        await openSystem(page);
        await reads(healthOf(page).getByRole("alert"), /Failed to load system health[^]*could not be reached[^]*req-9/);
        expect(Object.keys(await figuresOf(savingsOf(page)))).toContain("Monthly Savings");
        await page.getByRole("button", { name: "Retry" }).click();
        await reads(healthOf(page), /Last updated/);
      },
      [`503 GET ${address}`],
    );
  });

  test("that can no longer be asked says that what is shown is old, until it can be asked again", async () => {
    await visitSystem(
      async (page) => {
        await openInOwnTime(page);
        const before = await figuresOf(healthOf(page));
        const problem = { error: "The database could not be reached.", code: "unavailable", requestId: "req-9" };
        await page.route(`**${address}`, (route) => route.fulfill({ status: 503, json: problem }), { times: 1 });
        await halfAMinute(page);
        await reads(
          healthOf(page).getByRole("alert"),
          /The last refresh failed: The database could not be reached\. What is shown was known at \d/,
        );
        expect(await figuresOf(healthOf(page))).toEqual(before);
        await halfAMinute(page);
        await expect.poll(() => healthOf(page).getByRole("alert").count(), patience).toBe(0);
      },
      [`503 GET ${address}`],
    );
  });
});

describe("cost savings", () => {
  const hours = (amount: number): string =>
    amount < 0.005 ? "<0.01" : new Intl.NumberFormat("en-US", { maximumFractionDigits: amount < 10 ? 2 : 1 }).format(amount);

  const inWords = (amount: number): string => {
    const minutes = Math.round(amount * 60);
    if (minutes < 60) return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    return `${amount.toLocaleString("en-US", { maximumFractionDigits: 1 })} ${amount.toFixed(1) === "1.0" ? "hour" : "hours"}`;
  };

  proves("D1.2-146", () => {
    expect(real.savings.hoursAutomated).toBeGreaterThan(0);
    expect(savings.figures["Hours Automated"]).toBe(
      `${hours(real.savings.hoursAutomated)}h | ${inWords(real.savings.hoursAutomated)} in the last 30 days`,
    );
  });
  proves("D1.2-147", () => {
    expect(real.savings.staffEquivalent).toBeGreaterThan(0);
    expect(savings.figures["Staff Equivalent"]).toBe(`${hours(real.savings.staffEquivalent)} | Full-time staff`);
    const tooFew = /Less than an hour of calls was resolved in these days: too little to project a year from\./;
    expect(tooFew.test(savings.text)).toBe(real.savings.hoursAutomated < 1);
  });
  proves("D1.2-148", () => {
    const { monthlySavings, savingsPerCall } = real.savings;
    expect(monthlySavings).toBeCloseTo(real.savings.hoursAutomated * 25, 5);
    expect(savings.figures["Monthly Savings"]).toBe(`${dollars(monthlySavings)} | $25.00 for each hour`);
    expect(savings.figures["Savings per Call"]).toContain(dollars(savingsPerCall));
  });
  proves("D1.2-149", () => {
    expect(real.savings.annualProjection).toBeCloseTo(real.savings.monthlySavings * 12, 5);
    expect(savings.figures["Annual Projection"]).toContain(dollars(real.savings.annualProjection));
  });
  proves("D1.2-150", () => {
    const { callHandling, dataRetrieval, administrative } = real.savings.breakdown;
    expect(callHandling + dataRetrieval + administrative).toBeCloseTo(real.savings.monthlySavings, 5);
    expect(savings.text.replaceAll(/\s+/g, " ")).toContain(
      `Savings Breakdown Call handling ${dollars(callHandling)} · 60% Data retrieval ${dollars(dataRetrieval)} · 25% Administrative ${dollars(administrative)} · 15%`,
    );
  });

  proves("D1.2-151", async () => {
    expect(real.savings.roi).toBeNull();
    expect(savings.figures["ROI"]).toBe("N/A | No plan with a price");
    expect(savings.text).toContain("Wage: $25.00 per hour is assumed");
    const token = await site.tokenFor(site.demo.systemAdmin);
    const id = await tenantIdOf(site, login);
    const path = `/api/admin/tenants/${id}`;
    const { json } = await site.api<Record<string, unknown>>("GET", path, { token });
    const { name, contactEmail, organizationType, isActive } = json;
    const changed = async (terms: object) =>
      expect((await site.api("PUT", path, { token, body: { name, contactEmail, organizationType, isActive, ...terms } })).status).toBe(200);
    try {
      await changed({ hourlyWage: 32.5, plan: { name: "Trial", monthlyPrice: 1, bundledMinutes: 100 } });
      await visitSystem(async (page) => {
        await openSystem(page);
        const { monthlySavings, roi } = await saved();
        expect(roi).toBeCloseTo((monthlySavings - 1) * 100, 5);
        expect((await figuresOf(savingsOf(page)))["ROI"]).toBe(`${roi!.toFixed(1)}% | Savings above the plan's price`);
        await reads(savingsOf(page), /Wage: \$32\.50 per hour, as your organization has set it/);
      });
    } finally {
      await changed({ hourlyWage: null, plan: null });
    }
  });

  proves("D1.2-152", () => {
    expect(savings.text).toMatch(/Efficiency\s+General statements about the product, not measured for your organization\./);
    expect(savings.text).toMatch(/Calls are answered at any hour/);
  });

  test("are an estimate whose assumptions stand beside it, with the way to change the wage", async () => {
    expect(savings.text).toMatch(/^Cost Savings Analytics\s+What resolved calls[^\n]*\s+Estimate\n/);
    await visitSystem(async (page) => {
      await openSystem(page);
      const link = savingsOf(page).getByRole("link", { name: "Set your hourly wage" });
      await link.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.getByRole("tab", { name: "Analytics", selected: true }).count(), patience).toBe(1);
      await settled(page);
    });
  });

  test("that do not load say so and can be asked for again", async () => {
    await visitSystem(
      async (page) => {
        await page.route("**/api/tenant/dashboard/savings", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
        await openSystem(page);
        await reads(savingsOf(page).getByRole("alert"), /Failed to load cost savings/);
        await reads(healthOf(page), /Last updated/);
        await page.getByRole("button", { name: "Retry" }).click();
        await reads(savingsOf(page), /Savings Breakdown/);
        expect(await savingsOf(page).getByRole("alert").count()).toBe(0);
      },
      ["500 GET /api/tenant/dashboard/savings"],
    );
  });
});
