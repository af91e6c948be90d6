import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { destinationAfterLogin } from "../../web/src/app/areas.ts";
import { proves } from "../requirements/proves.ts";
import { setUp } from "./installation.fixture.ts";
import { fillLogin, open, patience, reads, settled, titled } from "./look.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

const calendar = "https://cal.com/vitaline/demo/embed";

let site: Site;
let tenantAdmin: Login;
let systemAdmin: Login;
/** What a stranger reads on the open pages, by their addresses. */
let texts: Record<string, string>;
let headings: Record<string, string[]>;

let reading: Promise<void> | undefined;

const openPages = ["/", "/healthcare", "/pricing", "/contact", "/dashboard", "/login", "/admin-login", "/admin/login"];

beforeAll(async () => {
  site = await openSite({ mutateTemplate: setUp({ calendar, placesLeft: 37 }) });
  tenantAdmin = site.demo.tenants[0]!.admin;
  systemAdmin = site.demo.systemAdmin;
});
/** Read once, in the first test. */
beforeEach(() => (reading ??= readAll()), 120_000);
afterAll(() => site?.close());

async function readAll(): Promise<void> {
  [texts, headings] = [{}, {}];
  await site.visit({}, async ({ page }) => {
    for (const address of openPages) {
      expect([address, await open(page, address)]).toEqual([address, 200]);
      await page.waitForLoadState("networkidle");
      texts[address] = await page.getByRole("main").innerText();
      headings[address] = await page.locator("main :is(h1, h2, h3)").allInnerTexts();
    }
  });
}

const placeOf = (page: Page): string => page.url().slice(site.origin.length);
const partOf = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const stranger = (body: (page: Page, context: BrowserContext) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ refused }, ({ page, context }) => body(page, context));

describe("the open pages", () => {
  proves("D1.1-010", () => {
    expect(headings["/"]?.[0]).toBe("Healthcare AI Voice Agent Platform");
    expect(headings["/pricing"]).toContain("Enterprise");
    expect(headings["/contact"]?.[0]).toBe("Contact us");
  });
  proves("D1.2-001", () => {
    expect(headings["/"]?.[0]).toBe("Healthcare AI Voice Agent Platform");
    expect(texts["/"]).toMatch(/HIPAA[^]*EHR/);
  });
  proves("D1.2-002", () => {
    expect(texts["/healthcare"]).toBe(texts["/"]);
    expect(texts["/"]?.length).toBeGreaterThan(1000);
  });
  proves("D1.2-003", () => {
    expect(headings["/dashboard"]?.[0]).toBe("Dashboard");
    expect(texts["/dashboard"]).toMatch(/Tenant login[^]*System admin login[^]*Healthy/);
  });
  proves("D1.2-008", () => {
    expect(headings["/pricing"]).toEqual(expect.arrayContaining(["Light", "Core", "Enterprise"]));
    expect(texts["/pricing"]).toMatch(/per month/);
  });
  proves("D1.2-009", () => {
    expect(headings["/contact"]?.[0]).toBe("Contact us");
    expect(texts["/contact"]).toMatch(/Send message/);
  });
  proves("D1.2-010", () => {
    expect(headings["/login"]?.[0]).toBe("Tenant Login");
    expect(texts["/login"]).toMatch(/Email[^]*Password/);
  });
  proves("D1.2-011", () => {
    expect(headings["/admin-login"]?.[0]).toBe("System Admin Login");
    expect(texts["/admin-login"]).toMatch(/Email[^]*Password/);
  });
  proves("D1.2-015", () => {
    expect(headings["/admin/login"]?.[0]).toBe("System Admin Login");
    expect(texts["/admin/login"]).toBe(texts["/admin-login"]);
  });
  proves("D1.2-017", () =>
    stranger(async (page) => {
      for (const address of ["/admin/login", "/admin-login"]) {
        await open(page, address);
        expect(await page.title()).toBe("System Admin Login · Vitaline");
        expect(placeOf(page)).toBe(address);
      }
    }),
  );
  for (const id of ["D1.2-012", "D1.2-013", "D1.2-014"])
    proves(id, ({ sees }) =>
      stranger(
        async (page) => {
          expect(await open(page, "/no/such/page")).toBe(404);
          const text = await page.getByRole("main").innerText();
          expect(text).toMatch(/Page Not Found/);
          sees(text);
        },
        ["404 GET /no/such/page"],
      ),
    );
});

describe("the landing page", () => {
  proves("D1.1-001", () => {
    expect(texts["/"]).toMatch(/HIPAA-compliant platform/);
    expect(texts["/"]).toMatch(/Every organization has its own/);
  });
  proves("D1.1-003", () => {
    const tasks = ["Scheduling", "Prescription refills", "Insurance verification", "Identity verification", "Lead capture", "Reminders"];
    expect(headings["/"]).toEqual(expect.arrayContaining(tasks));
    expect(texts["/"]).toMatch(/Your patients call, and an agent answers/);
  });
  proves("D1.1-004", () => {
    for (const system of ["EHR systems", "Customer-relationship tools", "Calendar service"]) expect(texts["/"]).toContain(system);
    expect(texts["/"]).toMatch(/FHIR in R4, STU3 and DSTU2/);
  });
  proves("D1.1-005", () => {
    for (const provider of ["SMS provider", "Email provider", "Calendar service", "EHR systems"]) expect(texts["/"]).toContain(provider);
    expect(headings["/"]).toContain("EHR integration, and everything around it");
  });
  proves("D1.2-020", ({ sees }) =>
    stranger(async (page) => {
      await open(page, "/");
      expect(await page.title()).toBe("Healthcare AI Voice Agent Platform · Vitaline");
      expect(await page.locator("h1").count()).toBe(1);
      sees(await page.locator("h1").innerText());
    }),
  );
  proves("D1.2-021", ({ sees }) =>
    stranger(async (page) => {
      await open(page, "/");
      const cards = await partOf(page, "One platform behind every call").getByRole("article").getByRole("heading").allInnerTexts();
      expect(cards).toEqual(["Core Platform", "VAPI Integration", "Services Ready"]);
      expect(await page.getByRole("article").count()).toBe(3);
      sees(cards);
    }),
  );
  for (const id of ["D1.2-022", "D1.2-023", "D1.2-024", "D1.2-025", "D1.2-026"])
    proves(id, ({ sees }) =>
      stranger(async (page) => {
        await open(page, "/");
        const list = partOf(page, "Active endpoints").getByRole("listitem");
        expect(await list.count()).toBe(4);
        const lines = await list.locator("code").allInnerTexts();
        expect(lines.every((line) => /^(GET|POST) \/api\//.test(line))).toBe(true);
        sees(lines);
      }),
    );
  const sections: [string, RegExp, RegExp][] = [
    ["D1.2-027", /^HIPAA/, /verified by the server/],
    ["D1.2-028", /^EHR integration/, /Epic, Oracle Health/],
    ["D1.2-029", /^Features/, /Prescription refills/],
    ["D1.2-030", /^Compliance/, /audit entry[^]*Seven years/],
  ];
  for (const [id, name, content] of sections)
    proves(id, () =>
      stranger(async (page) => {
        await open(page, "/");
        expect(await partOf(page, name).count()).toBe(1);
        expect(await partOf(page, name).innerText()).toMatch(content);
      }),
    );
  proves("D1.2-032", () =>
    stranger(async (page) => {
      await open(page, "/");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).click();
      await titled(page, "Pricing that follows your phone");
      expect(placeOf(page)).toBe("/pricing");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home", exact: true }).click();
      await titled(page, "Healthcare AI Voice Agent Platform");
      expect(placeOf(page)).toBe("/");
    }),
  );
});

/** The calendar service, played: its page, or nothing at all. */
const playCalendar = (context: BrowserContext, plays: "page" | "nothing"): Promise<unknown> =>
  context.route("https://cal.com/**", (route) =>
    plays === "nothing"
      ? undefined
      : route.fulfill({
          contentType: "text/html",
          body: "<!doctype html><html lang=en><title>Calendar</title><h1>Pick a slot</h1></html>",
        }),
  );

const bookOn = async (page: Page, address: string): Promise<void> => {
  await open(page, address);
  await page.getByRole("button", { name: "Choose a time" }).click();
};

const showsCalendar = (address: string) => () =>
  stranger(async (page, context) => {
    await playCalendar(context, "page");
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().startsWith("https://cal.com") && asked.push(request.url())));
    await open(page, address);
    await reads(partOf(page, "Schedule a demo"), /comes from cal\.com, which sets cookies/);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Choose a time" }).click();
    const frame = page.locator("iframe[title='Schedule a demo']");
    await reads(frame.contentFrame().locator("body"), "Pick a slot");
    expect(asked).toEqual([calendar]);
    expect((await frame.boundingBox())?.height).toBe(700);
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts allow-same-origin allow-forms allow-popups");
    expect(await page.getByRole("link", { name: "Open the calendar in a new tab" }).getAttribute("rel")).toBe("noopener noreferrer");
  });

describe("booking a demo", () => {
  proves("D1.2-031", async () => {
    for (const address of ["/", "/healthcare"]) await showsCalendar(address)();
  });
  proves("D1.2-037", showsCalendar("/pricing"));

  test("offers other ways when the calendar does not come within ten seconds", () =>
    stranger(async (page, context) => {
      await playCalendar(context, "nothing");
      await page.clock.install();
      await bookOn(page, "/pricing");
      await reads(partOf(page, "Schedule a demo"), "Loading the calendar...");
      await page.clock.fastForward(10_001);
      await reads(page.getByRole("alert"), /Open it in a new tab, or write to us/);
      await page.getByRole("link", { name: "write to us" }).click();
      await titled(page, "Contact us");
      expect(await page.getByLabel("Message").inputValue()).toMatch(/demo/);
    }));

  test("leads to the contact form where no calendar is set up, and where nobody says", () =>
    stranger(
      async (page) => {
        for (const answer of [{ schedulingUrl: null }, undefined]) {
          await page.route("**/api/public/config", async (route) => {
            if (!answer) return route.fulfill({ status: 503, json: {} });
            const response = await route.fetch();
            return route.fulfill({ response, json: { ...(await response.json()), ...answer } });
          });
          await open(page, "/");
          await page.waitForLoadState("networkidle");
          const part = partOf(page, "Schedule a demo");
          expect(await part.innerText()).toMatch(/Tell us a time that suits you[^]*Monday to Friday 9-6 EST/);
          expect(await page.locator("iframe").count()).toBe(0);
          await part.getByRole("link", { name: "Ask for a demo" }).click();
          await titled(page, "Contact us");
          expect(placeOf(page)).toBe("/contact?topic=demo");
          await page.unrouteAll();
        }
      },
      ["503 GET /api/public/config"],
    ));
});

describe("the pricing page", () => {
  const tier = async (name: string, looksAt: (text: string) => void): Promise<void> =>
    stranger(async (page) => {
      await open(page, "/pricing");
      const card = page.getByRole("article", { name });
      expect(await card.count()).toBe(1);
      looksAt(await card.innerText());
    });
  const figures: [string, string, RegExp][] = [
    ["D1.9-028", "Light", /\$1,099 per month/],
    ["D1.9-029", "Light", /Setup \$2,999/],
    ["D1.9-030", "Light", /1 licence per location/],
    ["D1.9-031", "Light", /1,800 bundled minutes/],
    ["D1.9-032", "Core", /\$1,899 per month/],
    ["D1.9-033", "Core", /Setup \$6,999/],
    ["D1.9-034", "Core", /3 licences/],
    ["D1.9-035", "Core", /3,600 bundled minutes/],
    ["D1.9-036", "Enterprise", /Custom/],
  ];
  for (const [id, name, figure] of figures) proves(id, () => tier(name, (text) => expect(text).toMatch(figure)));
  proves("D1.2-033", ({ sees }) => {
    const names = headings["/pricing"]?.filter((heading) => ["Light", "Core", "Enterprise"].includes(heading));
    expect(names).toEqual(["Light", "Core", "Enterprise"]);
    expect(texts["/pricing"]?.match(/\bSetup\b/g)?.length).toBeGreaterThanOrEqual(3);
    sees(names);
  });
  proves("D1.2-034", async ({ sees }) => {
    await tier("Core", (text) => {
      expect(text).toContain("Most Popular");
      sees(text);
    });
    for (const name of ["Light", "Enterprise"]) await tier(name, (text) => expect(text).not.toContain("Most Popular"));
  });
  /** A table's cells by row and column heading. */
  const tableOf = async (page: Page, name: string): Promise<Record<string, string[]>> => {
    const rows = await page.getByRole("table", { name }).getByRole("row").all();
    const cells = await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
    return Object.fromEntries(cells.map(([first = "", ...rest]) => [first, rest]));
  };
  proves("D1.2-035", () =>
    stranger(async (page) => {
      await open(page, "/pricing");
      expect(await page.getByRole("table").count()).toBe(2);
      expect(await tableOf(page, "Plans compared")).toMatchObject({
        "": ["Light", "Core", "Enterprise"],
        "Monthly price": ["$1,099", "$1,899", "Custom"],
        Setup: ["$2,999", "$6,999", "Custom"],
        Licences: ["1 per location", "3", "Custom"],
        "Bundled minutes a month": ["1,800", "3,600", "Custom"],
      });
    }),
  );
  for (const [id, column, calls] of [
    ["D1.9-038", "Starter", "500"],
    ["D1.9-039", "Professional", "2,000"],
    ["D1.9-040", "Enterprise", "Unlimited"],
  ] as const)
    proves(id, () =>
      stranger(async (page) => {
        await open(page, "/pricing");
        const table = await tableOf(page, "By calls a month");
        const at = table[""]?.indexOf(column) ?? -1;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(table["Monthly calls"]?.[at]).toBe(calls);
      }),
    );
  proves("D1.9-037", async () => {
    for (const name of ["Light", "Core", "Enterprise"]) await tier(name, (text) => expect(text).toMatch(/Overage \$0\.18 per minute/));
  });
  proves("D1.2-036", () =>
    stranger(async (page) => {
      await open(page, "/pricing");
      const question = partOf(page, "Frequently asked questions").getByText("How long does setup take?");
      await question.click();
      await reads(partOf(page, "Frequently asked questions"), /we connect your EHR/);
      expect(await page.locator("details").count()).toBeGreaterThanOrEqual(5);
    }),
  );
  proves("D1.9-041", () => {
    expect(texts["/pricing"]).toContain("For the first 100 MVP members: 37 places left");
    expect(texts["/"]).toContain("For the first 100 MVP members: 37 places left");
  });
  proves("D1.9-042", () => {
    expect(texts["/pricing"]).toContain("setup in 24-48 hours");
    expect(texts["/"]).toContain("24-48 hours");
  });
  test("leads from each plan to a message that names it", () =>
    stranger(async (page) => {
      for (const [button, plan] of [
        ["Choose Light", "Light"],
        ["Choose Core", "Core"],
        ["Talk to us", "Enterprise"],
      ] as const) {
        await open(page, "/pricing");
        await page.getByRole("link", { name: button }).click();
        await titled(page, "Contact us");
        expect(await page.getByLabel("Message").inputValue()).toContain(plan);
      }
    }));
});

describe("the contact page", () => {
  const letter = { "First name": "Ann", "Last name": "Lee", Email: "ann@lee.example", Message: "Hello there." };
  const write = async (page: Page, fields: Record<string, string> = letter): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  };
  const send = (page: Page): Promise<void> => page.getByRole("button", { name: "Send message" }).click();
  const formFields = ["firstName", "lastName", "email", "phone", "company", "industry", "message"];
  for (const [index, name] of formFields.entries())
    proves(`D1.2-0${39 + index}`, () =>
      stranger(async (page) => {
        await open(page, "/contact");
        const control = page.locator(`main [name=${name}]`);
        expect(await control.isVisible()).toBe(true);
        const isRequired = ["firstName", "lastName", "email", "message"].includes(name);
        expect(await control.getAttribute("aria-required")).toBe(String(isRequired));
        if (name !== "industry") return;
        const values = await control
          .locator("option")
          .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
        expect(values.filter(Boolean)).toEqual(["healthcare", "dental", "homeservices", "cleaning", "hvac", "wellness", "other"]);
      }),
    );
  proves("D1.2-038", () => {
    expect(texts["/contact"]).toMatch(/First name[^]*Send message/);
    expect(headings["/contact"]).toEqual(expect.arrayContaining(["Contact information", "Frequently asked questions"]));
  });
  proves("D1.9-043", () => {
    expect(texts["/contact"]).toMatch(/Monday to Friday\s+9-6 EST\s+Saturday\s+10-4 EST\s+Sunday\s+Closed/);
    expect(texts["/contact"]).toContain("support@vitaline.example");
  });

  test("keeps a message for the administrators, and says so in a panel that has the focus", () =>
    stranger(async (page) => {
      await open(page, "/contact");
      await write(page, { ...letter, Company: "Lee & Lee" });
      await page.getByLabel("Industry").selectOption("hvac");
      await send(page);
      await reads(page.getByRole("main"), "Thank you. Your message is with us.");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Thank you. Your message is with us.");
      const { json } = await site.api("GET", "/api/admin/contact-messages", { token: await site.tokenFor(systemAdmin) });
      expect(json[0]).toMatchObject({ firstName: "Ann", company: "Lee & Lee", industry: "hvac", phone: null, message: "Hello there." });
      await page.getByRole("button", { name: "Write another message" }).click();
      expect(await page.getByLabel("Message").inputValue()).toBe("");
    }));

  test("names what is missing at its field, takes the focus there, and asks nobody", () =>
    stranger(async (page) => {
      const asked: string[] = [];
      page.on("request", (request) => void (request.method() === "POST" && asked.push(request.url())));
      await open(page, "/contact");
      await send(page);
      await expect
        .poll(() => page.locator("main [aria-invalid=true]").evaluateAll((all) => all.map((one) => one.getAttribute("name"))), patience)
        .toEqual(["firstName", "lastName", "email", "message"]);
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("firstName");
      expect(asked).toEqual([]);
    }));

  test("keeps every word when the message does not arrive, sends once however often one clicks, and arrives at last", () =>
    stranger(
      async (page) => {
        let sent = 0;
        await page.route("**/api/contact", async (route) => {
          sent += 1;
          if (sent > 1) return route.fulfill({ status: 201, json: { received: true } });
          await new Promise((resolve) => setTimeout(resolve, 300));
          return route.fulfill({
            status: 429,
            json: { error: "Too many messages. Try again later.", code: "too_many_requests", requestId: "r" },
          });
        });
        await open(page, "/contact");
        await write(page);
        await page.getByRole("button", { name: "Send message" }).dblclick();
        await reads(page.getByRole("alert"), "Too many messages. Try again later.");
        expect(sent).toBe(1);
        for (const [label, text] of Object.entries(letter)) expect(await page.getByLabel(label).inputValue()).toBe(text);
        await send(page);
        await reads(page.getByRole("main"), /Thank you/);
      },
      ["429 POST /api/contact"],
    ));

  test("has a field that no person finds, and throws away what a program writes there", () =>
    stranger(async (page) => {
      await open(page, "/contact");
      const before = (await site.api("GET", "/api/admin/contact-messages", { token: await site.tokenFor(systemAdmin) })).json.length;
      const trap = page.locator("main [name=website]");
      expect(await trap.getAttribute("tabindex")).toBe("-1");
      expect(await page.getByLabel("Website").count()).toBe(await trap.count());
      expect(await page.getByRole("textbox", { name: "Website" }).count()).toBe(0);
      await write(page);
      await trap.evaluate((field: HTMLInputElement) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "https://spam.example");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await send(page);
      await reads(page.getByRole("main"), /Thank you/);
      const after = (await site.api("GET", "/api/admin/contact-messages", { token: await site.tokenFor(systemAdmin) })).json.length;
      expect(after).toBe(before);
    }));
});

describe("signing in", () => {
  const leads = (id: string, address: string, login: () => Login, place: string): void =>
    proves(id, () =>
      stranger(async (page) => {
        await open(page, address);
        await fillLogin(page, login());
        await expect.poll(() => placeOf(page), patience).toBe(place);
        expect(await page.evaluate(() => Object.keys(localStorage))).toContain("auth_token");
        await settled(page);
      }),
    );
  leads("D1.2-048", "/admin-login", () => systemAdmin, "/admin");
  leads("D1.2-049", "/admin-login", () => tenantAdmin, "/tenant");
  leads("D1.2-053", "/login", () => tenantAdmin, "/tenant");
  leads("D1.2-054", "/login", () => systemAdmin, "/admin");
  for (const id of ["D1.2-055", "D1.6-004"])
    proves(id, () => {
      expect(destinationAfterLogin(undefined, "auditor")).toBe("/");
      expect(destinationAfterLogin("/admin", "auditor")).toBe("/");
    });
  for (const [id, address] of [
    ["D1.2-047", "/admin-login"],
    ["D1.2-052", "/login"],
  ] as const)
    proves(id, () =>
      stranger(async (page) => {
        await open(page, address);
        expect(await page.getByLabel("Email").getAttribute("type")).toBe("email");
        expect(await page.getByLabel("Password").getAttribute("type")).toBe("password");
        expect(await page.locator("main form").getByRole("textbox").count()).toBe(2);
      }),
    );
  proves("D1.2-057", ({ sees }) =>
    stranger(async (page) => {
      await open(page, "/login");
      const link = page.getByRole("main").getByRole("link", { name: "Contact support" });
      sees(await link.innerText());
      await link.click();
      await titled(page, "Contact us");
      expect(placeOf(page)).toBe("/contact");
    }),
  );
  proves("D1.2-058", () =>
    stranger(async (page) => {
      await open(page, "/login");
      await page.getByRole("main").getByRole("link", { name: "System admin login" }).click();
      await titled(page, "System Admin Login");
      expect(placeOf(page)).toBe("/admin-login");
    }),
  );
  for (const id of ["D1.5-003", "D1.8-004"])
    proves(id, ({ sees }) =>
      stranger(
        async (page) => {
          await open(page, "/login");
          await fillLogin(page, { email: "nobody@nowhere.example", password: "not a password" });
          const { json } = await site.api("POST", "/api/auth/login", {
            body: { email: "nobody@nowhere.example", password: "not a password" },
          });
          await reads(page.getByRole("alert"), json.error);
          await page.route("**/api/auth/login", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad</h1>" }));
          await page.getByRole("button", { name: "Sign in" }).click();
          await reads(page.getByRole("alert"), /^Login failed$/);
          sees(await page.getByRole("alert").innerText());
          expect(await page.evaluate(() => localStorage.length)).toBe(0);
          expect(json.error).toBeTruthy();
        },
        ["401 POST /api/auth/login", "502 POST /api/auth/login"],
      ),
    );
});

describe("the guards", () => {
  const closed: [string, string, () => string, string][] = [
    ["D1.2-004", "/tenant", () => "Tenant Dashboard", "/login"],
    ["D1.2-005", "/tenant-dashboard", () => "Tenant Dashboard", "/login"],
    ["D1.2-006", "/admin", () => "Admin Dashboard", "/admin-login"],
    ["D1.2-007", "/admin-dashboard", () => "Admin Dashboard", "/admin-login"],
  ];
  for (const [id, area, title, login] of closed)
    proves(id, async () => {
      const isTenants = area.startsWith("/tenant");
      const [own, other] = isTenants ? [tenantAdmin, systemAdmin] : [systemAdmin, tenantAdmin];
      for (const as of [undefined, other])
        await site.visit({ as }, async ({ page }) => {
          await page.goto(area);
          await expect.poll(() => placeOf(page), patience).toBe(login);
          await settled(page);
          expect(await page.getByRole("main").innerText()).not.toContain(title());
        });
      await site.visit({ as: own }, async ({ page }) => {
        await open(page, area);
        await titled(page, title());
        expect(placeOf(page)).toBe(area);
      });
    });

  for (const id of ["D1.2-050", "D1.2-051", "D1.6-005"])
    proves(id, ({ sees }) =>
      site.visit({ as: tenantAdmin }, async ({ page }) => {
        await open(page, "/admin-login");
        const main = page.getByRole("main");
        sees(await main.innerText());
        expect(await main.getByRole("button", { name: "Log out and log in as system admin" }).count()).toBe(1);
        await main.getByRole("link", { name: "Go to tenant dashboard" }).click();
        await titled(page, "Tenant Dashboard");
        expect(placeOf(page)).toBe("/tenant");
        await settled(page);
      }),
    );
  proves("D1.2-056", ({ sees }) =>
    site.visit({ as: systemAdmin }, async ({ page }) => {
      await open(page, "/login");
      sees(await page.getByRole("main").innerText());
      expect(await page.getByRole("main").getByRole("link", { name: "Go to admin dashboard" }).getAttribute("href")).toBe("/admin");
      expect(await page.getByRole("main").getByRole("button").count()).toBe(1);
    }),
  );
  for (const [id, login, open1, shut] of [
    ["D1.6-001", () => systemAdmin, ["/admin", "/admin-dashboard"], ["/tenant", "/tenant-dashboard"]],
    ["D1.6-002", () => tenantAdmin, ["/tenant", "/tenant-dashboard"], ["/admin", "/admin-dashboard"]],
  ] as const)
    proves(id, () =>
      site.visit({ as: login() }, async ({ page }) => {
        for (const address of open1) {
          await open(page, address);
          expect(placeOf(page)).toBe(address);
        }
        for (const address of shut) {
          await open(page, address);
          await titled(page, "Wrong Login Page");
        }
      }),
    );
  for (const id of ["D1.2-018", "D1.2-019"])
    proves(id, async () => {
      const as = id === "D1.2-019" ? tenantAdmin : undefined;
      await site.visit({ as }, async ({ page }) => {
        await page.goto("/admin?from=outside");
        await expect.poll(() => placeOf(page), patience).toBe("/admin-login");
        await settled(page);
        expect(await page.getByRole("navigation", { name: "Dashboard sections" }).count()).toBe(0);
      });
    });
});
