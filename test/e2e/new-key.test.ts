import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { asking, button, keyOf, keyPart, show, shownKey, toast, visitKeys, wholeKey, type KeyLook } from "./api-keys.fixture.ts";
import { tabTo } from "./focus.fixture.ts";
import { patience, reads } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

const question =
  "Are you sure you want to regenerate the API key? This will invalidate the current key and break all existing integrations until updated.";
const regeneration = "**/api/tenant/regenerate-api-key";

let site: Site;
/** Whose keys are looked at, and whose are replaced. */
let [looked, replaced]: Login[] = [];
beforeAll(async () => {
  site = await openSite();
  looked = site.demo.tenants[0]!.admin;
  replaced = await addTenant(site, "Key Clinic");
});
afterAll(() => site?.close());

const visit = (body: (page: Page) => Promise<void>, look: Partial<KeyLook> = {}) => visitKeys(site, body, { as: looked!, ...look });
const isAccepted = async (key: string): Promise<boolean> =>
  (await site.api("POST", "/api/vapi/tool-call", { key, body: { message: { type: "tool-calls", call: { id: "c" }, toolCallList: [] } } }))
    .status !== 401;

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
    const before = await keyOf(site, replaced!);
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
    const old = await keyOf(site, replaced!);
    await visit(
      async (page) => {
        await ask(page);
        await page.evaluate((key) => localStorage.setItem("tenant_api_key", key), old);
        const refetched = page.waitForRequest((request) => request.url().includes("/api/tenant/info"));
        await agree(page).dblclick();
        await reads(shownKey(page), wholeKey);
        await refetched;
        const fresh = await shownKey(page).innerText();
        expect(fresh).toBe(await keyOf(site, replaced!));
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
    const kept = await keyOf(site, replaced!);
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
    const old = await keyOf(site, login);
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
    const old = await keyOf(site, login);
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
        expect(await shownKey(page).innerText()).toBe(await keyOf(site, login));
        expect([await isAccepted(old), posts]).toEqual([false, 1]);
        await reads(toast(page), /API Key Regenerated/);
      },
      { as: login, refused: ["net::ERR_FAILED POST /api/tenant/regenerate-api-key"] },
    );
  });

  test("that was made and cannot be read is not said to have failed", async () => {
    const login = await addTenant(site, "Unread Clinic");
    await visit(
      async (page) => {
        await page.route(regeneration, async (route) => {
          await route.fetch();
          await route.abort();
        });
        await page.route("**/api/tenant/info", (route) => route.fulfill({ status: 503, json: {} }));
        await ask(page);
        await agree(page).click();
        await reads(keyPart(page), /was replaced, but the new one could not be read just now\. Press Show/);
        expect(await asking(page).count()).toBe(0);
        await page.unroute("**/api/tenant/info");
        expect(await show(page)).toBe(await keyOf(site, login));
      },
      { as: login, refused: ["net::ERR_FAILED POST /api/tenant/regenerate-api-key", "503 GET /api/tenant/info"] },
    );
  });

  test("keeps its place when a look at the old one is answered only then", async () => {
    const login = await addTenant(site, "Late Clinic");
    const old = await keyOf(site, login);
    await visit(
      async (page) => {
        const [gate, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        await page.route("**/api/tenant/info", async (route) => {
          const response = await route.fetch();
          read.resolve();
          await gate.promise;
          await route.fulfill({ response });
        });
        await button(page, "Show API key").click();
        await read.promise;
        expect(await button(page, "Showing... API key").count()).toBe(1);
        await button(page, "Regenerate API Key").click();
        await asking(page).getByRole("button", { name: "Regenerate API Key" }).click();
        await reads(shownKey(page), wholeKey);
        const fresh = await shownKey(page).innerText();
        expect(fresh).not.toBe(old);
        const late = page.waitForResponse((response) => response.url() === `${site.origin}/api/tenant/info`);
        gate.resolve();
        await late;
        await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
        expect(await shownKey(page).innerText()).toBe(fresh);
      },
      { as: login },
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
