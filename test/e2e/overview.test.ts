import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeCalls } from "../../packages/calls/calls.fixture.ts";
import { proves } from "../requirements/proves.ts";
import { asConsole, assignSandbox, changeTenant, openClinic, type Clinic } from "./clinic.fixture.ts";
import { hasFocus, showsFocus, tabTo } from "./focus.fixture.ts";
import { cardsOf, fillLogin, open, patience, reads, settled, tenantPaths, titled } from "./look.fixture.ts";
import { unavailable } from "./outage.fixture.ts";
import { openSite, phone, type Site } from "./site.fixture.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.platform.cloud.drained();
});
afterAll(() => site?.close());

const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const tabOf = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const stepsOf = (page: Page) => page.getByRole("list", { name: "Steps to your first call" }).getByRole("listitem");
const placeOf = (page: Page): string => page.url().slice(site.origin.length);

/** Every request to the API that a page makes from now on, as "GET /api/…". */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) asked.push(`${request.method()} ${pathname}${search}`);
  });
  return asked;
}

const refresh = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Refresh" }).innerText(), patience).toBe("Refresh");
};

describe("the checklist", () => {
  test("counts each step when it has really happened, and goes when all of them have", async () => {
    const clinic = await openClinic(site, "Step Clinic");
    await site.visit({ as: clinic.login }, async ({ page }) => {
      const done = async (): Promise<string[]> => {
        await settled(page);
        return stepsOf(page)
          .filter({ has: page.getByText("Done", { exact: true }) })
          .locator("p:first-child")
          .allInnerTexts();
      };
      await open(page, "/tenant");
      await reads(partOf(page, "Get started"), "0 of 5 steps done");
      expect(await done()).toEqual([]);

      const token = await site.tokenFor(clinic.login);
      expect((await site.api("POST", "/api/tenant/offices", { token, body: { name: "Main office" } })).status).toBe(201);
      await refresh(page);
      expect(await done()).toEqual(["Add an office"]);

      await assignSandbox(site, clinic);
      await refresh(page);
      expect(await done()).toEqual(["Add an office", "Connect your record system"]);

      await clinic.tell("first-call", { type: "status-update", status: "in-progress" });
      await refresh(page);
      await reads(partOf(page, "Get started"), "4 of 5 steps done");
      expect(await done()).not.toContain("Make a test call");

      await clinic.phone("first-call", { seconds: 95 });
      await refresh(page);
      await expect.poll(() => partOf(page, "Get started").count(), patience).toBe(0);
      await page.reload();
      await settled(page);
      expect(await partOf(page, "Get started").count()).toBe(0);
    });
  });

  test("knows that the key was copied on its tab", async () => {
    const clinic = await openClinic(site, "Copy Clinic");
    await site.visit({ as: clinic.login }, async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await open(page, "/tenant?tab=api-keys");
      await page.getByRole("button", { name: "Copy API key", exact: true }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), patience).toBe(clinic.key);
      await tabOf(page, "Overview").click();
      await reads(partOf(page, "Get started"), "1 of 5 steps done");
      await reads(stepsOf(page).first(), /Copy your API key[^]*Done/);
    });
  });

  test("leads to where each step is done, with the focus on that tab", async () => {
    const clinic = await openClinic(site, "Lead Clinic");
    await site.visit({ as: clinic.login }, async ({ page }) => {
      for (const [link, address, tab] of [
        ["Go to API Keys", "?tab=api-keys", "API Keys"],
        ["See how to connect", "?tab=api-keys", "API Keys"],
        ["Go to Offices", "?tab=offices", "Offices"],
        ["Go to FHIR", "?tab=fhir", "FHIR"],
        ["See your calls", "?tab=analytics", "Analytics"],
      ] as const) {
        await open(page, "/tenant-dashboard");
        await page.getByRole("link", { name: link }).click();
        await expect.poll(() => placeOf(page), patience).toBe(`/tenant-dashboard${address}`);
        await expect.poll(() => tabOf(page, tab).getAttribute("aria-selected"), patience).toBe("true");
        await hasFocus(tabOf(page, tab));
        await settled(page);
      }
    });
  });

  test("is for one person at one tenant to dismiss: it stays away after signing in again, asks for nothing, and others keep theirs", async () => {
    const [own, other] = [await openClinic(site, "Dismiss Clinic"), await openClinic(site, "Keep Clinic")];
    await site.visit({}, async ({ page }) => {
      await open(page, "/login");
      await fillLogin(page, own.login);
      await reads(partOf(page, "Get started"), /steps done/);
      await page.getByRole("button", { name: "Dismiss" }).click();
      await expect.poll(() => partOf(page, "Get started").count(), patience).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.closest("[role=tabpanel]") !== null)).toBe(true);
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, "Tenant Login");

      await fillLogin(page, other.login);
      await reads(partOf(page, "Get started"), /steps done/);
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, "Tenant Login");

      const asked = requestsOf(page);
      await fillLogin(page, own.login);
      await titled(page, "Tenant Dashboard");
      await settled(page);
      expect(await partOf(page, "Get started").count()).toBe(0);
      expect(asked.filter((one) => /tool-calls|range=all/.test(one))).toEqual([]);
    });
  });
});

describe("what goes on now", () => {
  test("is shown as it was when one asked, and again after Refresh", async () => {
    const clinic = await openClinic(site, "Live Clinic");
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant");
      await reads(partOf(page, "In progress"), "No call is going on.");
      for (const number of [1, 2, 3, 4, 5, 6, 7]) await clinic.tell(`live-${number}`, { type: "status-update", status: "in-progress" });
      const calls = page.getByRole("list", { name: "Calls in progress" }).getByRole("listitem");
      await refresh(page);
      await expect.poll(() => calls.count(), patience).toBe(3);
      await reads(partOf(page, "In progress"), /and 4 more/);
      expect(await calls.first().innerText()).toMatch(/Vapi, incoming\s+since .+\s+In progress/);
      for (const number of [1, 2, 3, 4, 5, 6]) await clinic.phone(`live-${number}`, { seconds: 60 });
      await refresh(page);
      await expect.poll(() => calls.count(), patience).toBe(1);
    });
  });

  test("names the office that answers", async () => {
    const clinic = await openClinic(site, "Office Clinic");
    const office = await asConsole<{ id: string }>(site, "POST", `/api/admin/tenants/${clinic.id}/offices`, { name: "River Office" });
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await page.route("**/api/tenant/calls/in-progress", (route) =>
        route.fulfill({
          json: [
            {
              id: "a".repeat(40),
              platform: "elevenlabs",
              createdAt: new Date().toISOString(),
              status: "ringing",
              officeId: office.id,
              agentId: null,
              direction: "outbound",
            },
          ],
        }),
      );
      await open(page, "/tenant");
      await reads(partOf(page, "In progress"), /ElevenLabs, outgoing\s+River Office, since .+\s+Ringing/);
      expect(await page.getByRole("list", { name: "Calls in progress" }).getByRole("listitem").count()).toBe(1);
    });
  });
});

describe("callers whom somebody should call back", () => {
  test("are counted, and led to", async () => {
    const clinic = await openClinic(site, "Follow Clinic");
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant");
      await reads(partOf(page, "Needs follow-up"), "No caller is waiting to be called back.");
      await clinic.phone("helped", { seconds: 60 });
      await clinic.phone("not-helped", { seconds: 60, isSuccess: false });
      await refresh(page);
      await reads(partOf(page, "Needs follow-up"), /1 call\b/);
      await clinic.phone("not-helped-either", { seconds: 60, isSuccess: false });
      await refresh(page);
      await reads(partOf(page, "Needs follow-up"), /2 calls/);
      await page.getByRole("link", { name: "Review these calls" }).click();
      await expect.poll(() => placeOf(page), patience).toBe("/tenant?tab=analytics&needsFollowUp=true");
      await settled(page);
    });
  });
});

describe("the month's minutes", () => {
  test("are shown without a plan, within it and beyond it, with the price of what is over", async () => {
    const clinic = await openClinic(site, "Plan Clinic");
    const setPlan = (bundledMinutes: number) =>
      changeTenant(site, clinic.id, { plan: { name: "Light", monthlyPrice: 1099, bundledMinutes } });
    await clinic.phone("half-an-hour", { seconds: 1800 });
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant");
      await reads(partOf(page, "Plan usage"), /30 minutes\s+No plan is set/);
      await setPlan(1800);
      await refresh(page);
      await reads(partOf(page, "Plan usage"), /30 of 1,800 minutes\s+Plan: Light$/);
      await setPlan(10);
      await refresh(page);
      await reads(partOf(page, "Plan usage"), /Plan: Light\s+20 minutes over the plan: \$3\.60 at \$0\.18 a minute\./);
      const bar = page.getByRole("progressbar", { name: "Minutes used" });
      expect(await bar.getAttribute("aria-valuenow")).toBe("100");
    });
  });
});

describe("a dashboard", () => {
  test("of ten thousand calls asks as often as one of ten", async () => {
    const [few, many] = [await openClinic(site, "Small Clinic"), await openClinic(site, "Large Clinic")];
    const { awsUrl, cloud } = site.platform;
    const client = new DynamoDBClient({ endpoint: awsUrl, region: cloud.region, credentials: cloud.operator });
    const table = { client, tableName: cloud.tableNames[0] ?? "" };
    await writeCalls(few.id, 10, Date.now() - 10_000_000, table);
    await writeCalls(many.id, 10_000, Date.now() - 10_000_000, table);
    client.destroy();
    const asked = await Promise.all(
      [few, many].map(async ({ login }) => {
        let requests: string[] = [];
        await site.visit({ as: login }, async ({ page }) => {
          requests = requestsOf(page);
          await open(page, "/tenant");
          expect(await page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").count()).toBe(5);
          await settled(page);
        });
        return requests.toSorted();
      }),
    );
    expect(asked[0]?.length).toBeGreaterThan(5);
    expect(asked[1]).toEqual(asked[0]);
    expect(new Set(asked[0]).size).toBe(asked[0]?.length);
  }, 300_000);

  test("leaves nothing of a tenant behind for the next one in the same browser", async () => {
    const [first, second] = [await openClinic(site, "First Clinic"), await openClinic(site, "Second Clinic")];
    await first.phone("only-of-the-first", { seconds: 60 });
    await site.visit({}, async ({ page }) => {
      await open(page, "/login");
      await fillLogin(page, first.login);
      await titled(page, "Tenant Dashboard");
      expect((await cardsOf(page))["Total Calls"]?.value).toBe("1");
      await page.evaluate(() => localStorage.setItem("tenant_api_key", "a key"));
      await page.getByRole("button", { name: "Dismiss" }).click();
      await expect.poll(() => partOf(page, "Get started").count(), patience).toBe(0);
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, "Tenant Login");
      // That a person has dismissed the checklist stays, and says no more than that.
      const left = await page.evaluate(() => Object.entries(localStorage));
      expect(left).toEqual([[expect.stringMatching(/^onboarding:[\w-]+:[0-9a-z]{26}:[0-9a-z]{26}$/), "yes"]]);
      expect(await page.evaluate(async () => [sessionStorage.length, (await indexedDB.databases()).length])).toEqual([0, 0]);

      const answered: string[] = [];
      page.on("response", (response) => void (response.url().includes("/api/tenant/") && answered.push(new URL(response.url()).pathname)));
      await fillLogin(page, second.login);
      await titled(page, "Tenant Dashboard");
      await settled(page);
      expect((await cardsOf(page))["Total Calls"]?.value).toBe("0");
      expect(answered).toContain("/api/tenant/dashboard/metrics");
      const text = await page.locator("body").innerText();
      expect(text).toContain("Second Clinic");
      expect(text).not.toContain("First Clinic");
    });
  });

  test("is used with the keyboard alone: the checklist, a step, the way back", async () => {
    const clinic = await openClinic(site, "Keyboard Clinic");
    await site.visit({ as: clinic.login, viewport: phone }, async ({ page }) => {
      await open(page, "/tenant");
      await tabTo(page, "Go to Offices");
      await page.keyboard.press("Enter");
      await expect.poll(() => tabOf(page, "Offices").getAttribute("aria-selected"), patience).toBe("true");
      await showsFocus(page);
      await settled(page);
      await page.keyboard.press("Home");
      await hasFocus(tabOf(page, "Overview"));
      await page.keyboard.press("Enter");
      await expect.poll(() => tabOf(page, "Overview").getAttribute("aria-selected"), patience).toBe("true");
      await showsFocus(page);
      await settled(page);
      await tabTo(page, "Dismiss");
      await page.keyboard.press("Enter");
      await expect.poll(() => partOf(page, "Get started").count(), patience).toBe(0);
    });
  });

  test("shows the open tab in the list of tabs, however narrow the screen", async () => {
    await site.visit({ as: site.demo.tenants[0]!.admin, viewport: phone }, async ({ page }) => {
      await open(page, "/tenant?tab=system");
      const [tab, list] = [await tabOf(page, "System").boundingBox(), await page.getByRole("tablist").boundingBox()];
      expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0) + 1);
      expect(tab?.x).toBeGreaterThanOrEqual(list?.x ?? 0);
    });
  });
});

/** Whatever a panel of the overview asks for, and what it says that it could not load. */
const reading: { what: string; path: RegExp }[] = [
  { what: "call metrics", path: /dashboard\/metrics$/ },
  { what: "recent calls", path: /dashboard\/recent-calls/ },
  { what: "tool usage", path: /dashboard\/tool-usage/ },
  { what: "calls that need follow-up", path: /calls\?needsFollowUp/ },
  { what: "calls in progress", path: /calls\/in-progress/ },
  { what: "plan usage", path: /tenant\/usage/ },
  { what: "what is set up already", path: /tool-calls/ },
];

describe("the requirements", () => {
  proves("D1.7-027", async () => {
    const clinic = await openClinic(site, "Faulty Clinic");
    for (const { what, path } of reading) {
      let refused = "";
      const paths: string[] = [];
      await site.visit({ as: clinic.login, refused: paths }, async ({ page }) => {
        await page.route(path, (route) => {
          refused = `503 GET ${new URL(route.request().url()).pathname}`;
          return route.fulfill(unavailable);
        });
        await open(page, "/tenant");
        paths.push(refused);
        const failure = page.getByRole("alert").filter({ hasText: `Failed to load ${what}` });
        await reads(failure, /The database could not be reached\.\s+Request ID: 0123456789abcdef/);
        const others = (await page.getByRole("alert").allInnerTexts()).filter((text) => !text.includes(`Failed to load ${what}`));
        // The checklist reads the recent calls, too.
        expect(others.filter((text) => !text.includes("what is set up already"))).toEqual([]);
        await page.unroute(path);
        await failure.getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => failure.count(), patience).toBe(0);
        await settled(page);
      });
    }
  });

  proves("D1.0-001", async () => {
    await site.visit({}, async ({ page }) => {
      for (const address of ["/", "/pricing", "/contact"]) expect(await open(page, address)).toBe(200);
      for (const address of tenantPaths) {
        await page.goto(address);
        await titled(page, "Tenant Login");
      }
      await fillLogin(page, site.demo.tenants[0]!.admin);
      await titled(page, "Tenant Dashboard");
      await settled(page);
    });
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin");
      await titled(page, "Admin Dashboard");
    });
  });

  proves("D1.1-011", async () => {
    await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
      const seen: [tab: string, text: RegExp][] = [
        ["analytics", /Call Analytics[^]*Total Calls\s+\d+[^]*Recent Call Details[^]*Completed/],
        ["api-keys", /API Key Management[^]*•{32}[^]*Active/],
        ["fhir", /FHIR Integration[^]*Sandbox EHR[^]*Available Operations[^]*scheduleAppointment/],
        ["offices", /Office Management[^]*Main Street Office/],
        ["audit", /Audit & Compliance[^]*(AM|PM)/],
        ["system", /System Health[^]*Cost Savings[^]*\$\d/],
      ];
      for (const [tab, text] of seen) {
        await open(page, `/tenant?tab=${tab}`);
        await reads(page.getByRole("tabpanel"), text);
        await settled(page);
      }
    });
  });

  proves("D1.6-008", async () => {
    await site.visit({}, async ({ page }) => {
      const asked = requestsOf(page);
      for (const address of tenantPaths) {
        await open(page, address);
        await titled(page, "Tenant Login");
      }
      expect(asked.filter((one) => one.includes("/api/tenant/"))).toEqual([]);
      await fillLogin(page, site.demo.tenants[0]!.admin);
      await titled(page, "Tenant Dashboard");
      await settled(page);
      expect(asked.filter((one) => one.includes("/api/tenant/")).length).toBeGreaterThan(3);
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, "Tenant Login");
      asked.length = 0;
      await Promise.all([page.waitForEvent("framenavigated"), page.goBack()]);
      await settled(page);
      await titled(page, "Tenant Login");
      expect(asked.filter((one) => one.includes("/api/tenant/"))).toEqual([]);
    });
  });

  proves("D1.9-004", async () => {
    await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
      await page.clock.install();
      const asked = requestsOf(page);
      for (const tab of ["overview", "api-keys", "fhir", "analytics", "offices", "audit"]) {
        await page.goto(`/tenant?tab=${tab}`);
        await settled(page);
        asked.length = 0;
        await page.clock.runFor("02:00");
        expect([tab, asked]).toEqual([tab, []]);
      }
      await page.goto("/tenant?tab=system");
      await settled(page);
      asked.length = 0;
      await page.clock.runFor("00:31");
      await expect.poll(() => asked.length, patience).toBeGreaterThan(0);
      expect(new Set(asked)).toEqual(new Set(["GET /api/tenant/dashboard/system-health"]));
    });
  });
});

describe("the dashboard's words", () => {
  const figures = {
    totalCalls: 3,
    successfulCalls: 2,
    resolutionRate: 66.6666,
    averageDuration: 90,
    revenueEvents: 1,
    costSavings: { hoursAutomated: 1.5, staffEquivalent: 0.009375 },
    range: "30days",
  };
  /** The dashboard of a tenant with these figures. */
  const withFigures = (given: Partial<typeof figures>, body: (page: Page, text: string) => Promise<void>): Promise<void> =>
    site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
      await page.route(/dashboard\/metrics$/, (route) => route.fulfill({ json: { ...figures, ...given } }));
      await open(page, "/tenant");
      await body(page, await page.getByRole("main").innerText());
    });

  for (const [id, card, expected] of [
    ["D1.2-063", "Total Calls", { value: "3", caption: "66.7% success rate" }],
    ["D1.2-064", "Resolution Rate", { value: "66.7%", caption: "Calls resolved without forwarding" }],
    ["D1.2-065", "Revenue Events", { value: "1", caption: "Successful appointments scheduled" }],
    ["D1.2-066", "Time Saved", { value: "1.5h", caption: "0.01 full-time staff equivalent" }],
    ["D1.9-010", "Resolution Rate", { value: "66.7%", caption: "Calls resolved without forwarding" }],
  ] as const)
    proves(id, ({ sees }) =>
      withFigures({}, async (page, text) => {
        expect((await cardsOf(page))[card]).toEqual(expected);
        expect(text).toContain("Last 30 days");
        sees(text);
      }),
    );
  proves("D1.9-009", async ({ sees }) => {
    const captions: (string | undefined)[] = [];
    for (const [totalCalls, successfulCalls] of [
      [0, 0],
      [3, 2],
      [8, 7],
      [5, 5],
    ] as const)
      await withFigures({ totalCalls, successfulCalls }, async (page) => {
        captions.push((await cardsOf(page))["Total Calls"]?.caption);
      });
    expect(captions).toEqual(["0%", "66.7%", "87.5%", "100.0%"].map((rate) => `${rate} success rate`));
    sees(captions);
  });
  for (const id of ["D1.2-060", "D1.2-061", "D1.2-062", "D1.2-067"])
    proves(id, async ({ sees }) => {
      for (const address of tenantPaths)
        await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
          await open(page, address);
          sees(await page.locator("h1").innerText());
          expect(await page.title()).toBe("Tenant Dashboard · Vitaline");
          expect(await page.getByRole("banner").getByRole("button", { name: "Logout" }).count()).toBe(1);
          expect(Object.keys(await cardsOf(page))).toEqual(["Total Calls", "Resolution Rate", "Revenue Events", "Time Saved"]);
          expect(await page.getByRole("tab").allInnerTexts()).toEqual([
            "Overview",
            "API Keys",
            "FHIR",
            "Analytics",
            "Offices",
            "Audit",
            "System",
          ]);
        });
    });
});

describe("recent calls", () => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(site, "Recent Clinic");
    for (const number of [1, 2, 3, 4]) await clinic.phone(`recent-${number}`, { seconds: 60 * number, minutesAgo: 70 - 10 * number });
    await clinic.phone("nobody-there", { seconds: 200, minutesAgo: 20, endedReason: "customer-did-not-answer" });
    await clinic.tell("on-the-line", { type: "status-update", status: "in-progress" });
  });
  type Shown = { text: string; dot: string; at: string | null };
  const shownTo = async (page: Page): Promise<Shown[]> => {
    await open(page, "/tenant");
    const items = await page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").all();
    return Promise.all(
      items.map(async (item) => ({
        text: await item.innerText(),
        dot: await item.evaluate((element) => getComputedStyle(element.querySelector("[aria-hidden]") as Element).backgroundColor),
        at: await item.locator("time").getAttribute("datetime"),
      })),
    );
  };
  const hueOf = (colour: string): "green" | "red" | "neither" => {
    const [red = 0, green = 0] = (colour.match(/\d+/g) ?? []).map(Number);
    if (green > red * 1.3) return "green";
    return red > green * 1.3 ? "red" : "neither";
  };

  test("lead to the call, and to all calls", async () => {
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant");
      await partOf(page, "Recent Calls")
        .getByRole("link", { name: /^4m, .*: open this call$/ })
        .click();
      await expect.poll(() => placeOf(page), patience).toMatch(/^\/tenant\?tab=analytics&call=[0-9a-f]{40}$/);
      await reads(page.getByRole("dialog"), /4m 0s/);
      await open(page, "/tenant");
      await partOf(page, "Recent Calls").getByRole("link", { name: "All calls" }).click();
      await expect.poll(() => placeOf(page), patience).toBe("/tenant?tab=analytics");
      await settled(page);
    });
  });

  for (const id of ["D1.2-068", "D1.2-069", "D1.2-070", "D1.2-071", "D1.2-072", "D1.4-008"])
    proves(id, async ({ sees }) => {
      const token = await site.tokenFor(clinic.login);
      const { json } = await site.api<{ status: string; createdAt: string }[]>("GET", "/api/tenant/dashboard/recent-calls", { token });
      expect(json).toHaveLength(6);
      await site.visit({ as: clinic.login }, async ({ page }) => {
        const shown = await shownTo(page);
        expect(shown).toHaveLength(5);
        expect(shown.map(({ at }) => at)).toEqual(json.slice(0, 5).map(({ createdAt }) => createdAt));
        const hues = json.slice(0, 5).map(({ status }) => (status === "completed" ? "green" : "red"));
        expect(shown.map(({ dot }) => hueOf(dot))).toEqual(hues);
        expect(shown[0]?.text).toMatch(/^Call\s[^]*In progress$/);
        expect(shown[1]?.text).toMatch(/^3m\s+[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M\s+Needs follow-up\s+No answer$/);
        expect(shown.slice(2).map(({ text }) => /^(\d+m)\s[^]*Completed$/.exec(text)?.[1])).toEqual(["4m", "3m", "2m"]);
        // The badge begins with a capital.
        sees(shown.map(({ text }) => `${text}\n${text.toLowerCase()}`).join("\n"));
      });
    });
});

describe("top tools", () => {
  const usage = [
    { toolName: "sendSMS", count: 1, successRate: null },
    { toolName: "getPatientInfo", count: 7, successRate: 80 },
    { toolName: "verifyPatientIdentity", count: 30, successRate: 80.1 },
    { toolName: "scheduleAppointment", count: 20, successRate: 33.333 },
    { toolName: "verifyInsurance", count: 9, successRate: null },
    { toolName: "sendEmail", count: 4, successRate: 0 },
  ];
  const listOf = (page: Page) => page.getByRole("list", { name: "Top tools" }).getByRole("listitem");
  const withUsage = (body: (page: Page) => Promise<void>): Promise<void> =>
    site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
      await page.route("**/tool-usage*", (route) => route.fulfill({ json: usage }));
      await page.route("**/recent-calls*", async (route) => {
        const response = await route.fetch();
        const [call] = (await response.json()) as object[];
        const json = Array.from({ length: 7 }, (_, at) => ({ ...call, id: String(at).padStart(40, "0") }));
        await route.fulfill({ response, json });
      });
      await open(page, "/tenant");
      await body(page);
    });

  for (const id of ["D1.2-073", "D1.2-074", "D1.9-018"])
    proves(id, async ({ sees }) => {
      await withUsage(async (page) => {
        const texts = (await listOf(page).allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
        expect(texts).toEqual([
          ["verifyPatientIdentity", "30 uses", "80.1%"],
          ["scheduleAppointment", "20 uses", "33.3%"],
          ["verifyInsurance", "9 uses", "N/A"],
          ["getPatientInfo", "7 uses", "80.0%"],
          ["sendEmail", "4 uses", "0.0%"],
        ]);
        await reads(partOf(page, "Recent Calls"), "The 5 most recent calls");
        expect(await page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").count()).toBe(5);
        sees(texts.flat());
      });
    });
  proves("D1.9-013", async () => {
    await withUsage(async (page) => {
      const colourOf = (name: string): Promise<string> =>
        listOf(page)
          .filter({ hasText: name })
          .getByTitle("Success rate")
          .evaluate((element) => getComputedStyle(element).backgroundColor);
      const plain = await colourOf("getPatientInfo");
      expect(await colourOf("verifyPatientIdentity")).not.toBe(plain);
      for (const name of ["scheduleAppointment", "verifyInsurance", "sendEmail"])
        expect([name, await colourOf(name)]).toEqual([name, plain]);
    });
  });
});
