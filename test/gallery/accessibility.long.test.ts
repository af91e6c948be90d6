import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf, flawsOfLook, asTenant, type Look } from "../kit/browser/axe.ts";
import {
  showsFocus,
  tabTo,
  accountPath,
  adminPaths,
  fillLogin,
  open,
  longTimeout,
  reads,
  settled,
  sitePaths,
  tenantPaths,
  titled,
  addTenant,
  desktop,
  openSite,
  phone,
  type Login,
  type Site,
} from "../kit/browser/site.ts";

let site: Site;
let emptyTenant: Login;
beforeAll(async () => {
  site = await openSite();
  emptyTenant = await addTenant(site, "New Clinic");
});
afterAll(() => site?.close());

const loginOf = (address: string): Look["as"] => {
  if ([...tenantPaths, accountPath].includes(address)) return asTenant;
  return adminPaths.includes(address) ? () => site.demo.systemAdmin : undefined;
};

const addressed = (address: string): Look => ({
  name: address,
  as: loginOf(address.split("?")[0] ?? ""),
  // The address has no token of an invitation.
  ...(address.startsWith("/accept-invite") ? { refused: ["422 POST /api/auth/invitation"] } : {}),
  arrange: (page) => open(page, address),
});
const tabs = ["api-keys", "fhir", "analytics", "offices", "audit", "system"];
const routes: Look[] = [...sitePaths, ...tabs.map((tab) => `/tenant?tab=${tab}`)].map(addressed);

const states: Look[] = [
  {
    name: "an unknown address",
    refused: ["404 GET /nowhere"],
    arrange: (page) => open(page, "/nowhere"),
  },
  {
    name: "a dashboard without calls",
    as: () => emptyTenant,
    arrange: (page) => open(page, "/tenant"),
  },
  {
    name: "a refused sign-in",
    refused: ["401 POST /api/auth/login"],
    arrange: async (page) => {
      await open(page, "/login");
      await fillLogin(page, { email: "unknown@nowhere.example", password: "not a password" });
      await reads(page.getByRole("alert"), /\w/);
    },
  },
  {
    name: "the menu of a phone",
    arrange: async (page) => {
      await page.setViewportSize(phone);
      await open(page, "/pricing");
      await page.getByRole("button", { name: "Menu" }).click();
      await reads(page.getByRole("banner"), /Contact/);
    },
  },
  {
    name: "questions with their answers",
    arrange: async (page) => {
      await open(page, "/pricing");
      for (const question of await page.locator("summary").all()) await question.click();
    },
  },
  {
    name: "a message that lacks something",
    arrange: async (page) => {
      await open(page, "/contact");
      await page.getByRole("button", { name: "Send message" }).click();
      await reads(page.getByRole("main"), /Is required/);
    },
  },
  {
    name: "a message that was sent",
    arrange: async (page) => {
      await page.route("**/api/contact", (route) => route.fulfill({ status: 201, json: { received: true } }));
      await open(page, "/contact?topic=demo");
      await page.getByLabel("First name").fill("Ann");
      await page.getByLabel("Last name").fill("Lee");
      await page.getByLabel("Email").fill("ann@lee.example");
      await page.getByRole("button", { name: "Send message" }).click();
      await reads(page.getByRole("main"), /Thank you/);
    },
  },
  {
    name: "a question before signing out everywhere",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/account");
      await page.getByRole("button", { name: "Log out everywhere" }).click();
      await reads(page.getByRole("alertdialog"), /every device/i);
    },
  },
  {
    name: "the warning before an idle person is signed out",
    as: asTenant,
    arrange: async (page) => {
      await page.clock.install();
      await open(page, "/account");
      await page.clock.fastForward("13:02");
      await reads(page.getByRole("alertdialog"), /still there/);
    },
  },
  {
    name: "a sign-in that lacks something",
    arrange: async (page) => {
      await open(page, "/login");
      await page.getByRole("button", { name: "Sign in" }).click();
      await reads(page.getByRole("main"), /Email is required/);
    },
  },
  {
    name: "the wrong login page",
    as: asTenant,
    arrange: (page) => open(page, "/admin-login"),
  },
  {
    name: "a session that ended",
    refused: ["401 GET /api/auth/me"],
    arrange: async (page) => {
      await open(page, "/");
      await page.evaluate(() => localStorage.setItem("auth_token", "no.real.token"));
      await open(page, "/tenant");
      await reads(page.getByRole("alert"), /sign in again/);
    },
  },
  {
    name: "a refresh that failed",
    as: () => site.demo.systemAdmin,
    refused: ["503 GET /api/dashboard/metrics"],
    arrange: async (page) => {
      await open(page, "/admin");
      await page.route("**/api/dashboard/metrics", (route) => route.fulfill({ status: 503, json: {} }));
      await page.getByRole("button", { name: "Refresh" }).click();
      await reads(page.getByRole("region", { name: /notifications/i }), /Error/);
    },
  },
];

describe("at 360, 768 and 1440 px, in light and in dark colors", () => {
  test.each([...routes, ...states])("$name has nothing that axe finds and never scrolls sideways", async (look) => {
    expect(await flawsOfLook(site, look)).toEqual([]);
  });

  test("a planted lack of contrast, a field without a name and a wide line are seen", async () => {
    await site.visit({}, async ({ page }) => {
      await open(page, "/dashboard");
      await page.evaluate(() => {
        const planted = document.createElement("div");
        planted.append(document.createElement("input"), Object.assign(document.createElement("p"), { id: "pale", textContent: "pale" }));
        Object.assign(planted.style, { color: "rgb(128, 128, 128)", background: "rgb(120, 120, 120)", width: "1000px" });
        document.querySelector("main")?.append(planted);
      });
      const flaws = await flawsOf(page, "planted");
      for (const face of ["light desktop", "light phone", "dark phone", "dark desktop"])
        expect(flaws).toContain(`${face}: color-contrast: #pale`);
      expect(flaws).toContain("light desktop: label: input");
      expect(flaws.filter((flaw) => flaw.includes("sideways")).length).toBe(4);
    });
  });
});

const signIn = async (page: Page, { email, password }: Login): Promise<void> => {
  await tabTo(page, "Email");
  await page.keyboard.type(email);
  await tabTo(page, "Password");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
};

describe("with the keyboard alone", () => {
  test.each([
    ["desktop", desktop],
    ["phone", phone],
  ])("a tenant admin signs in, opens every tab and logs out (%s)", async (_name, viewport) => {
    await site.visit({ viewport }, async ({ page }) => {
      await open(page, "/");
      await tabTo(page, "Skip to content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Tenant login");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
      await signIn(page, site.demo.tenants[0]!.admin);
      await titled(page, "Tenant Dashboard");
      await settled(page);

      const tabs = page.getByRole("tab");
      const labels = await tabs.allInnerTexts();
      expect(labels.length).toBeGreaterThan(0);
      await tabTo(page, labels[0] ?? "");
      for (const label of [...labels.slice(1), labels[0] ?? ""]) {
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), longTimeout).toBe(label);
        await page.keyboard.press("Enter");
        await expect.poll(() => page.getByRole("tab", { selected: true }).allInnerTexts(), longTimeout).toEqual([label]);
        await showsFocus(page);
        await expect.poll(() => page.getByRole("tabpanel", { name: label }).isVisible(), longTimeout).toBe(true);
        await settled(page);
      }

      await open(page, "/tenant");
      await tabTo(page, "Logout");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
    });
  });

  test("a system admin signs in, refreshes, changes the colors and logs out", async () => {
    await site.visit({}, async ({ page }) => {
      await open(page, "/admin/login");
      await signIn(page, site.demo.systemAdmin);
      await titled(page, "Admin Dashboard");
      await settled(page);
      await tabTo(page, "Refresh");
      await page.keyboard.press("Enter");
      await open(page, "/admin");
      await tabTo(page, "Switch to dark mode");
      await page.keyboard.press("Space");
      await expect.poll(() => page.evaluate(() => document.documentElement.className), longTimeout).toContain("dark");
      await tabTo(page, "Logout");
      await page.keyboard.press("Enter");
      await titled(page, "System Admin Login");
    });
  });

  test("the skip link skips the header", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin");
      await tabTo(page, "Skip to content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Refresh");
      expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(true);
    });
  });
});
