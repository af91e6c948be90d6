import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCall } from "../call/run-call.ts";
import { proves } from "../requirements/proves.ts";
import { tabTo } from "./focus.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site, type VisitOptions } from "./site.fixture.ts";

const address = "/tenant?tab=api-keys";
const bullets = "•".repeat(32);
const wholeKey = /^vtl_live_[0-9A-Za-z]{36}$/;
const question =
  "Are you sure you want to regenerate the API key? This will invalidate the current key and break all existing integrations until updated.";

let site: Site;
/** Whose keys are looked at, and whose are replaced. */
let [looked, replaced]: Login[] = [];
beforeAll(async () => {
  site = await openSite();
  looked = site.demo.tenants[0]!.admin;
  replaced = await addTenant(site, "Key Clinic");
});
afterAll(() => site?.close());

const partOf = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const keyPart = (page: Page) => partOf(page, "API Key Management");
const hiddenKey = (page: Page) => keyPart(page).getByRole("img", { name: "API key, hidden" });
const shownKey = (page: Page) => keyPart(page).locator("code").first();
const button = (page: Page, name: string | RegExp) => keyPart(page).getByRole("button", { name });
const asking = (page: Page) => page.getByRole("alertdialog");
const toast = (page: Page) => partOf(page, /notifications/i);
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const show = async (page: Page): Promise<string> => {
  await button(page, "Show API key").click();
  await reads(shownKey(page), wholeKey);
  return shownKey(page).innerText();
};
const isHidden = async (page: Page): Promise<void> => {
  await expect.poll(() => hiddenKey(page).count(), patience).toBe(1);
};

type Look = Pick<VisitOptions, "as" | "refused" | "viewport"> & { before?: (page: Page) => unknown };
/** On the tab, with the clipboard allowed. `before` comes before the page. */
const visit = (body: (page: Page) => Promise<void>, { as = looked!, before, ...look }: Look = {}): Promise<void> =>
  site.visit({ as, ...look }, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await before?.(page);
    await open(page, address);
    await body(page);
  });

const info = "**/api/tenant/info?*";
const regeneration = "**/api/tenant/regenerate-api-key";
/** The tenant's facts as the server would tell them of another. */
const withInfo = (change: object) => (page: Page) =>
  page.route(info, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
  });
const tokenOf = (login: Login): Promise<string> => site.tokenFor(login);
const keyOf = async (login: Login): Promise<string> =>
  (await site.api<{ apiKey: string }>("GET", "/api/tenant/info", { token: await tokenOf(login) })).json.apiKey;
const isAccepted = async (key: string): Promise<boolean> =>
  (await site.api("POST", "/api/vapi/tool-call", { key, body: { message: { type: "tool-calls", call: { id: "c" }, toolCallList: [] } } }))
    .status !== 401;
const revealsOf = async (login: Login): Promise<number> => {
  await site.platform.cloud.drained();
  const { text } = await site.api("GET", "/api/tenant/dashboard/audit-logs?search=apiKey.reveal", { token: await tokenOf(login) });
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
        await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
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
    const token = await tokenOf(site.demo.systemAdmin);
    const path = `/api/admin/tenants/${site.demo.tenants[0]!.id}/view-as`;
    const viewing = (await site.api<{ token: string }>("POST", path, { token })).json.token;
    await site.visit({ refused: ["403 GET /api/tenant/info", "403 GET /api/tenant/snippets"] }, async ({ page }) => {
      await open(page, "/");
      await page.evaluate((stored) => localStorage.setItem("auth_token", stored), viewing);
      await open(page, address);
      await reads(keyPart(page), /not shown while you view as the tenant[^]*Active[^]*Created\s+Unknown/);
      sees(await keyPart(page).innerText());
      expect(await button(page, /Show|Copy|Regenerate/).count()).toBe(0);
    });
  });
  proves("D1.2-087", async ({ sees }) => {
    const gate = Promise.withResolvers<void>();
    await site.visit({ as: looked! }, async ({ page }) => {
      await page.route(info, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(address);
      await expect.poll(() => keyPart(page).textContent(), patience).toContain("Loading API key information...");
      sees(await keyPart(page).textContent());
      gate.resolve();
      await isHidden(page);
      expect(await keyPart(page).textContent()).not.toContain("Loading");
    });
  });

  test("does not come to the browser before it is asked for, nor stay in its memory of answers; each look is audited", async () => {
    const before = await revealsOf(looked!);
    await visit(
      async (page) => {
        expect(await revealsOf(looked!)).toBe(before);
        expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("vtl_live_");
        const key = await show(page);
        expect(await revealsOf(looked!)).toBe(before + 1);
        await button(page, "Copy API key").click();
        await reads(toast(page), /Copied/);
        expect(await revealsOf(looked!)).toBe(before + 1);
        await button(page, "Hide API key").click();
        await button(page, "Copy API key").click();
        await expect.poll(() => revealsOf(looked!), patience).toBe(before + 2);
        expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(key);
        expect(await page.content()).not.toContain(key);
      },
      {
        before: async (page) => {
          let isAsked = false;
          page.on("response", async (response) => {
            const { pathname, search } = new URL(response.url());
            isAsked ||= pathname === "/api/tenant/info" && search === "";
            if (isAsked || !pathname.startsWith("/api/")) return;
            expect(await response.text().catch(() => "")).not.toContain("vtl_live_");
          });
        },
      },
    );
  });

  test("is hidden again after a minute, and as soon as nobody looks at the page", async () => {
    await visit(
      async (page) => {
        await show(page);
        await page.clock.fastForward(59_000);
        expect(await shownKey(page).innerText()).toMatch(wholeKey);
        await page.clock.fastForward(2000);
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

describe("a new key", () => {
  const ask = async (page: Page): Promise<void> => {
    await button(page, "Regenerate API Key").click();
    await reads(asking(page), /Are you sure/);
  };
  const agree = (page: Page) => asking(page).getByRole("button", { name: "Regenerate API Key" });

  proves("D1.2-082", async () => {
    await visit(async (page) => {
      const warning = await keyPart(page).getByText("A new key replaces this one everywhere").boundingBox();
      const below = await button(page, "Regenerate API Key").boundingBox();
      expect(warning!.y + warning!.height).toBeLessThan(below!.y);
    });
  });
  proves("D1.2-083", async ({ sees }) => {
    await visit(async (page) => {
      expect(await button(page, "Regenerate API Key").count()).toBe(1);
      sees(await button(page, "Regenerate API Key").innerText());
    });
  });

  test("is asked about first, and nothing happens to who says no", async () => {
    await visit(async (page) => {
      const sent: string[] = [];
      page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
      await ask(page);
      await reads(asking(page), question);
      await asking(page).getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => asking(page).count(), patience).toBe(0);
      await button(page, "Regenerate API Key").focus();
      await page.keyboard.press("Enter");
      await reads(asking(page), question);
      await page.keyboard.press("Escape");
      await expect.poll(() => asking(page).count(), patience).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Regenerate API Key");
      expect(sent).toEqual([]);
    });
  });

  proves("D1.4-014", async () => {
    const before = await keyOf(replaced!);
    await visit(
      async (page) => {
        await reads(button(page, "Regenerate API Key"), /^Regenerate API Key$/);
        await ask(page);
        const gate = Promise.withResolvers<void>();
        await page.route(regeneration, async (route) => {
          await gate.promise;
          await route.continue();
        });
        await agree(page).click();
        await reads(asking(page), /Regenerating\.\.\./);
        gate.resolve();
        await reads(shownKey(page), wholeKey);
        await reads(toast(page), /API Key Regenerated/);
        expect(await shownKey(page).innerText()).not.toBe(before);
      },
      { as: replaced! },
    );
  });
  proves("D1.4-015", async ({ sees }) => {
    await visit(
      async (page) => {
        const gate = Promise.withResolvers<void>();
        await page.route(regeneration, async (route) => {
          await gate.promise;
          await route.abort();
        });
        await ask(page);
        await agree(page).click();
        await reads(keyPart(page), /Regenerating\.\.\./);
        sees(await keyPart(page).innerText());
        // Neither Escape nor Cancel leaves while the request is under way
        await page.keyboard.press("Escape");
        expect(await asking(page).count()).toBe(1);
        gate.resolve();
        await reads(asking(page), /Failed to regenerate/);
      },
      { as: replaced!, refused: ["net::ERR_FAILED POST /api/tenant/regenerate-api-key"] },
    );
  });
  proves("D1.4-016", async () => {
    const old = await keyOf(replaced!);
    await visit(
      async (page) => {
        await ask(page);
        await page.evaluate((key) => localStorage.setItem("tenant_api_key", key), old);
        const refetched = page.waitForRequest((request) => request.url().includes("/api/tenant/info"));
        await agree(page).dblclick();
        await reads(shownKey(page), wholeKey);
        await refetched;
        const fresh = await shownKey(page).innerText();
        expect(fresh).toBe(await keyOf(replaced!));
        expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([false, true]);
        await reads(keyPart(page), new RegExp(`Ending in ${fresh.slice(-4)}`));
        expect(await button(page, "Hide API key").count()).toBe(1);
        expect(await page.evaluate(() => localStorage.getItem("tenant_api_key"))).toBeNull();
      },
      { as: replaced! },
    );
  });
  proves("D1.8-008", async ({ sees }) => {
    await visit(
      async (page) => {
        await ask(page);
        await agree(page).click();
        await reads(toast(page), /API Key Regenerated\s+Your new API key has been generated successfully\./);
        sees(await toast(page).innerText());
      },
      { as: replaced! },
    );
  });
  proves("D1.8-009", async ({ sees }) => {
    await visit(
      async (page) => {
        await ask(page);
        await agree(page).click();
        await reads(keyPart(page), /New API key generated successfully/);
        expect(await shownKey(page).innerText()).toMatch(wholeKey);
        sees(await keyPart(page).innerText());
      },
      { as: replaced! },
    );
  });
  proves("D1.8-006", async ({ sees }) => {
    const kept = await keyOf(replaced!);
    await visit(
      async (page) => {
        const refusal = { error: "Too many new keys. Wait a minute.", code: "too_many_requests", requestId: "req-new" };
        await page.route(regeneration, (route) => route.fulfill({ status: 429, json: refusal }));
        await ask(page);
        await agree(page).click();
        await reads(toast(page), /Error\s+Too many new keys\. Wait a minute\./);
        await reads(asking(page), /Too many new keys[^]*req-new/);
        await page.unroute(regeneration);
        await page.route(regeneration, (route) => route.fulfill({ status: 503, body: "" }));
        await agree(page).click();
        await reads(toast(page), /Error\s+Failed to regenerate API key$/m);
        sees(await toast(page).innerText());
        expect(await isAccepted(kept)).toBe(true);
      },
      { as: replaced!, refused: ["429 POST /api/tenant/regenerate-api-key", "503 POST /api/tenant/regenerate-api-key"] },
    );
  });
  proves("D1.8-007", async ({ sees }) => {
    await visit(
      async (page) => {
        await page.route(regeneration, (route) => route.fulfill({ status: 503, body: "" }));
        await ask(page);
        await asking(page).getByLabel("Old key stops working").selectOption("In 24 hours");
        await agree(page).click();
        await reads(asking(page).getByRole("alert"), /Failed to regenerate API key\. Please try again\./);
        sees(await asking(page).innerText());
        // What was chosen survives, and a second try works
        expect(await asking(page).getByLabel("Old key stops working").inputValue()).toBe("86400");
        await page.unroute(regeneration);
        await agree(page).click();
        await reads(shownKey(page), wholeKey);
      },
      { as: replaced!, refused: ["503 POST /api/tenant/regenerate-api-key"] },
    );
  });

  test("leaves the old one to work as long as was chosen, with its time, until it is revoked", async () => {
    const login = await addTenant(site, "Overlap Clinic");
    const old = await keyOf(login);
    await visit(
      async (page) => {
        const posts: Request[] = [];
        page.on("request", (request) => void (request.method() === "POST" && posts.push(request)));
        await ask(page);
        await asking(page).getByLabel("Old key stops working").selectOption("In 1 hour");
        await reads(asking(page), /goes on working until/);
        await agree(page).dblclick();
        await reads(shownKey(page), wholeKey);
        expect(posts.map((request) => request.postData())).toEqual(['{"overlapSeconds":3600}']);
        const fresh = await shownKey(page).innerText();
        expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([true, true]);

        const row = keyPart(page)
          .getByRole("listitem")
          .filter({ hasText: `Key ending in ${old.slice(-4)}` });
        await reads(row, /(1 h 0|5\d) min.* left/);
        const left = () => row.innerText();
        const first = await left();
        await expect.poll(left, patience).not.toBe(first);

        await button(page, "Regenerate API Key").click();
        await reads(asking(page), new RegExp(`ending in ${old.slice(-4)} still works`));
        await page.keyboard.press("Escape");

        await row.getByRole("button", { name: "Revoke now" }).click();
        await reads(asking(page), /refused from the next request on/);
        await asking(page).getByRole("button", { name: "Revoke now" }).click();
        await reads(toast(page), /API Key Revoked/);
        expect([await isAccepted(old), await isAccepted(fresh)]).toEqual([false, true]);
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe("Former keys");
        await reads(keyPart(page), /None of them works any more/);
        await keyPart(page).getByText("1 ended in the last 30 days").click();
        await reads(keyPart(page).getByRole("list", { name: "Former keys that have ended" }), new RegExp(`${old.slice(-4)}\\s+Ended`));
      },
      { as: login },
    );
  });

  test("whose answer was lost is found, and not made a second time", async () => {
    const login = await addTenant(site, "Lost Clinic");
    const old = await keyOf(login);
    await visit(
      async (page) => {
        let posts = 0;
        await page.route(regeneration, async (route) => {
          posts += 1;
          await route.fetch();
          await route.abort();
        });
        await ask(page);
        await agree(page).click();
        await reads(shownKey(page), wholeKey);
        expect(await shownKey(page).innerText()).toBe(await keyOf(login));
        expect([await isAccepted(old), posts]).toEqual([false, 1]);
        await reads(toast(page), /API Key Regenerated/);
      },
      { as: login, refused: ["net::ERR_FAILED POST /api/tenant/regenerate-api-key"] },
    );
  });

  test("can be had by keyboard alone", async () => {
    const login = await addTenant(site, "Keyboard Key Clinic");
    await visit(
      async (page) => {
        // The tab's panel is higher than the window
        await page.getByRole("tab", { selected: true }).focus();
        await page.keyboard.press("Tab");
        await tabTo(page, "Show API key");
        await page.keyboard.press("Enter");
        await reads(shownKey(page), wholeKey);
        const old = await shownKey(page).innerText();
        await tabTo(page, "Regenerate API Key");
        await page.keyboard.press("Enter");
        await reads(asking(page), /Are you sure/);
        await tabTo(page, "Regenerate API Key");
        await page.keyboard.press("Enter");
        await expect.poll(() => asking(page).count(), patience).toBe(0);
        await reads(shownKey(page), wholeKey);
        expect(await shownKey(page).innerText()).not.toBe(old);
      },
      { as: login },
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
    const { json } = await site.api<{ name: string }[]>("GET", "/api/tenant/tools", { token: await tokenOf(looked!) });
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
    const before = await revealsOf(looked!);
    const key = site.demo.tenants[0]!.apiKey;
    await visit(async (page) => {
      await reads(snippets(page), new RegExp(`${site.origin}/api/mcp/[^]*Bearer YOUR_API_KEY`));
      expect(await page.content()).not.toContain("vtl_live_");
      expect(await revealsOf(looked!)).toBe(before);
      await snippets(page).getByRole("button", { name: "Copy All tools over MCP" }).click();
      await expect.poll(() => clipboard(page), patience).toContain(`Bearer ${key}`);
      expect(await page.content()).not.toContain(key);
      await snippets(page).getByRole("button", { name: "Show the key" }).click();
      await reads(snippets(page), `Bearer ${key}`);
      expect(await snippets(page).innerText()).not.toContain("Bearer YOUR_API_KEY");
      await snippets(page).getByRole("button", { name: "Hide the key" }).click();
      await reads(snippets(page), "Bearer YOUR_API_KEY");
      expect(await page.content()).not.toContain(key);
      expect(await revealsOf(looked!)).toBe(before + 2);
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
      token: await tokenOf(looked!),
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
