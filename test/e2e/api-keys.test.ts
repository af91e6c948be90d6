import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCall } from "../call/run-call.ts";
import { proves } from "../requirements/proves.ts";
import { button, keyPart, keysAddress, partOf, show, shownKey, toast, visitKeys, wholeKey, type KeyLook } from "./api-keys.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

const bullets = "•".repeat(32);

let site: Site;
let looked: Login;
beforeAll(async () => {
  site = await openSite();
  looked = site.demo.tenants[0]!.admin;
});
afterAll(() => site?.close());

const visit = (body: (page: Page) => Promise<void>, look: Partial<KeyLook> = {}) => visitKeys(site, body, { as: looked, ...look });
const hiddenKey = (page: Page) => keyPart(page).getByRole("img", { name: "API key, hidden" });
const isHidden = async (page: Page): Promise<void> => {
  await expect.poll(() => hiddenKey(page).count(), patience).toBe(1);
};
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

const info = "**/api/tenant/info?*";
/** The tenant's facts as the server would tell them of another. */
const withInfo = (change: object) => (page: Page) =>
  page.route(info, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
  });
const revealsOf = async (login: Login): Promise<number> => {
  await site.platform.cloud.drained();
  const { text } = await site.api("GET", "/api/tenant/dashboard/audit-logs?search=apiKey.reveal&limit=100", {
    token: await site.tokenFor(login),
  });
  return text.split('"apiKey.reveal"').length - 1;
};

describe("the key", () => {
  proves("D1.2-075", async ({ sees }) => {
    await visit(async (page) => {
      const heading = page.getByRole("heading", { level: 2, name: "API Key Management" });
      expect(await heading.count()).toBe(1);
      sees(await heading.innerText());
    });
  });
  proves("D1.2-076", async () => {
    await visit(async (page) => {
      expect(await hiddenKey(page).innerText()).toBe(bullets);
      expect(await page.content()).not.toContain("vtl_live_");
    });
  });
  proves("D1.9-016", async () => {
    await visit(async (page) => expect([...(await hiddenKey(page).innerText())]).toEqual(Array<string>(32).fill("•")));
  });
  proves("D1.2-077", async () => {
    await visit(async (page) => {
      expect(await show(page)).toBe(site.demo.tenants[0]!.apiKey);
      expect(await button(page, "Show API key").count()).toBe(0);
      await button(page, "Hide API key").click();
      await isHidden(page);
    });
  });
  proves("D1.4-017", async () => {
    await visit(async (page) => {
      for (let turn = 0; turn < 2; turn++) {
        expect(await hiddenKey(page).innerText()).toBe(bullets);
        expect(await show(page)).toMatch(wholeKey);
        await button(page, "Hide API key").click();
        await isHidden(page);
      }
    });
  });
  proves("D1.2-078", async () => {
    await visit(async (page) => {
      await button(page, "Copy API key").click();
      await expect.poll(() => clipboard(page), patience).toBe(site.demo.tenants[0]!.apiKey);
      expect(await hiddenKey(page).count()).toBe(1);
    });
  });
  proves("D1.8-010", async ({ sees }) => {
    await visit(async (page) => {
      await button(page, "Copy API key").click();
      await reads(toast(page), /Copied\s+API key copied to clipboard/);
      sees(await toast(page).innerText());
    });
  });
  proves("D1.9-044", async () => {
    await visit(
      async (page) => {
        await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
        await button(page, "Copy API key").click();
        await reads(button(page, /^Cop/), /^Copied/);
        await page.clock.runFor(1900);
        expect(await button(page, /^Cop/).innerText()).toMatch(/^Copied/);
        await page.clock.runFor(200);
        await reads(button(page, /^Cop/), /^Copy/);
      },
      { before: (page) => page.clock.install() },
    );
  });
  proves("D1.2-079", async ({ sees }) => {
    await visit(async (page) => {
      await reads(keyPart(page), /Status\s+Active/);
      sees(await keyPart(page).innerText());
    });
    await visit(
      async (page) => {
        await reads(keyPart(page), /Status\s+Inactive/);
        sees(await keyPart(page).innerText());
      },
      { before: withInfo({ isActive: false }) },
    );
  });
  proves("D1.2-080", async ({ sees }) => {
    await visit((page) => reads(keyPart(page), new RegExp(`Organization\\s+${site.demo.tenants[0]!.name}`)));
    await visit(
      async (page) => {
        await reads(keyPart(page), /Organization\s+Not set/);
        sees(await keyPart(page).innerText());
      },
      { before: withInfo({ organizationName: "" }) },
    );
  });
  proves("D1.2-081", async ({ sees }) => {
    await visit((page) => reads(keyPart(page), /Created\s+[A-Z][a-z]{2} \d{1,2}, \d{4}/));
    await visit(
      async (page) => {
        await reads(keyPart(page), /Created\s+Unknown/);
        sees(await keyPart(page).innerText());
      },
      { before: withInfo({ createdAt: null }) },
    );
  });
  proves("D1.2-087", async ({ sees }) => {
    const gate = Promise.withResolvers<void>();
    await site.visit({ as: looked }, async ({ page }) => {
      await page.route(info, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(keysAddress);
      await expect.poll(() => keyPart(page).textContent(), patience).toContain("Loading API key information...");
      sees(await keyPart(page).textContent());
      gate.resolve();
      await isHidden(page);
      expect(await keyPart(page).textContent()).not.toContain("Loading");
    });
  });

  test("is for its tenant alone: who views as the tenant sees what stands around it, and takes nothing of it along", async () => {
    const { id, name } = site.demo.tenants[0]!;
    const token = await site.tokenFor(site.demo.systemAdmin);
    const { json } = await site.api<{ token: string }>("POST", `/api/admin/tenants/${id}/view-as`, { token });
    const before = await revealsOf(looked);
    await site.visit({}, async ({ page }) => {
      await open(page, "/");
      await page.evaluate((stored) => localStorage.setItem("auth_token", stored), json.token);
      await open(page, keysAddress);
      await reads(keyPart(page), new RegExp(`not shown while you view as the tenant[^]*Status\\s+Active[^]*${name}[^]*Created\\s+[A-Z]`));
      expect(await button(page, /Show|Copy|Regenerate/).count()).toBe(0);
      await reads(partOf(page, "Platform Configuration"), "Bearer YOUR_API_KEY");
      expect(await partOf(page, "Platform Configuration").getByRole("button", { name: "Show the key" }).count()).toBe(0);
      expect(await page.getByText("Failed to load").count()).toBe(0);
    });
    expect(await revealsOf(looked)).toBe(before);
  });

  test("does not come to the browser before it is asked for, nor stay in its memory of answers; each look is audited", async () => {
    const before = await revealsOf(looked);
    const texts: Promise<string>[] = [];
    await visit(
      async (page) => {
        expect((await Promise.all(texts)).join()).not.toContain("vtl_live_");
        expect(texts.length).toBeGreaterThan(0);
        expect(await revealsOf(looked)).toBe(before);
        expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("vtl_live_");
        const key = await show(page);
        expect(await revealsOf(looked)).toBe(before + 1);
        await button(page, "Copy API key").click();
        await reads(toast(page), /Copied/);
        expect(await revealsOf(looked)).toBe(before + 1);
        await button(page, "Hide API key").click();
        await button(page, "Copy API key").click();
        await expect.poll(() => revealsOf(looked), patience).toBe(before + 2);
        expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(key);
        expect(await page.content()).not.toContain(key);
      },
      {
        before: async (page) => {
          let isAsked = false;
          page.on("response", (response) => {
            const { pathname, search } = new URL(response.url());
            isAsked ||= pathname === "/api/tenant/info" && search === "";
            if (isAsked || !pathname.startsWith("/api/")) return;
            texts.push(response.text().catch(() => ""));
          });
        },
      },
    );
  });

  test("is hidden again after a minute, and as soon as nobody looks at the page", async () => {
    await visit(
      async (page) => {
        await show(page);
        await page.clock.fastForward(45_000);
        expect(await shownKey(page).innerText()).toMatch(wholeKey);
        await page.clock.fastForward(16_000);
        await isHidden(page);
        await show(page);
        await page.evaluate(() => {
          Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        });
        await isHidden(page);
      },
      { before: (page) => page.clock.install() },
    );
  });

  test("that cannot be put into the clipboard says so, and can still be shown", async () => {
    await visit(
      async (page) => {
        await button(page, "Copy API key").click();
        await reads(toast(page), /Copy Failed\s+Failed to copy API key to clipboard\./);
        expect(await show(page)).toMatch(wholeKey);
        await button(page, /^Copy/).click();
        await reads(toast(page), /Copy Failed/);
      },
      {
        before: (page) =>
          page.addInitScript(() => {
            const refuse = () => Promise.reject(new DOMException("No", "NotAllowedError"));
            Object.assign(navigator.clipboard, { write: refuse, writeText: refuse });
          }),
      },
    );
  });

  test("that cannot be read is told, and stays hidden until another try", async () => {
    await visit(
      async (page) => {
        await page.route("**/api/tenant/info", (route) =>
          route.fulfill({ status: 503, json: { error: "The key is out of reach.", code: "unavailable", requestId: "req-key" } }),
        );
        await button(page, "Show API key").click();
        await reads(toast(page), /Error\s+The key is out of reach\./);
        expect(await hiddenKey(page).count()).toBe(1);
        await button(page, "Copy API key").click();
        await reads(toast(page), /Error\s+The key is out of reach\./);
        await page.unroute("**/api/tenant/info");
        expect(await show(page)).toMatch(wholeKey);
      },
      { refused: ["503 GET /api/tenant/info"] },
    );
  });

  test("whose facts do not load leaves the rest of the tab alone, and can be asked for again", async () => {
    await visit(
      async (page) => {
        await reads(keyPart(page).getByRole("alert"), /Failed to load API key information[^]*Not now\.[^]*Request ID: req-info/);
        await reads(partOf(page, "Using the API Key"), /verifyPatientIdentity/);
        await page.unroute(info);
        await keyPart(page).getByRole("button", { name: "Retry" }).click();
        await isHidden(page);
        expect(await keyPart(page).getByRole("alert").count()).toBe(0);
      },
      {
        refused: ["503 GET /api/tenant/info"],
        before: (page) =>
          page.route(info, (route) =>
            route.fulfill({ status: 503, json: { error: "Not now.", code: "unavailable", requestId: "req-info" } }),
          ),
      },
    );
  });
});

describe("what the key is for", () => {
  const usage = (page: Page) => partOf(page, "Using the API Key");

  proves("D1.2-084", async () => {
    await visit((page) => reads(usage(page), /bearer token in its Authorization header[^]*Authorization: Bearer YOUR_API_KEY/));
  });
  proves("D1.2-085", async () => {
    await visit(async (page) => {
      await reads(usage(page), `${site.origin}/api/vapi/tool-call`);
      await reads(usage(page), `${site.origin}/api/mcp/${site.demo.tenants[0]!.id}`);
      await usage(page).getByRole("button", { name: "Copy Tool-call endpoint" }).click();
      await expect.poll(() => clipboard(page), patience).toBe(`${site.origin}/api/vapi/tool-call`);
    });
  });
  proves("D1.2-086", async () => {
    const { json } = await site.api<{ name: string }[]>("GET", "/api/tenant/tools", { token: await site.tokenFor(looked) });
    await visit(async (page) => {
      const named = await usage(page).locator("summary code").allTextContents();
      expect(named.toSorted()).toEqual(json.map(({ name }) => name).toSorted());
      expect(named).toHaveLength(13);
      expect(await usage(page).getByRole("heading", { level: 4 }).allInnerTexts()).toEqual([
        "Patient management",
        "Clinical actions",
        "Communication",
        "Internal operations",
      ]);
      await usage(page).getByText("verifyPatientIdentity").first().click();
      await reads(usage(page), /Verify who the caller is/);
    });
  });
});

describe("the platform configuration", () => {
  const snippets = (page: Page) => partOf(page, "Platform Configuration");

  test("names the addresses, and holds the key only while it is shown; what is copied has it", async () => {
    const before = await revealsOf(looked);
    const key = site.demo.tenants[0]!.apiKey;
    await visit(async (page) => {
      await reads(snippets(page), new RegExp(`${site.origin}/api/mcp/[^]*Bearer YOUR_API_KEY`));
      expect(await page.content()).not.toContain("vtl_live_");
      expect(await revealsOf(looked)).toBe(before);
      await snippets(page).getByRole("button", { name: "Copy All tools over MCP" }).click();
      await expect.poll(() => clipboard(page), patience).toContain(`Bearer ${key}`);
      expect(await page.content()).not.toContain(key);
      await snippets(page).getByRole("button", { name: "Show the key" }).click();
      await reads(snippets(page), `Bearer ${key}`);
      expect(await snippets(page).innerText()).not.toContain("Bearer YOUR_API_KEY");
      await snippets(page).getByRole("button", { name: "Hide the key" }).click();
      await reads(snippets(page), "Bearer YOUR_API_KEY");
      expect(await page.content()).not.toContain(key);
      expect(await revealsOf(looked)).toBe(before + 2);
    });
  });

  test("keeps the platform and the office in the address", async () => {
    const office = site.demo.tenants[0]!.offices[0]!;
    await visit(async (page) => {
      await snippets(page).getByLabel("Voice platform").selectOption("Any MCP client");
      await reads(snippets(page), "mcpServers");
      await snippets(page).getByLabel("Office").selectOption(office.id);
      await reads(snippets(page), `/api/mcp/${site.demo.tenants[0]!.id}/${office.id}`);
      await page.reload();
      await settled(page);
      await reads(snippets(page), new RegExp(`mcpServers[^]*${office.id}`));
      for (const platform of ["Vapi", "Retell AI", "ElevenLabs", "OpenAI Realtime"]) {
        await snippets(page).getByLabel("Voice platform").selectOption(platform);
        await expect.poll(() => snippets(page).locator("pre").count(), patience).toBeGreaterThan(0);
      }
    });
  });
});

describe("the recent tool calls", () => {
  const calls = (page: Page) => partOf(page, "Recent Tool Calls").first();

  test("are the tenant's own, newest first, each with its call and its request", async () => {
    const [one] = site.demo.tenants;
    await runCall({ origin: site.origin, apiKey: one!.apiKey, platform: "vapi", scenario: "book", patient: site.demo.patients[0]! });
    await site.platform.cloud.drained();
    const { json } = await site.api<{ requestId: string; callId: string }[]>("GET", "/api/tenant/tool-calls?limit=100", {
      token: await site.tokenFor(looked),
    });
    await visit(async (page) => {
      expect(await calls(page).getByRole("columnheader").allInnerTexts()).toEqual([
        "Time",
        "Tool",
        "Status",
        "Duration",
        "Call",
        "Request ID",
      ]);
      const rows = calls(page).locator("tbody tr");
      const more = calls(page).getByRole("button", { name: /^Show all/ });
      if ((await more.count()) > 0) await more.click();
      expect(await rows.locator("td:last-child").allInnerTexts()).toEqual(json.map(({ requestId }) => requestId));
      await reads(calls(page), `${json.length} tool calls shown`);
      const link = rows.first().getByRole("link");
      expect(await link.getAttribute("href")).toBe(`/tenant?tab=analytics&call=${json[0]!.callId}`);
    });
    await visit((page) => reads(calls(page), /No tool calls yet/), { as: await addTenant(site, "Quiet Clinic") });
  });

  test("that do not load can be asked for again, on a phone as well", async () => {
    const path = "**/api/tenant/tool-calls*";
    await visit(
      async (page) => {
        await reads(calls(page).getByRole("alert"), /Failed to load tool calls/);
        await page.unroute(path);
        await calls(page).getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => calls(page).locator("tbody tr").count(), patience).toBeGreaterThan(0);
      },
      {
        viewport: phone,
        refused: ["503 GET /api/tenant/tool-calls"],
        before: (page) => page.route(path, (route) => route.fulfill({ status: 503, json: {} })),
      },
    );
  });
});
