import { execFileSync } from "node:child_process";
import { tools, type ListedTool } from "@vitaline/contract";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toolNeeds } from "../../web/src/features/tools/tool-needs.ts";
import { tabTo } from "./focus.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

let site: Site;
let clinic: Login;
beforeAll(async () => {
  site = await openSite();
  clinic = site.demo.tenants[0]!.admin;
});
afterAll(() => site?.close());

const panelOf = (page: Page) => page.getByRole("region", { name: "Test a tool" });
const callOf = (page: Page) => page.getByRole("region", { name: "Test call" });
const openConsole = (page: Page, tool?: string) => open(page, `/tenant?tab=api-keys${tool ? `&tool=${tool}` : ""}`);
const run = (page: Page) => panelOf(page).getByRole("button", { name: "Run tool" }).click();
const choose = (page: Page, tool: string) => panelOf(page).getByLabel("Tool", { exact: true }).selectOption(tool);
const runsOf = (page: Page): Request[] => {
  const asked: Request[] = [];
  page.on(
    "request",
    (request) => void (request.method() === "POST" && /\/api\/tenant\/tools\//.test(request.url()) && asked.push(request)),
  );
  return asked;
};

/** Fills in who the sandbox's first patient is, and runs it. */
const verify = async (page: Page) => {
  const patient = site.demo.patients[0]!;
  await choose(page, "verifyPatientIdentity");
  await panelOf(page).getByLabel("First name").fill(patient.given);
  await panelOf(page).getByLabel("Last name").fill(patient.family);
  await panelOf(page).getByLabel("Date of birth").fill(patient.birthDate);
  await panelOf(page).getByLabel("Phone number").fill(patient.phone);
  await run(page);
  await reads(callOf(page), /verifyPatientIdentity\s+Answered/);
};

describe("the console", () => {
  test("lists every tool that agents have, with a form made of its schema, and keeps the choice in the address", async () => {
    const token = await site.tokenFor(clinic);
    const { json: listed } = await site.api<ListedTool[]>("GET", tools.listTools.path, { token });
    await site.visit({ as: clinic }, async ({ page }) => {
      await openConsole(page);
      const shown = await panelOf(page)
        .getByLabel("Tool", { exact: true })
        .locator("option")
        .evaluateAll((options) => options.map((option) => option.getAttribute("value")));
      expect(shown).toEqual(listed.map(({ name }) => name));
      await choose(page, "scheduleAppointment");
      await expect.poll(() => new URL(page.url()).search, patience).toBe("?tab=api-keys&tool=scheduleAppointment");
      await page.reload();
      await settled(page);
      await reads(panelOf(page), /Can change something[^]*Verified caller/);
      const actions = panelOf(page)
        .getByLabel(/^Action/)
        .locator("option");
      expect(await actions.allInnerTexts()).toEqual(["Leave out", "Find", "Book", "List", "Reschedule", "Cancel"]);
      await choose(page, "getPatientClinicalData");
      await reads(panelOf(page), /Only reads/);
      expect(
        await panelOf(page)
          .getByRole("group", { name: /Categories/ })
          .getByRole("checkbox")
          .count(),
      ).toBe(5);
      await choose(page, "getPatientInfo");
      await reads(panelOf(page), /takes no arguments/);
    });
  });

  test("runs as one call: who was verified stays so until one starts over, and nothing of the patient is left behind", async () => {
    const { family } = site.demo.patients[0]!;
    await site.visit({ as: clinic }, async ({ page }) => {
      await openConsole(page, "getPatientInfo");
      await run(page);
      await reads(callOf(page), /Refused: identity_required/);
      await verify(page);
      await choose(page, "getPatientInfo");
      await run(page);
      await reads(callOf(page), new RegExp(`getPatientInfo\\s+Answered[^]*What a caller would hear[^]*${family}`));
      await reads(callOf(page), /Took\s+[\d,.]+ ms[^]*Request ID[^]*POST \/api\/tenant\/tools\/getPatientInfo[^]*"sessionId"/);
      expect(await page.getByRole("list", { name: "Earlier in this test call" }).getByRole("listitem").count()).toBe(2);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)).not.toContain(family);
      await callOf(page).getByRole("button", { name: "Start over" }).click();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Test call");
      await reads(callOf(page), /Its answer appears here/);
      await run(page);
      await reads(callOf(page), /Refused: identity_required/);
    });
  });

  test("says what is wrong at its field, sends nothing then, and keeps what was typed for each tool", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      const asked = runsOf(page);
      await openConsole(page, "createPatientFhir");
      await panelOf(page).getByLabel("First name").fill("Robin");
      await run(page);
      await reads(panelOf(page), /Last name\s+Is required/);
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("lastName");
      expect(asked).toEqual([]);
      await choose(page, "getFhirProviders");
      await choose(page, "createPatientFhir");
      expect(await panelOf(page).getByLabel("First name").inputValue()).toBe("Robin");
    });
  });

  test("says what a tool needs whose arguments can stand for each other", async () => {
    const { json: listed } = await site.api<ListedTool[]>("GET", tools.listTools.path, { token: await site.tokenFor(clinic) });
    for (const [name, { fields }] of Object.entries(toolNeeds)) {
      const { inputSchema } = listed.find((tool) => tool.name === name)!;
      expect(inputSchema).toMatchObject({ properties: Object.fromEntries(fields.map((field) => [field, expect.anything()])) });
    }
    await site.visit({ as: clinic }, async ({ page }) => {
      await openConsole(page, "verifyPatientIdentity");
      await reads(panelOf(page), /First name, last name, date of birth and one detail on file are needed/);
      const labels = (await panelOf(page).locator("form label").allInnerTexts()).map((label) => label.replaceAll(/\s+/g, " ").trim());
      expect(labels.slice(0, 5)).toEqual(["First name", "Last name", "Date of birth", "Phone number (optional)", "Zip code (optional)"]);
      await run(page);
      await reads(callOf(page), /Refused: invalid_arguments/);
      await choose(page, "getFhirProviders");
      expect(await panelOf(page).innerText()).not.toContain("on file are needed");
    });
  });

  test("asks before something is changed, and does it once however often one agrees", async () => {
    await site.visit({ as: clinic, refused: ["422 POST /api/tenant/tools/logRoutingEvent"] }, async ({ page }) => {
      const asked = runsOf(page);
      await openConsole(page, "logRoutingEvent");
      await panelOf(page).getByLabel("Reason", { exact: true }).fill("billing");
      await panelOf(page)
        .getByLabel(/^Outcome/)
        .selectOption("resolved");
      await run(page);
      const question = page.getByRole("alertdialog", { name: "Change it for real?" });
      await reads(question, /logRoutingEvent changes something/);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
      await page.keyboard.press("Escape");
      await expect.poll(() => question.count(), patience).toBe(0);
      await run(page);
      await question.getByRole("button", { name: "Run tool" }).dblclick();
      await reads(callOf(page), /logRoutingEvent\s+Answered/);
      expect(asked.map((request) => (request.postDataJSON() as { confirm?: boolean }).confirm)).toEqual([undefined, undefined, true]);
    });
  });

  test("tells what refused a run, and a half-filled form is still there", async () => {
    await site.visit({ as: clinic, refused: ["429 POST /api/tenant/tools/getFhirProviders"] }, async ({ page }) => {
      await openConsole(page, "getFhirProviders");
      let times = 0;
      await page.route("**/api/tenant/tools/getFhirProviders", (route) => {
        times += 1;
        return times === 1
          ? route.fulfill({
              status: 429,
              json: { error: "That were many tests in a minute.", code: "too_many_requests", requestId: "r-1" },
            })
          : route.continue();
      });
      await panelOf(page)
        .getByLabel(/^Specialty/)
        .fill("cardiology");
      await run(page);
      await reads(callOf(page).getByRole("alert"), /not run[^]*many tests in a minute[^]*r-1/);
      expect(
        await panelOf(page)
          .getByLabel(/^Specialty/)
          .inputValue(),
      ).toBe("cardiology");
      await run(page);
      await reads(callOf(page), /getFhirProviders\s+(Answered|Refused)/);
      expect(await callOf(page).getByRole("alert").count()).toBe(0);
    });
  });

  test("shows what a record system answers as text alone", async () => {
    const evil = `<img src=x onerror="document.title='taken'">`;
    await site.visit({ as: clinic }, async ({ page }) => {
      await page.route("**/api/tenant/tools/getFhirProviders", (route) =>
        route.fulfill({ json: { ok: true, code: null, speech: evil, output: { evil }, requestId: "r", ms: 4, sessionId: "s" } }),
      );
      await openConsole(page, "getFhirProviders");
      await run(page);
      await reads(callOf(page).getByRole("blockquote"), evil);
      expect(await callOf(page).locator("img").count()).toBe(0);
      expect(await page.title()).not.toBe("taken");
    });
  });

  test("does not load with what else the tab shows, and loads when asked again", async () => {
    await site.visit({ as: clinic, refused: ["503 GET /api/tenant/tools"] }, async ({ page }) => {
      let isDown = true;
      await page.route("**/api/tenant/tools", (route) =>
        isDown ? route.fulfill({ status: 503, json: { error: "Not now.", code: "unavailable", requestId: "r" } }) : route.continue(),
      );
      await openConsole(page);
      await reads(panelOf(page), /Failed to load tools[^]*Not now\./);
      await reads(page.getByRole("region", { name: "Webhooks", exact: true }), /No webhooks yet/);
      isDown = false;
      await panelOf(page).getByRole("button", { name: "Retry" }).click();
      await reads(panelOf(page), /Only reads|Can change something/);
      expect(await panelOf(page).getByRole("alert").count()).toBe(0);
    });
  });

  test("can be used by the keyboard alone, also on a phone", async () => {
    await site.visit({ as: clinic, viewport: phone }, async ({ page }) => {
      await openConsole(page, "getFhirProviders");
      await panelOf(page).getByLabel("Tool", { exact: true }).focus();
      await tabTo(page, "Run tool");
      await page.keyboard.press("Enter");
      await reads(callOf(page), /getFhirProviders\s+(Answered|Refused)/);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Run tool");
      await tabTo(page, "Start over");
    });
  });
});

describe("the command for a shell", () => {
  /** What a shell would hand curl. */
  const argumentsIn = (command: string): string[] =>
    execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" }).split("\0");

  test("holds a key only where one was put in, shows it nowhere, and does what it says", async () => {
    const { apiKey } = site.demo.tenants[0]!;
    await site.visit({ as: clinic }, async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await openConsole(page, "getFhirProviders");
      await panelOf(page).getByLabel(/^Name/).fill("Dr. O'Neil");
      const copied = async () => {
        await page.getByRole("button", { name: "Copy The same with curl" }).click();
        await reads(panelOf(page), /Copied: The same with curl/);
        await expect.poll(() => page.getByRole("button", { name: "Copy The same with curl" }).count(), patience).toBe(1);
        return page.evaluate(() => navigator.clipboard.readText());
      };
      expect(await copied()).toContain("Authorization: Bearer YOUR_API_KEY");
      await page.getByRole("button", { name: "Use my API key" }).click();
      await page.getByLabel("Your API key").fill(apiKey);
      await page.keyboard.press("Enter");
      await reads(panelOf(page), /Copied with your API key/);
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe("Forget my API key");
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(apiKey);
      expect(await page.content()).not.toContain(apiKey);
      const [, , address, , authorization = "", , , , body] = argumentsIn(await copied());
      expect(authorization).toBe(`Authorization: Bearer ${apiKey}`);
      const answer = await site.api("POST", address!.slice(site.origin.length), { key: apiKey, body });
      expect(answer.status).toBe(200);
      expect(answer.json.results).toHaveLength(1);
      await page.getByRole("button", { name: "Forget my API key" }).click();
      await reads(panelOf(page), /YOUR_API_KEY in the key’s place/);
      expect(await copied()).toContain("Authorization: Bearer YOUR_API_KEY");
    });
  });

  test("takes the key that another client keeps in this browser, until it is forgotten; one that was typed goes with the tab", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await open(page, "/");
      await page.evaluate(() => localStorage.setItem("tenant_api_key", "kept-elsewhere"));
      await openConsole(page, "getFhirProviders");
      await reads(panelOf(page), /Copied with your API key/);
      await page.getByRole("button", { name: "Forget my API key" }).click();
      await reads(panelOf(page), /YOUR_API_KEY in the key’s place/);
      expect(await page.evaluate(() => localStorage.getItem("tenant_api_key"))).toBeNull();
      await page.getByRole("button", { name: "Use my API key" }).click();
      await page.getByLabel("Your API key").fill("typed-here");
      await page.keyboard.press("Enter");
      await reads(panelOf(page), /Copied with your API key/);
      await page.getByRole("tab", { name: "Overview" }).click();
      await page.getByRole("tab", { name: "API Keys" }).click();
      await reads(panelOf(page), /YOUR_API_KEY in the key’s place/);
    });
  });
});
