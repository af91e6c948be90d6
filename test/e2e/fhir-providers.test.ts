import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../fixtures/certificate.ts";
import { proves } from "../requirements/proves.ts";
import { assignSandbox } from "./clinic.fixture.ts";
import { addClinic, addOwn, ownForm, sandboxClient, type Clinic } from "./fhir-providers.fixture.ts";
import { hasFocus } from "./focus.fixture.ts";
import { open, patience, reads } from "./look.fixture.ts";
import { unavailable } from "./outage.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

let site: Site;
/** Keeps record systems of its own beside the platform's; no test changes it. */
let lakeside: Clinic;
/** Has none, and may not add any. */
let newcomer: Clinic;
beforeAll(async () => {
  site = await openSite();
  site.platform.sandbox.registerClient(sandboxClient);
  [lakeside, newcomer] = [await addClinic(site, "Lakeside Clinic", { ownFhirProviders: true }), await addClinic(site, "Newcomer Clinic")];
  await assignSandbox(site, lakeside);
  await addOwn(site, lakeside, { name: "Old records", fhirVersion: "STU3", isActive: false });
});
afterAll(() => site?.close());

const address = "/tenant?tab=fhir";
const list = "/api/tenant/dashboard/fhir-providers";
const panelOf = (page: Page): Locator => page.getByRole("region", { name: "FHIR Integration" });
const cardOf = (page: Page, name: string): Locator => panelOf(page).getByRole("article", { name });
const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const toasts = (page: Page): Locator => page.getByRole("region", { name: /notifications/i });

/** Opens the tab of a clinic. */
const visit = (clinic: Clinic, body: (page: Page) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ as: clinic.login, refused }, async ({ page }) => {
    await open(page, address);
    await body(page);
  });

/** How often a route was asked so far. */
const countOf = (page: Page, method: string, ends: string): (() => number) => {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && new URL(request.url()).pathname.endsWith(ends)) count += 1;
  });
  return () => count;
};

const proofOnCard = (id: string, name: string, matches: (clinic: Site) => RegExp | string) =>
  proves(id, ({ sees }) =>
    visit(lakeside, async (page) => {
      await reads(cardOf(page, name), matches(site));
      sees(await cardOf(page, name).innerText());
    }),
  );

describe("what the tab shows", () => {
  proves("D1.2-088", ({ sees, quoted }) =>
    visit(lakeside, async (page) => {
      const title = page.getByRole("heading", { level: 2, name: quoted[0] });
      expect(await title.count()).toBe(1);
      sees(await title.innerText());
    }),
  );
  proves("D1.2-089", ({ sees }) =>
    visit(lakeside, async (page) => {
      const button = panelOf(page).getByRole("button", { name: "Add Provider" });
      sees(await button.innerText());
      await button.click();
      await reads(dialogOf(page), /Add FHIR Provider/);
    }),
  );
  proofOnCard("D1.2-090", "Sandbox EHR", () => /^Sandbox EHR[^]*Type\s+Custom/);
  proves("D1.2-091", async ({ sees }) => {
    const clinic = await addClinic(site, "Versions Clinic", { ownFhirProviders: true });
    await addOwn(site, clinic, { name: "Of no version" });
    await addOwn(site, clinic, { name: "Of the third", fhirVersion: "STU3" });
    await visit(clinic, async (page) => {
      await reads(cardOf(page, "Of no version"), /FHIR version\s+R4/);
      await reads(cardOf(page, "Of the third"), /FHIR version\s+STU3/);
      sees(await cardOf(page, "Of no version").innerText());
    });
  });
  proofOnCard("D1.2-092", "Old records", () => /Authentication\s+OAuth 2\.0/);
  proofOnCard("D1.2-093", "Sandbox EHR", () => /Authentication\s+Certificate/);
  proofOnCard("D1.2-094", "Sandbox EHR", ({ demo }) => demo.ehr.r4.baseUrl);
  proves("D1.2-095", ({ sees }) =>
    visit(lakeside, async (page) => {
      for (const [name, state] of [
        ["Sandbox EHR", "Active"],
        ["Old records", "Inactive"],
      ] as const) {
        const badge = cardOf(page, name).getByText(state, { exact: true });
        expect(await badge.count()).toBe(1);
        sees(await badge.innerText());
      }
    }),
  );
  proves("D1.2-096", ({ sees }) =>
    visit(lakeside, async (page) => {
      for (const [name, title] of [
        ["Configure", /Configure Sandbox EHR/],
        ["Test", /Test FHIR Connection/],
      ] as const) {
        const button = cardOf(page, "Sandbox EHR").getByRole("button", { name: `${name} Sandbox EHR` });
        sees(await button.innerText());
        await button.click();
        await reads(dialogOf(page), title);
        await page.keyboard.press("Escape");
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      }
    }),
  );
  proves("D1.2-097", ({ sees, quoted }) =>
    visit(newcomer, async (page) => {
      await reads(panelOf(page), quoted[0]!);
      sees(await panelOf(page).innerText());
    }),
  );
  proves("D1.2-098", ({ sees, quoted }) =>
    visit(newcomer, async (page) => {
      const button = panelOf(page).getByRole("button", { name: quoted[0] });
      sees(await button.innerText());
      await button.click();
      await reads(dialogOf(page), /Request a provider/);
    }),
  );
  proves("D1.2-099", () =>
    visit(lakeside, async (page) => {
      const listed = page.getByRole("list", { name: "Available operations" });
      await reads(listed, /Schedule appointments[^]*scheduleAppointment/);
      const names = await listed.getByRole("listitem").allInnerTexts();
      const { json } = await site.api<{ isActive: boolean; operations: string[] }[]>("GET", list, { token: lakeside.token });
      expect(names.length).toBe(new Set(json.filter(({ isActive }) => isActive).flatMap(({ operations }) => operations)).size);
    }),
  );
  proves("D1.2-100", () =>
    visit(lakeside, async (page) => {
      const notice = page.getByRole("region", { name: "HIPAA, encryption and audit" });
      await reads(notice, /HIPAA[^]*Encryption[^]*Audit/);
      await notice.getByRole("link", { name: "Open the audit log" }).click();
      await expect.poll(() => page.url(), patience).toContain("tab=audit");
    }),
  );

  test("is nothing of another tenant", () =>
    visit(newcomer, async (page) => {
      await reads(panelOf(page), /No FHIR Providers/);
      await reads(page.getByRole("region", { name: "Available Operations" }), /No operations available/);
      expect(await page.content()).not.toMatch(/Old records|Sandbox EHR/);
    }));

  test("says what did not load, and loads it when asked again", () =>
    site.visit({ as: lakeside.login, refused: [`503 GET ${list}`, "503 GET /api/tenant/tools"] }, async ({ page }) => {
      for (const path of [list, "/api/tenant/tools"]) await page.route(`**${path}`, (route) => route.fulfill(unavailable), { times: 1 });
      await open(page, address);
      const failure = panelOf(page).getByRole("alert");
      await reads(failure, /Failed to load FHIR providers[^]*The database could not be reached/);
      await reads(page.getByRole("region", { name: /HIPAA/ }), /Audit/);
      await failure.getByRole("button", { name: "Retry" }).click();
      await reads(cardOf(page, "Sandbox EHR"), /Custom/);
      const operations = page.getByRole("region", { name: "Available Operations" });
      await reads(operations, /Failed to load operations/);
      await operations.getByRole("button", { name: "Retry" }).click();
      await reads(operations, /Schedule appointments/);
      expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
    }));
});

describe("the connection test", () => {
  const openTest = async (page: Page): Promise<Locator> => {
    await cardOf(page, "Sandbox EHR").getByRole("button", { name: "Test Sandbox EHR" }).click();
    await reads(dialogOf(page), /Test FHIR Connection/);
    return dialogOf(page);
  };
  const run = async (dialog: Locator, patientId: string): Promise<void> => {
    await dialog.getByLabel("Patient ID").fill(patientId);
    await dialog.getByRole("button", { name: "Test Connection" }).click();
  };

  test("reads a patient step by step, and shows the birth date only to who asks for it", () =>
    visit(lakeside, async (page) => {
      const { id, birthDate, family } = site.demo.patients[0]!;
      const dialog = await openTest(page);
      expect(await dialog.getByLabel("Patient ID").inputValue()).not.toBe("");
      const asked = countOf(page, "POST", "/test");
      await dialog.getByLabel("Patient ID").fill(id);
      await dialog.getByRole("button", { name: "Test Connection" }).dblclick();
      const result = dialog.getByRole("region", { name: "Test result" });
      await reads(result, /SUCCESS[^]*FHIR provider is working correctly/);
      await reads(toasts(page), /Connection Test Successful/);
      expect(asked()).toBe(1);
      const steps = await result.getByRole("list", { name: "Steps of the test" }).getByRole("listitem").allInnerTexts();
      expect(steps.length).toBe(5);
      for (const step of steps) expect(step).toMatch(/\d+ ms\s+Passed/);
      await reads(result, family);
      expect(await dialog.innerText()).not.toContain(birthDate);
      await result.getByRole("button", { name: "Show birth date" }).click();
      await reads(result, birthDate);
      await page.keyboard.press("Escape");
      await reads(cardOf(page, "Sandbox EHR"), /Connection\s+Healthy/);
      expect(page.url()).not.toContain(id);
    }));

  test("says which step failed and why, and forgets it as soon as the next begins", () =>
    visit(lakeside, async (page) => {
      const dialog = await openTest(page);
      await run(dialog, "nobody");
      const result = dialog.getByRole("region", { name: "Test result" });
      await reads(
        result,
        /FAILED[^]*The server has no patient with this ID\.[^]*Read the patient[^]*Failed[^]*Error Details[^]*patient_not_found/,
      );
      await run(dialog, "  ");
      await reads(dialog, /Patient ID is required/);
      expect(await result.count()).toBe(0);
      await dialog.getByLabel("Provider").selectOption("");
      await dialog.getByRole("button", { name: "Test Connection" }).click();
      await reads(dialog, /Provider is required/);
      await reads(toasts(page), /Please select a provider\./);
    }));

  test("keeps what was typed when it cannot be run", () =>
    visit(
      lakeside,
      async (page) => {
        const dialog = await openTest(page);
        await page.route("**/test", (route) => route.fulfill(unavailable), { times: 1 });
        await run(dialog, site.demo.patients[0]!.id);
        await reads(dialog.getByRole("alert"), /The database could not be reached/);
        await reads(toasts(page), /Test Error/);
        expect(await dialog.getByLabel("Patient ID").inputValue()).toBe(site.demo.patients[0]!.id);
        await dialog.getByRole("button", { name: "Test Connection" }).click();
        await reads(dialog.getByRole("region", { name: "Test result" }), /SUCCESS/);
      },
      [`503 POST /api/tenant/fhir-providers/${site.demo.tenants[0]!.fhirProviderId}/test`],
    ));

  test("is opened, run and left with the keyboard alone, which comes back to where it was", () =>
    visit(lakeside, async (page) => {
      const button = cardOf(page, "Sandbox EHR").getByRole("button", { name: "Test Sandbox EHR" });
      await button.focus();
      await page.keyboard.press("Enter");
      await reads(dialogOf(page), /Test FHIR Connection/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(site.demo.patients[0]!.id);
      await page.keyboard.press("Enter");
      await reads(dialogOf(page), /SUCCESS/);
      await page.keyboard.press("Escape");
      await hasFocus(button);
      expect(await dialogOf(page).count()).toBe(0);
    }));
});

describe("a tenant without record systems of its own", () => {
  test("asks the platform for one, once, and keeps its words when that fails", () =>
    visit(
      newcomer,
      async (page) => {
        await panelOf(page).getByRole("button", { name: "Add Provider" }).click();
        const dialog = dialogOf(page);
        await dialog.getByRole("button", { name: "Send request" }).click();
        await reads(dialog, /Is required/);
        await page.route("**/request", (route) => route.fulfill(unavailable), { times: 1 });
        await dialog.getByLabel("Message").fill("We use another EHR.");
        const asked = countOf(page, "POST", "/request");
        await dialog.getByRole("button", { name: "Send request" }).click();
        await reads(dialog.getByRole("alert"), /could not be reached/);
        await page.keyboard.press("Escape");
        await reads(page.getByRole("alertdialog"), /Discard changes\?/);
        await page.getByRole("button", { name: "Keep editing" }).click();
        expect(await dialog.getByLabel("Message").inputValue()).toBe("We use another EHR.");
        await dialog.getByRole("button", { name: "Send request" }).dblclick();
        await reads(toasts(page), /Request sent/);
        expect([asked(), await dialog.count()]).toEqual([2, 0]);
      },
      ["503 POST /api/tenant/fhir-providers/request"],
    ));

  test("sees all there is of the platform's, and changes none of it", () =>
    visit(lakeside, async (page) => {
      await cardOf(page, "Sandbox EHR").getByRole("button", { name: "Configure Sandbox EHR" }).click();
      const dialog = dialogOf(page);
      await reads(dialog, /The platform keeps this record system, so only the platform can change it\./);
      expect(await dialog.locator("input, select, textarea").count()).toBe(0);
      await dialog.getByRole("button", { name: "Ask for a change" }).click();
      await expect.poll(() => dialog.getByLabel("Message").inputValue(), patience).toContain("Sandbox EHR");
    }));
});

describe("a tenant's own record system", () => {
  const tabOf = (dialog: Locator, name: string): Locator => dialog.getByRole("tab", { name });
  const save = (dialog: Locator): Promise<void> => dialog.getByRole("button", { name: /^(Add Provider|Save Changes)$/ }).click();

  test("is added by a form of four parts that says what is missing where, and loses nothing", async () => {
    const clinic = await addClinic(site, "Adding Clinic", { ownFhirProviders: true });
    await visit(
      clinic,
      async (page) => {
        await panelOf(page).getByRole("button", { name: "Add Your First Provider" }).click();
        const dialog = dialogOf(page);
        await reads(dialog, /Add FHIR Provider/);
        expect((await dialog.getByRole("tab").allInnerTexts()).map((label) => label.trim())).toEqual([
          "Basic Info",
          "OAuth Config",
          "Security",
          "Advanced",
        ]);
        await save(dialog);
        await reads(dialog, /Provider name is required[^]*Must be a valid URL/);
        await hasFocus(dialog.getByLabel("Provider name"));
        await dialog.getByLabel("Provider name").fill("County EHR");
        await dialog.getByLabel("Provider type").selectOption("custom");
        await dialog.getByLabel("Base URL").fill(site.demo.ehr.r4.baseUrl);
        await save(dialog);
        await reads(dialog, /Client ID is required[^]*Client Secret is required/);
        expect(await tabOf(dialog, "OAuth Config").getAttribute("aria-selected")).toBe("true");
        await hasFocus(dialog.getByLabel("Client ID"));
        await dialog.getByLabel("Client ID").fill(sandboxClient.clientId);
        await dialog.getByLabel("Client Secret").fill(sandboxClient.secret);
        await dialog.getByLabel("Scopes").fill("system/*.read");
        await tabOf(dialog, "Security").click();
        await dialog.getByLabel("Certificate").fill("no certificate");
        await tabOf(dialog, "Basic Info").click();
        await save(dialog);
        await reads(dialog, /Must be an X\.509 certificate in PEM form/);
        await reads(toasts(page), /Error/);
        expect(await tabOf(dialog, "Security").getAttribute("aria-selected")).toBe("true");
        await dialog.getByLabel("Certificate").fill(selfSigned("clinic.example").certificate);
        const asked = countOf(page, "POST", "/fhir-providers");
        await dialog.getByRole("button", { name: "Add Provider" }).dblclick();
        await reads(toasts(page), /FHIR provider created successfully/);
        await reads(cardOf(page, "County EHR"), /OAuth 2\.0[^]*Kept by\s+Your organization/);
        expect(asked()).toBe(1);
        expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(sandboxClient.secret);
      },
      ["400 POST /api/tenant/fhir-providers"],
    );
  });

  test("is changed without its secret, which is never shown and stays, until it is removed", async () => {
    const clinic = await addClinic(site, "Changing Clinic", { ownFhirProviders: true });
    await addOwn(site, clinic);
    await visit(clinic, async (page) => {
      const configure = cardOf(page, "Our own EHR").getByRole("button", { name: /^Configure/ });
      await configure.click();
      const dialog = dialogOf(page);
      expect(await dialog.getByLabel("Provider type").getAttribute("readonly")).not.toBeNull();
      await dialog.getByLabel("Provider name").fill("Renamed EHR");
      await tabOf(dialog, "OAuth Config").click();
      expect(await dialog.getByLabel("Client Secret").inputValue()).toBe("");
      await reads(dialog, /A client secret is stored\. Leave the field empty to keep it\./);
      await save(dialog);
      await reads(toasts(page), /FHIR provider updated successfully/);
      const kept = await site.api<{ name: string; hasClientSecret: boolean }[]>("GET", "/api/tenant/fhir-providers", {
        token: clinic.token,
      });
      expect(kept.json).toMatchObject([{ name: "Renamed EHR", hasClientSecret: true }]);

      await cardOf(page, "Renamed EHR")
        .getByRole("button", { name: /^Configure/ })
        .click();
      await tabOf(dialog, "OAuth Config").click();
      await dialog.getByRole("button", { name: "Remove client secret" }).click();
      await save(dialog);
      await reads(dialog, /Client Secret is required/);
      await dialog.getByRole("button", { name: "Keep client secret" }).click();
      await save(dialog);
      await expect.poll(() => dialog.count(), patience).toBe(0);
    });
  });

  test("tells who saves second what the first has changed, and keeps what they typed", async () => {
    const clinic = await addClinic(site, "Busy Clinic", { ownFhirProviders: true });
    const { id } = await addOwn(site, clinic);
    await visit(
      clinic,
      async (page) => {
        const configure = () =>
          cardOf(page, "Our own EHR")
            .getByRole("button", { name: /^Configure/ })
            .click();
        const dialog = dialogOf(page);
        const elsewhere = (more: object) =>
          site.api("PUT", `/api/tenant/fhir-providers/${id}`, {
            token: clinic.token,
            body: ownForm(site, { clientSecret: undefined, ...more }),
          });
        await configure();
        await tabOf(dialog, "Advanced").click();
        await dialog.getByLabel("Description").fill("Mine");
        expect((await elsewhere({ description: "Theirs" })).status).toBe(200);
        await save(dialog);
        await reads(dialog.getByRole("alert"), /They changed: description/);
        expect(await dialog.getByLabel("Description").inputValue()).toBe("Mine");
        await dialog.getByRole("button", { name: "Load their version" }).click();
        await expect.poll(() => dialog.getByLabel("Description").inputValue(), patience).toBe("Theirs");
        await dialog.getByLabel("Description").fill("Both");
        await save(dialog);
        await reads(toasts(page), /updated successfully/);
      },
      [`409 PUT /api/tenant/fhir-providers/${id}`],
    );
  });

  test("is authorized at its own sign-in page, which leads back to this tab, and reads patients then", async () => {
    const clinic = await addClinic(site, "Signing Clinic", { ownFhirProviders: true });
    await addOwn(site, clinic, { grant: "authorization_code", scopes: "user/*.read" });
    await visit(clinic, async (page) => {
      await reads(cardOf(page, "Our own EHR"), /Nobody has let the platform in/);
      await cardOf(page, "Our own EHR").getByRole("button", { name: "Authorize Our own EHR" }).click();
      await reads(page.getByRole("main"), /The record system is authorized\./);
      await expect.poll(() => new URL(page.url()).search, patience).toBe("?tab=fhir");
      await reads(cardOf(page, "Our own EHR"), /Authorize again/);
      await cardOf(page, "Our own EHR").getByRole("button", { name: /^Test/ }).click();
      await dialogOf(page).getByLabel("Patient ID").fill(site.demo.patients[0]!.id);
      await dialogOf(page).getByRole("button", { name: "Test Connection" }).click();
      await reads(dialogOf(page), /SUCCESS/);
    });
  });

  test("that was closed half filled in is asked about first", () =>
    visit(lakeside, async (page) => {
      await panelOf(page).getByRole("button", { name: "Add Provider" }).click();
      await dialogOf(page).getByLabel("Provider name").fill("Half a provider");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await panelOf(page).getByRole("button", { name: "Add Provider" }).click();
      expect(await dialogOf(page).getByLabel("Provider name").inputValue()).toBe("");
    }));
});

test("what an address says of a sign-in that failed is told, and forgotten by the address", () =>
  site.visit({ as: lakeside.login }, async ({ page }) => {
    await open(page, `${address}&ehr=denied&fhirProvider=01hzzzzzzzzzzzzzzzzzzzzzz2`);
    await reads(page.getByRole("main").getByRole("alert"), /did not let the platform in/);
    await expect.poll(() => new URL(page.url()).search, patience).toBe("?tab=fhir");
    await page.getByRole("button", { name: "Dismiss" }).click();
    expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
  }));
