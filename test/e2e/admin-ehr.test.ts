import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { asConsole } from "./clinic.fixture.ts";
import { dialogOf, panelOf, textOfFailure, textWhileLoading, toastsOf, unanswered, visitConsole } from "./console.fixture.ts";
import { addClinic, type Clinic, ownForm, sandboxClient } from "./fhir-providers.fixture.ts";
import { patience, reads } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

type Provider = { id: string; name: string; version: number; isActive: boolean; providerType: string };

const address = "/admin?tab=fhir";
const paths = {
  providers: "/api/admin/fhir/providers",
  health: "/api/admin/fhir/health-status",
  assignments: "/api/admin/fhir/assignments",
  keys: "/api/admin/platform/keys",
  generate: "/api/admin/platform/jwk/generate",
};

let site: Site;
let clinic: Clinic;
let old: Provider;
beforeAll(async () => {
  site = await openSite();
  site.platform.sandbox.registerClient(sandboxClient);
  clinic = await addClinic(site, "Assigned Clinic");
  await asConsole(site, "POST", `/api/admin/tenants/${clinic.id}/offices`, { name: "North Office" });
  const more = {
    name: "Old records",
    fhirVersion: "STU3",
    isActive: false,
    scopes: "patient/Patient.read user/Patient.read user/Slot.read",
  };
  old = await asConsole<Provider>(site, "POST", paths.providers, ownForm(site, more));
});
afterAll(() => site?.close());

const visit = (body: (page: Page) => Promise<void>, options?: Parameters<typeof visitConsole>[3]): Promise<void> =>
  visitConsole(site, address, body, options);
const listed = (): Promise<Provider[]> => asConsole<Provider[]>(site, "GET", paths.providers);
const providersOf = (page: Page): Locator => panelOf(page, "FHIR Providers");
const rowOf = (page: Page, name: string): Locator =>
  providersOf(page)
    .locator("tbody tr")
    .filter({ has: page.getByText(name, { exact: true }) });
const press = (part: Locator, name: string | RegExp): Promise<void> => part.getByRole("button", { name, exact: true }).click();
const answers = (path: string, json: unknown) => (page: Page) =>
  page.route(
    ({ pathname }) => pathname === path,
    (route) => route.fulfill({ json }),
  );

describe("FHIR providers", () => {
  proves("D2.2-028", ({ sees, quoted }) =>
    visit(async (page) => {
      for (const name of quoted) {
        const button = providersOf(page).getByRole("button", { name });
        expect(await button.count()).toBe(1);
        sees(await button.innerText());
      }
    }),
  );
  proves("D2.2-029", () =>
    visit(async (page) => {
      for (const name of ["Platform Keys", "FHIR Providers", "Provider Assignments", "Connection Health"])
        expect(await panelOf(page, name).getByRole("heading", { level: 2, name }).count()).toBe(1);
    }),
  );
  proves("D2.2-030", ({ sees }) =>
    visit(async (page) => {
      const figures = await providersOf(page).locator("dl").first().innerText();
      sees(figures);
      expect(figures).toContain(`Active Providers\n${(await listed()).filter(({ isActive }) => isActive).length}`);
    }),
  );
  proves("D2.2-031", () =>
    visit(async (page) => {
      const figures = await providersOf(page).locator("dl").first().innerText();
      const all = await listed();
      for (const [type, name] of [
        ["custom", "Custom"],
        ["epic", "Epic"],
        ["cerner", "Oracle Health (Cerner)"],
      ] as const)
        expect(figures).toContain(`${name}\n${all.filter(({ providerType }) => providerType === type).length}`);
    }),
  );
  proves("D2.2-032", () =>
    visit(async (page) => {
      const all = await listed();
      expect(await providersOf(page).locator("tbody tr").count()).toBe(all.length);
      for (const { name } of all) expect(await rowOf(page, name).count()).toBe(1);
    }),
  );
  proves("D2.2-033", () =>
    visit(async (page) => {
      const text = await rowOf(page, "Old records").innerText();
      expect(text).toMatch(/Old records\s+Custom\s+STU3/);
    }),
  );
  proves("D2.2-034", ({ sees }) =>
    visit(async (page) => {
      expect(await rowOf(page, "Old records").innerText()).toContain("Read Only");
      for (const name of ["Old records", "Sandbox EHR"]) sees(await rowOf(page, name).innerText());
    }),
  );
  proves("D2.2-035", () => visit((page) => reads(rowOf(page, "Old records"), /2 resources, 3 scopes/)));
  proves("D2.2-036", ({ sees }) =>
    visit(async (page) => {
      for (const [name, state] of [
        ["Old records", "Inactive"],
        ["Sandbox EHR", "Active"],
      ] as const) {
        const badge = rowOf(page, name).getByText(state, { exact: true });
        expect(await badge.count()).toBe(1);
        sees(await badge.innerText());
      }
    }),
  );
  const withStatus = (status: string | undefined) => async (page: Page) => {
    const all = await listed();
    await answers(
      paths.providers,
      all.map((one) => (one.id === old.id ? { ...one, connectionStatus: status } : { ...one, connectionStatus: "healthy" })),
    )(page);
  };
  proves("D2.2-037", ({ sees, quoted }) =>
    visit(
      async (page) => {
        const badge = rowOf(page, "Old records").getByText(quoted[0]!, { exact: true });
        expect(await badge.count()).toBe(1);
        sees(await badge.innerText());
      },
      { before: withStatus("unknown") },
    ),
  );
  proves("D2.4-007", () =>
    visit(
      async (page) => {
        const colourOf = (row: Locator, text: string) =>
          row.getByText(text, { exact: true }).evaluate((badge) => getComputedStyle(badge).backgroundColor);
        const unknown = await colourOf(rowOf(page, "Old records"), "Unknown");
        expect(unknown).not.toBe(await colourOf(rowOf(page, "Sandbox EHR"), "Healthy"));
        await page.unrouteAll();
        await withStatus("unhealthy")(page);
        await page.getByRole("button", { name: "Refresh" }).click();
        await reads(rowOf(page, "Old records"), /Unhealthy/);
        expect(await colourOf(rowOf(page, "Old records"), "Unhealthy")).toBe(unknown);
      },
      { before: withStatus("unknown") },
    ),
  );
  proves("D2.2-038", ({ sees, quoted }) =>
    visit(async (page) => {
      for (const name of quoted) {
        const button = rowOf(page, "Old records").getByRole("button", { name: `${name} Old records` });
        expect(await button.count()).toBe(1);
        sees(await button.innerText());
      }
    }),
  );
  proves("D2.2-039", ({ sees }) =>
    visit(async (page) => {
      const button = rowOf(page, "Old records").getByRole("button", { name: "Edit Old records" });
      sees(await button.innerText());
      await button.click();
      await reads(dialogOf(page), /Configure Old records[^]*Save Changes/);
      await expect.poll(() => dialogOf(page).getByLabel("Provider name").inputValue(), patience).toBe("Old records");
    }),
  );
  proves("D2.2-040", ({ sees }) =>
    visit(async (page) => {
      const button = rowOf(page, "Old records").getByRole("button", { name: "Test Old records" });
      sees(await button.innerText());
      await button.click();
      await reads(dialogOf(page), /Test FHIR Connection/);
      expect(await dialogOf(page).getByLabel("Provider").inputValue()).toBe(old.id);
    }),
  );
  proves("D2.2-041", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.providers, "FHIR Providers");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.2-042", ({ sees, quoted }) =>
    visit(
      async (page) => {
        await reads(providersOf(page), quoted[0]!);
        sees(await providersOf(page).innerText());
        expect(await providersOf(page).getByRole("button", { name: "Test Connections" }).count()).toBe(0);
      },
      { before: answers(paths.providers, []) },
    ),
  );
  proves("D2.8-007", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.providers, "FHIR Providers");
    expect(text).toContain(quoted[0]);
    expect(text).toContain("The database could not be reached.");
    sees(text);
  });

  test("are found by name, type and address", () =>
    visit(async (page) => {
      const rows = providersOf(page).locator("tbody tr");
      await providersOf(page).getByLabel("Search providers").fill("old REC");
      await expect.poll(() => rows.allInnerTexts(), patience).toHaveLength(1);
      await providersOf(page).getByLabel("Search providers").fill("nothing is called so");
      await reads(providersOf(page), /No provider has this text/);
    }));
});

describe("the form of a provider", () => {
  const tabOf = (page: Page, name: string): Locator => dialogOf(page).getByRole("tab", { name });
  const openNew = async (page: Page): Promise<Locator> => {
    await press(providersOf(page), "Add FHIR Provider");
    await reads(dialogOf(page), /Provider name/);
    return dialogOf(page);
  };
  const fillNew = async (page: Page, name: string): Promise<Locator> => {
    const dialog = await openNew(page);
    await dialog.getByLabel("Provider type").selectOption("custom");
    await dialog.getByLabel("Provider name").fill(name);
    await dialog.getByLabel("Base URL").fill(site.demo.ehr.r4.baseUrl);
    await tabOf(page, "OAuth Config").click();
    await dialog.getByLabel("Client ID").fill(sandboxClient.clientId);
    await dialog.getByLabel("Client Secret").fill(sandboxClient.secret);
    return dialog;
  };
  const save = (page: Page): Promise<void> =>
    dialogOf(page)
      .getByRole("button", { name: /^(Add Provider|Save Changes)$/ })
      .click();

  proves("D2.2-111", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openNew(page);
      const labels = (await dialog.getByRole("tab").allInnerTexts()).map((label) => label.trim());
      expect(labels).toEqual(quoted);
      sees(labels);
    }),
  );
  proves("D2.2-112", ({ sees, quoted }) =>
    visit(async (page) => {
      await press(rowOf(page, "Old records"), "Edit Old records");
      await tabOf(page, "Advanced").click();
      const toggle = dialogOf(page).getByRole("switch", { name: quoted[0] });
      expect(await toggle.isChecked()).toBe(false);
      sees(await dialogOf(page).innerText());
      await toggle.check();
      const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === "PUT"), save(page)]);
      expect(sent.postDataJSON()).toMatchObject({ isActive: true });
      await reads(toastsOf(page), /updated successfully/);
      await asConsole(site, "PUT", `${paths.providers}/${old.id}`, { ...(sent.postDataJSON() as object), isActive: false });
    }),
  );
  proves("D2.4-002", () =>
    visit(async (page) => {
      const dialog = await openNew(page);
      expect(await dialog.getByLabel("Provider name").inputValue()).toBe("");
      await page.keyboard.press("Escape");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await press(rowOf(page, "Old records"), "Edit Old records");
      await reads(dialogOf(page), /Configure Old records/);
      expect(await dialogOf(page).getByLabel("Base URL").inputValue()).toBe(site.demo.ehr.r4.baseUrl);
      await tabOf(page, "OAuth Config").click();
      expect(await dialogOf(page).getByLabel("Client ID").inputValue()).toBe(sandboxClient.clientId);
      expect(await dialogOf(page).getByLabel("Client Secret").inputValue()).toBe("");
      await reads(dialogOf(page), /A client secret is stored/);
      await tabOf(page, "Security").click();
      expect(await dialogOf(page).getByLabel("Private Key").inputValue()).toBe("");
      expect(await page.content()).not.toContain(sandboxClient.secret);
    }),
  );
  proves("D2.8-021", ({ sees }) =>
    visit(
      async (page) => {
        await fillNew(page, "Refused EHR");
        await page.route(
          ({ pathname }) => pathname === paths.providers,
          (route) => (route.request().method() === "POST" ? route.fulfill({ status: 500, body: "no room left" }) : route.fallback()),
          { times: 1 },
        );
        await save(page);
        await reads(toastsOf(page), /Error[^]*no room left/);
        await page.route("**/api/admin/fhir/providers", (route) =>
          route.request().method() === "POST" ? route.abort() : route.fallback(),
        );
        await save(page);
        await reads(toastsOf(page), /Failed to create FHIR provider/);
        sees(await toastsOf(page).innerText());
        await page.unrouteAll();
        await expect.poll(() => dialogOf(page).getByLabel("Client ID").inputValue(), patience).toBe(sandboxClient.clientId);
        await page.keyboard.press("Escape");
        await reads(page.getByRole("alertdialog"), /Discard changes\?/);
        await page.getByRole("button", { name: "Discard" }).click();
        await press(rowOf(page, "Old records"), "Edit Old records");
        await reads(dialogOf(page), /Configure Old records/);
        await page.route("**/api/admin/fhir/providers/*", (route) => route.abort(), { times: 1 });
        await dialogOf(page).getByLabel("Provider name").fill("Older records");
        await save(page);
        await reads(toastsOf(page), /Failed to update FHIR provider/);
        const shown = await toastsOf(page).innerText();
        // The row names the two sentences at once.
        sees(shown.replace("update", "create/update"));
        sees(shown);
      },
      {
        refused: [
          "500 POST /api/admin/fhir/providers",
          "net::ERR_FAILED POST /api/admin/fhir/providers",
          `net::ERR_FAILED PUT /api/admin/fhir/providers/${old.id}`,
        ],
      },
    ),
  );
  proves("D2.8-038", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openNew(page);
      await dialog.getByLabel("Provider type").selectOption("custom");
      await dialog.getByLabel("Provider name").fill("Discovered EHR");
      await dialog.getByLabel("Base URL").fill(site.demo.ehr.r4.baseUrl);
      await press(dialog, "Discover addresses and scopes");
      await reads(toastsOf(page), /Server found/);
      await tabOf(page, "OAuth Config").click();
      await expect.poll(() => dialog.getByLabel("Token URL").inputValue(), patience).toBe(site.demo.ehr.r4.tokenUrl);
      await dialog.getByLabel("Client ID").fill(sandboxClient.clientId);
      await dialog.getByLabel("Client authentication").selectOption("platform_key");
      await dialog.getByRole("button", { name: "Add Provider" }).dblclick();
      await reads(toastsOf(page), quoted[0]!);
      sees(await toastsOf(page).innerText());
      await expect.poll(() => rowOf(page, "Discovered EHR").count(), patience).toBe(1);
      expect(await dialogOf(page).count()).toBe(0);
    }),
  );
  proves("D2.8-039", ({ sees, quoted }) =>
    visit(async (page) => {
      await press(rowOf(page, "Old records"), "Edit Old records");
      await tabOf(page, "Advanced").click();
      await dialogOf(page).getByLabel("Description").fill("Kept for its history.");
      await save(page);
      await reads(toastsOf(page), quoted[0]!);
      sees(await toastsOf(page).innerText());
      expect(await dialogOf(page).count()).toBe(0);
    }),
  );
  proves("D2.7-034", () =>
    visit(async (page) => {
      await press(rowOf(page, "Old records"), "Edit Old records");
      await tabOf(page, "Advanced").click();
      await dialogOf(page).getByLabel("Description").fill("Kept, and read again.");
      const again = page.waitForResponse(
        (response) => response.request().method() === "GET" && new URL(response.url()).pathname === paths.providers,
      );
      await save(page);
      expect((await again).status()).toBe(200);
      await reads(toastsOf(page), /FHIR provider updated successfully/);
      expect((await listed()).map(({ name }) => name)).toContain("Old records");
    }),
  );

  test("has a new connection checked as soon as it is saved, and a changed one again", () =>
    visit(async (page) => {
      const checks: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/check", async (route) => {
        checks.push(route.request().method());
        await held;
        await route.continue();
      });
      const dialog = await fillNew(page, "Checked EHR");
      await dialog.getByLabel("Scopes").fill("system/*.read");
      await save(page);
      await reads(rowOf(page, "Checked EHR"), /Unknown\s+Checking\.\.\./);
      const health = panelOf(page, "Connection Health");
      const all = health.getByRole("button", { name: /^Show all/ });
      if ((await all.count()) > 0) await all.click();
      await reads(health, /Checked EHR\s+Unknown[^]*Never checked[^]*Checking\.\.\.\s+Checked EHR/);
      release();
      await reads(rowOf(page, "Checked EHR"), /Healthy/);
      await expect.poll(() => rowOf(page, "Checked EHR").innerText(), patience).not.toContain("Checking");
      expect(checks).toEqual(["POST"]);

      const change = async (tab: string, label: string, text: string) => {
        await press(rowOf(page, "Checked EHR"), "Edit Checked EHR");
        await reads(dialogOf(page), /Configure Checked EHR/);
        await tabOf(page, tab).click();
        await dialogOf(page).getByLabel(label).fill(text);
        await save(page);
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      };
      await change("Advanced", "Description", "Only a word more.");
      expect(checks).toEqual(["POST"]);
      await change("OAuth Config", "Client ID", "nobody-knows-it");
      await reads(rowOf(page, "Checked EHR"), /Unhealthy/);
      expect(checks).toEqual(["POST", "POST"]);
    }));

  test("has a connection checked that somebody has just authorized, once", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      const checks: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.endsWith("/check")) checks.push(pathname);
      });
      const checked = page.waitForResponse((response) => response.url().endsWith("/check"));
      await page.goto(`${address}&ehr=connected&fhirProvider=${old.id}`);
      expect((await checked).status()).toBe(200);
      await reads(page.getByRole("main"), /The record system is authorized/);
      await reads(rowOf(page, "Old records"), /Unhealthy/);
      expect(checks).toEqual([`${paths.providers}/${old.id}/check`]);
      expect(new URL(page.url()).search).toBe("?tab=fhir");
    }));

  test("tells the second of two who change the same one, and keeps what was typed", () =>
    visit(
      async (page) => {
        await press(rowOf(page, "Old records"), "Edit Old records");
        await reads(dialogOf(page), /Configure Old records/);
        await asConsole(
          site,
          "PUT",
          `${paths.providers}/${old.id}`,
          ownForm(site, { name: "Old records", description: "Theirs", scopes: "patient/Patient.read user/Patient.read user/Slot.read" }),
        );
        await dialogOf(page).getByLabel("Provider name").fill("Mine");
        await save(page);
        await reads(dialogOf(page).getByRole("alert"), /Somebody else has changed this provider[^]*description/);
        expect(await dialogOf(page).getByLabel("Provider name").inputValue()).toBe("Mine");
        await press(dialogOf(page), "Load their version");
        await expect.poll(() => dialogOf(page).getByLabel("Provider name").inputValue(), patience).toBe("Old records");
      },
      { refused: [`409 PUT ${paths.providers}/${old.id}`] },
    ));
});

describe("the connection test", () => {
  const openTest = async (page: Page): Promise<Locator> => {
    await press(providersOf(page), "Test Connections");
    await reads(dialogOf(page), /Test FHIR Connection/);
    return dialogOf(page);
  };
  const run = async (dialog: Locator, patientId: string): Promise<void> => {
    await dialog.getByLabel("Provider").selectOption({ label: "Sandbox EHR" });
    await dialog.getByLabel("Patient ID").fill(patientId);
    await press(dialog, "Test Connection");
  };
  const resultOf = (dialog: Locator): Locator => dialog.getByRole("region", { name: "Test result" });

  proves("D2.2-113", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      const title = dialog.getByRole("heading", { level: 2, name: quoted[0] });
      expect(await title.count()).toBe(1);
      sees(await title.innerText());
    }),
  );
  proves("D2.2-114", () =>
    visit(async (page) => {
      const dialog = await openTest(page);
      expect(await dialog.getByLabel("Patient ID").inputValue()).not.toBe("");
      const choices = await dialog.getByLabel("Provider").locator("option").allInnerTexts();
      expect(choices).toEqual(expect.arrayContaining(["Sandbox EHR", "Old records"]));
    }),
  );
  proves("D2.4-003", () =>
    visit(async (page) => {
      const dialog = await openTest(page);
      expect(await resultOf(dialog).count()).toBe(0);
      await page.route("**/test", async (route) => {
        await new Promise((resolve) => void setTimeout(resolve, 500));
        await route.continue();
      });
      await run(dialog, site.demo.patients[0]!.id);
      await reads(dialog, /Testing Connection\.\.\./);
      await reads(resultOf(dialog), /SUCCESS/);
      await run(dialog, "nobody");
      await reads(resultOf(dialog), /FAILED/);
    }),
  );
  proves("D2.4-004", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await page.route("**/test", async (route) => {
        await new Promise((resolve) => void setTimeout(resolve, 800));
        await route.continue();
      });
      await run(dialog, "nobody");
      const button = dialog.getByRole("button", { name: quoted[0] });
      await expect.poll(() => button.count(), patience).toBe(1);
      sees(await button.innerText());
      await reads(resultOf(dialog), /FAILED/);
    }),
  );
  proves("D2.4-005", ({ sees }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      for (const [patientId, word] of [
        [site.demo.patients[0]!.id, "SUCCESS"],
        ["nobody", "FAILED"],
      ] as const) {
        await run(dialog, patientId);
        await reads(resultOf(dialog), word);
        sees(await resultOf(dialog).innerText());
      }
    }),
  );
  proves("D2.4-006", () =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await run(dialog, "nobody");
      await reads(resultOf(dialog), /FAILED/);
      await dialog.getByLabel("Patient ID").fill(" ");
      await press(dialog, "Test Connection");
      await reads(dialog, /Patient ID is required/);
      expect(await resultOf(dialog).count()).toBe(0);
    }),
  );
  proves("D2.5-027", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await press(dialog, "Test Connection");
      await reads(dialog, quoted[0]!);
      sees(await dialog.innerText());
    }),
  );
  proves("D2.5-028", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await press(dialog, "Test Connection");
      await reads(toastsOf(page), quoted[0]!);
      sees(await toastsOf(page).innerText());
    }),
  );
  proves("D2.8-022", ({ sees, quoted }) =>
    visit(
      async (page) => {
        const dialog = await openTest(page);
        await page.route("**/test", (route) => route.fulfill(unanswered), { times: 1 });
        await run(dialog, "nobody");
        await reads(toastsOf(page), quoted[0]!);
        sees(await toastsOf(page).innerText());
        await reads(dialog.getByRole("alert"), /The database could not be reached/);
      },
      { refused: [`503 POST ${paths.providers}/${site.demo.tenants[0]!.fhirProviderId}/test`] },
    ),
  );
  proves("D2.8-023", ({ sees }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await run(dialog, "nobody");
      await reads(toastsOf(page), /Connection Test Failed[^]*The server has no patient with this ID\./);
      sees(await toastsOf(page).innerText());
    }),
  );
  proves("D2.8-024", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await run(dialog, "nobody");
      const block = resultOf(dialog).getByRole("region", { name: quoted[0] });
      await reads(block, /patient_not_found/);
      expect(Object.keys(JSON.parse(await block.innerText()) as object)).toEqual(["error", "details"]);
      sees(await resultOf(dialog).innerText());
    }),
  );
  proves("D2.8-040", ({ sees }) =>
    visit(async (page) => {
      const dialog = await openTest(page);
      await run(dialog, site.demo.patients[0]!.id);
      await reads(toastsOf(page), /Connection Test Successful/);
      sees(await toastsOf(page).innerText());
      expect(await dialog.innerText()).not.toContain(site.demo.patients[0]!.birthDate);
      await press(dialog, "Show birth date");
      await reads(dialog, site.demo.patients[0]!.birthDate);
    }),
  );
  proves("D2.8-006", ({ sees, quoted }) =>
    visit(
      async (page) => {
        const dialog = await openTest(page);
        await reads(dialog.getByRole("alert"), quoted[0]!);
        sees(await dialog.innerText());
        await dialog.getByRole("button", { name: "Retry" }).click();
        await reads(dialog, /Patient ID/);
      },
      {
        refused: [`503 GET ${paths.providers}`],
        before: (page) =>
          page.route(
            ({ pathname }) => pathname === paths.providers,
            (route) => route.fulfill(unanswered),
            { times: 1 },
          ),
      },
    ),
  );

  test("of all of them says of each what came of it", () =>
    visit(async (page) => {
      const dialog = await openTest(page);
      const active = (await listed()).filter(({ isActive }) => isActive);
      await press(dialog, "Test all");
      await reads(dialog, `${active.length} of ${active.length} tested`);
      const items = dialog.getByRole("list", { name: "Tested connections" }).getByRole("listitem");
      expect(await items.count()).toBe(active.length);
      await reads(items.first(), /Sandbox EHR[^]*Healthy/);
    }));
});

describe("the test of all connections", () => {
  test("ends with its dialog: nobody is asked any more who was not yet", () =>
    visit(
      async (page) => {
        const asked: string[] = [];
        let release = () => {};
        const held = new Promise<void>((resolve) => (release = resolve));
        await page.route("**/check", async (route) => {
          const [id = ""] = new URL(route.request().url()).pathname.split("/").slice(-2);
          asked.push(id);
          await held;
          const found = { id, name: id, endpoint: "https://ehr.example/r4", status: "healthy", lastChecked: null, certificateExpiry: null };
          await route.fulfill({ json: { ...found, history: [] } });
        });
        await press(providersOf(page), "Test Connections");
        await press(dialogOf(page), "Test all");
        await expect.poll(() => asked.length, patience).toBe(4);
        await page.keyboard.press("Escape");
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
        const again = page.waitForResponse((response) => new URL(response.url()).pathname === paths.providers);
        release();
        await again;
        expect(asked.length).toBe(4);
      },
      {
        before: async (page) => {
          const [one] = (await listed()).filter(({ isActive }) => isActive);
          const many = Array.from({ length: 9 }, (_, index) => ({ ...one, id: `01hzzzzzzzzzzzzzzzzzzzzzz${index}`, name: `EHR ${index}` }));
          await answers(paths.providers, many)(page);
        },
      },
    ));
});

describe("platform keys", () => {
  const keysOf = (page: Page): Locator => panelOf(page, "Platform Keys");
  const day = (date: string) => ({ createdAt: `${date}T08:00:00.000Z`, activeFrom: `${date}T08:00:00.000Z` });
  const keys = [
    {
      kid: "previous-key-of-the-platform",
      alg: "RS256",
      state: "previous",
      ...day("2026-05-01"),
      lastSignedAt: "2026-05-02T08:00:00.000Z",
    },
    { kid: "active-key-of-the-platform", alg: "RS256", state: "active", ...day("2026-05-02"), lastSignedAt: null },
    { kid: "retired-key-of-the-platform", alg: "RS256", state: "retired", ...day("2026-04-01"), lastSignedAt: null },
  ];

  proves("D2.2-054", async () => {
    expect(await textWhileLoading(site, address, paths.keys, "Platform Keys")).toBe("Loading platform keys...");
    expect(await textOfFailure(site, address, paths.keys, "Platform Keys")).toContain("Failed to load platform keys.");
    await visit((page) => reads(keysOf(page), /Generate Initial Key Pair/), { before: answers(paths.keys, []) });
    await visit((page) => reads(keysOf(page), /Primary/));
  });
  proves("D2.4-016", async () => {
    expect(await textWhileLoading(site, address, paths.keys, "Platform Keys")).toMatch(/^Loading/);
    expect(await textOfFailure(site, address, paths.keys, "Platform Keys")).toMatch(/^Failed/);
    await visit((page) => reads(keysOf(page), /No platform keys yet/), { before: answers(paths.keys, []) });
    await visit((page) => reads(keysOf(page), /Rotate Keys/));
  });
  proves("D2.2-055", ({ sees, quoted }) =>
    visit(
      async (page) => {
        const button = keysOf(page).getByRole("button", { name: quoted[0] });
        expect(await button.count()).toBe(1);
        sees(await button.innerText());
        const posts: string[] = [];
        await page.route("**/jwk/generate", (route) => {
          posts.push(route.request().postData() ?? "");
          return route.fulfill({ status: 201, json: { kid: "k", state: "active" } });
        });
        await button.dblclick();
        await reads(toastsOf(page), /Platform Key Generated/);
        expect(posts).toEqual(['{"algorithm":"RS256"}']);
      },
      { before: answers(paths.keys, []) },
    ),
  );
  proves("D2.2-056", ({ sees, quoted }) =>
    visit(
      async (page) => {
        const items = keysOf(page).getByRole("list", { name: "Signing keys" }).getByRole("listitem");
        await reads(items.first(), /active-k…[^]*Primary[^]*Signs now/);
        expect(await items.nth(1).innerText()).not.toContain(quoted[0]);
        sees(await items.first().innerText());
      },
      { before: answers(paths.keys, keys) },
    ),
  );
  proves("D2.2-057", ({ sees, quoted }) =>
    visit(async (page) => {
      const button = keysOf(page).getByRole("button", { name: quoted[0] });
      sees(await button.innerText());
      await button.click();
      const question = page.getByRole("alertdialog");
      await reads(question, /begins to sign in two hours/);
      expect(await question.getByRole("button", { name: "Cancel" }).evaluate((one) => one === document.activeElement)).toBe(true);
      await press(question, "Cancel");
      await expect.poll(() => button.evaluate((one) => one === document.activeElement), patience).toBe(true);
    }),
  );
  proves("D2.2-058", () =>
    visit(
      async (page) => {
        const shown = keysOf(page).getByTitle("active-key-of-the-platform");
        expect(await shown.innerText()).toBe("active-k…");
        await reads(keysOf(page), /Last signed May 2/);
      },
      { before: answers(paths.keys, keys) },
    ),
  );
  proves("D2.2-059", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await answers(paths.keys, keys)(page);
      await page.goto(address);
      const items = keysOf(page).getByRole("list", { name: "Signing keys" }).getByRole("listitem");
      for (const [index, kid] of ["active-key-of-the-platform", "previous-key-of-the-platform"].entries()) {
        await items
          .nth(index)
          .getByRole("button", { name: /^Copy key ID/ })
          .click();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), patience).toBe(kid);
      }
    }),
  );
  proves("D2.8-025", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.keys, "Platform Keys");
    expect(text).toContain(quoted[0]);
    sees(text);
  });
  proves("D2.8-026", ({ sees, quoted }) =>
    visit(
      async (page) => {
        await page.route("**/jwk/generate", (route) => route.fulfill(unanswered), { times: 1 });
        await press(keysOf(page), "Rotate Keys");
        const question = page.getByRole("alertdialog");
        await press(question, "Rotate Keys");
        await reads(question.getByRole("alert"), /The database could not be reached/);
        await reads(toastsOf(page), quoted[0]!);
        sees(await toastsOf(page).innerText());
      },
      { refused: [`503 POST ${paths.generate}`] },
    ),
  );
  proves("D2.8-041", ({ sees, quoted }) =>
    visit(async (page) => {
      await press(keysOf(page), "Rotate Keys");
      await page.getByRole("alertdialog").getByRole("button", { name: "Rotate Keys" }).dblclick();
      await reads(toastsOf(page), quoted[1]!);
      sees(await toastsOf(page).innerText());
      await reads(keysOf(page), /Signs now[^]*Signs soon/);
      const all = await asConsole<{ state: string }[]>(site, "GET", paths.keys);
      expect(all.filter(({ state }) => state === "pending").length).toBe(1);
    }),
  );

  test("that are previous can be retired, and are known among the retired", () =>
    visit(
      async (page) => {
        await press(keysOf(page), "Retire previous…");
        const question = page.getByRole("alertdialog");
        await reads(question, /only if the key may have been misused/);
        let retired = "";
        await page.route("**/retire", (route) => {
          retired = new URL(route.request().url()).pathname;
          return route.fulfill({ json: { ...keys[0], state: "retired" } });
        });
        await press(question, "Retire key");
        await reads(toastsOf(page), /Key retired/);
        expect(retired).toBe(`${paths.keys}/previous-key-of-the-platform/retire`);
        await keysOf(page).getByText("Retired keys").click();
        await reads(keysOf(page), /retired-…/);
      },
      { before: answers(paths.keys, keys) },
    ));
});

describe("provider assignments", () => {
  const assignmentsOf = (page: Page): Locator => panelOf(page, "Provider Assignments");
  const ofClinic = (page: Page): Locator => assignmentsOf(page).getByRole("list", { name: "FHIR providers of Assigned Clinic" });
  const openChange = async (page: Page, whose: string): Promise<Locator> => {
    await press(assignmentsOf(page), `Change the FHIR provider of ${whose}`);
    await reads(dialogOf(page), /At present/);
    return dialogOf(page);
  };
  const choose = async (page: Page, whose: string, label: string): Promise<void> => {
    const dialog = await openChange(page, whose);
    await dialog.getByLabel("FHIR provider").selectOption({ label });
    await press(dialog, "Save Changes");
    await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
  };

  proves("D2.2-043", () =>
    visit(async (page) => {
      const item = assignmentsOf(page).getByRole("list", { name: "Provider assignments" }).locator("> li", { hasText: "Assigned Clinic" });
      await reads(item, /^Assigned Clinic\s+Clinic/);
    }),
  );
  proves("D2.2-044", ({ sees, quoted }) =>
    visit(async (page) => {
      await reads(ofClinic(page), new RegExp(`Tenant default\\s+${quoted[0]}`));
      sees(await ofClinic(page).innerText());
      await choose(page, "Assigned Clinic", "Sandbox EHR");
      await reads(ofClinic(page), /Tenant default\s+Sandbox EHR/);
      await choose(page, "Assigned Clinic", "Not configured");
      await reads(ofClinic(page), /Tenant default\s+Not configured/);
    }),
  );
  proves("D2.2-045", ({ sees, quoted }) =>
    visit(async (page) => {
      await reads(ofClinic(page), new RegExp(`North Office\\s+${quoted[0]}`));
      sees(await ofClinic(page).innerText());
      await choose(page, "North Office, Assigned Clinic", "Sandbox EHR, STU3");
      await reads(ofClinic(page), /North Office\s+Sandbox EHR, STU3/);
      await choose(page, "North Office, Assigned Clinic", "Inherits default (Not configured)");
      await reads(ofClinic(page), /North Office\s+Inherits default/);
    }),
  );
  proves("D2.2-046", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.assignments, "Provider Assignments");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.2-047", ({ sees, quoted }) =>
    visit(
      async (page) => {
        await reads(assignmentsOf(page), quoted[0]!);
        sees(await assignmentsOf(page).innerText());
      },
      { before: answers(paths.assignments, []) },
    ),
  );

  test("that somebody else has changed meanwhile are told, and the choice stays", () =>
    visit(
      async (page) => {
        const dialog = await openChange(page, "Assigned Clinic");
        await dialog.getByLabel("FHIR provider").selectOption({ label: "Sandbox EHR" });
        await asConsole(site, "PUT", `/api/admin/tenants/${clinic.id}/fhir-provider`, { fhirProviderId: old.id });
        await press(dialog, "Save Changes");
        await reads(dialog.getByRole("alert"), /Somebody else has changed Assigned Clinic/);
        await reads(dialog, /At present: Old records/);
        expect(await dialog.getByLabel("FHIR provider").locator("option:checked").innerText()).toBe("Sandbox EHR");
        await press(dialog, "Save Changes");
        await reads(ofClinic(page), /Tenant default\s+Sandbox EHR/);
        await asConsole(site, "PUT", `/api/admin/tenants/${clinic.id}/fhir-provider`, { fhirProviderId: null });
      },
      { refused: [`409 PUT /api/admin/tenants/${clinic.id}/fhir-provider`] },
    ));

  test("stay as they are when one cancels", () =>
    visit(async (page) => {
      const dialog = await openChange(page, "Assigned Clinic");
      await press(dialog, "Cancel");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await reads(ofClinic(page), /Tenant default\s+Not configured/);
    }));

  test("say when the rest of those that are searched did not load", () =>
    visit(
      async (page) => {
        await assignmentsOf(page).getByLabel("Search organizations").fill("nobody is called so");
        await reads(assignmentsOf(page).getByRole("alert"), /The database could not be reached/);
        expect(await assignmentsOf(page).innerText()).toContain("None of the organizations that have loaded has this text in its name.");
        expect(await assignmentsOf(page).innerText()).not.toContain("Searching further");
      },
      {
        refused: [`503 GET ${paths.assignments}`],
        before: async (page) => {
          const rows = await asConsole(site, "GET", paths.assignments);
          await page.route(
            ({ pathname }) => pathname === paths.assignments,
            (route) =>
              route.fulfill(
                new URL(route.request().url()).searchParams.has("cursor")
                  ? unanswered
                  : { json: rows, headers: { link: `<${paths.assignments}?limit=40&cursor=further>; rel="next"` } },
              ),
          );
        },
      },
    ));

  test("say what did not load, and load when asked again", async () => {
    expect(await textOfFailure(site, address, paths.assignments, "Provider Assignments")).toContain("The database could not be reached.");
  });
});

describe("connection health", () => {
  const healthOf = (page: Page): Locator => panelOf(page, "Connection Health");
  const health = (more: object) => ({
    endpoint: "https://ehr.example/r4",
    status: "unknown",
    lastChecked: null,
    certificateExpiry: null,
    history: [],
    ...more,
  });
  const went = (marks: string) =>
    [...marks].map((mark, minute) => ({
      at: `2026-05-01T09:${String(minute).padStart(2, "0")}:00.000Z`,
      status: mark === "+" ? "healthy" : "unhealthy",
      ms: 80,
    }));
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString();
  const faked = {
    providers: [
      health({ id: "01hzzzzzzzzzzzzzzzzzzzzzz1", name: "Good EHR", status: "healthy", lastChecked: "2026-05-01T09:00:00.000Z" }),
      health({
        id: "01hzzzzzzzzzzzzzzzzzzzzzz2",
        name: "Bad EHR",
        status: "unhealthy",
        message: "Ask its administrator.",
        certificateExpiry: inDays(12),
        history: went("+++-++++++++++++++-+"),
      }),
      health({ id: "01hzzzzzzzzzzzzzzzzzzzzzz3", name: "New EHR", certificateExpiry: inDays(200) }),
    ],
  };
  /** Of those that are really there; the ones that need nobody come last. */
  const shownItem = async (page: Page, name: string): Promise<Locator> => {
    const more = healthOf(page).getByRole("button", { name: /^Show all/ });
    if ((await more.count()) > 0) await more.click();
    return healthOf(page)
      .getByRole("listitem")
      .filter({ has: page.getByText(name, { exact: true }) });
  };
  const visitFaked = (body: (page: Page) => Promise<void>) => visit(body, { before: answers(paths.health, faked) });
  const itemOf = (page: Page, name: string): Locator => healthOf(page).getByRole("listitem").filter({ hasText: name });

  proves("D2.2-048", ({ sees }) =>
    visitFaked(async (page) => {
      const figures = await healthOf(page).locator("dl").innerText();
      sees(figures);
      expect(figures.replaceAll(/\s+/g, " ")).toBe("Healthy 1 Unhealthy 1 Unknown 1");
    }),
  );
  proves("D2.2-049", () =>
    visitFaked(async (page) => {
      const dots = await Promise.all(
        ["Good EHR", "Bad EHR", "New EHR"].map((name) =>
          itemOf(page, name)
            .locator("span[aria-hidden]")
            .first()
            .evaluate((dot) => getComputedStyle(dot).backgroundColor),
        ),
      );
      expect(new Set(dots).size).toBe(3);
      const [[red = 0, green = 0] = []] = dots.map((colour) => (colour.match(/[\d.]+/g) ?? []).map(Number));
      expect(green).toBeGreaterThan(red);
      await reads(itemOf(page, "Bad EHR"), /Bad EHR\s+Unhealthy\s+https:\/\/ehr\.example\/r4[^]*Ask its administrator\./);
    }),
  );
  proves("D2.2-050", ({ sees, quoted }) =>
    visitFaked(async (page) => {
      await reads(itemOf(page, "Good EHR"), /Last checked May 1/);
      expect(await itemOf(page, "New EHR").innerText()).toContain(quoted[0]);
      sees(await itemOf(page, "New EHR").innerText());
    }),
  );
  proves("D2.2-051", () =>
    visitFaked(async (page) => {
      await reads(itemOf(page, "Bad EHR"), /Certificate expires [A-Z][a-z]{2} \d+, \d{4}\s+Expires in 12 days/);
      await reads(itemOf(page, "New EHR"), /Certificate expires/);
      expect(await itemOf(page, "New EHR").innerText()).not.toContain("Expires in");
      expect(await itemOf(page, "Good EHR").innerText()).not.toContain("Certificate");
    }),
  );
  proves("D2.2-052", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.health, "Connection Health");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.2-053", ({ sees, quoted }) =>
    visit(
      async (page) => {
        await reads(healthOf(page), quoted[0]!);
        sees(await healthOf(page).innerText());
      },
      { before: answers(paths.health, { providers: [] }) },
    ),
  );
  proves("D2.8-009", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.health, "Connection Health");
    expect(text).toContain(quoted[0]);
    sees(text);
  });
  proves("D2.9-003", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      let asked = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === paths.health) asked += 1;
      });
      await page.clock.install();
      await page.goto(address);
      await reads(healthOf(page), /Last checked/);
      expect(asked).toBe(1);
      await page.clock.runFor(29_000);
      const before = asked;
      await page.clock.runFor(3000);
      await expect.poll(() => asked, patience).toBe(2);
      expect(before).toBe(1);
    }),
  );

  test("is looked at anew when somebody wants to know", () =>
    visit(async (page) => {
      const item = await shownItem(page, "Sandbox EHR");
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/check")),
        press(item, "Check now Sandbox EHR"),
      ]);
      expect(answer.status()).toBe(200);
      await reads(item, /Healthy[^]*Last checked/);
    }));

  test("draws how the last checks went, and says it: what failed has another shape and another colour", () =>
    visitFaked(async (page) => {
      const words = /^18 of the last 20 checks were healthy; last failure May 1, .*\.$/;
      const picture = itemOf(page, "Bad EHR").getByRole("img", { name: words });
      expect(await picture.count()).toBe(1);
      expect(await picture.locator("..").getAttribute("title")).toMatch(words);
      const [healthy, failed] = [picture.locator("rect"), picture.locator("path")];
      expect([await healthy.count(), await failed.count()]).toEqual([18, 2]);
      const left = async (mark: Locator) => (await mark.boundingBox())!.x;
      // The third from the left and the one before the newest
      expect(await left(failed.first())).toBeGreaterThan(await left(healthy.nth(2)));
      expect(await left(failed.last())).toBeGreaterThan(await left(healthy.nth(16)));
      expect(await left(failed.last())).toBeLessThan(await left(healthy.last()));
      const colour = (mark: Locator, part: "fill" | "stroke") => mark.evaluate((one, name) => getComputedStyle(one)[name], part);
      expect(await colour(failed.first(), "stroke")).not.toBe(await colour(healthy.first(), "fill"));
      expect(await itemOf(page, "New EHR").getByRole("img").count()).toBe(0);
    }));

  test("remembers a failure after the record system is well again", async () => {
    const { id } = await asConsole<Provider>(site, "POST", paths.providers, ownForm(site, { name: "Watched EHR" }));
    const faults = `${site.platform.sandbox.origin}/faults`;
    await visit(async (page) => {
      const checked = async (status: RegExp): Promise<void> => {
        await press(await shownItem(page, "Watched EHR"), "Check now Watched EHR");
        await reads(await shownItem(page, "Watched EHR"), status);
      };
      await checked(/Healthy[^]*Check now/);
      await fetch(faults, { method: "POST", body: JSON.stringify({ kind: "503" }) });
      try {
        await checked(/Unhealthy[^]*Check now/);
      } finally {
        await fetch(faults, { method: "DELETE" });
      }
      await checked(/Watched EHR\s+Healthy[^]*Check now/);
      const picture = (await shownItem(page, "Watched EHR")).getByRole("img", {
        name: /^\d+ of the last \d+ checks were healthy; last failure /,
      });
      expect(await picture.count()).toBe(1);
    });
    const { providers } = await asConsole<{ providers: { id: string; history: { status: string }[] }[] }>(site, "GET", paths.health);
    const statuses = providers.find((one) => one.id === id)!.history.map(({ status }) => status);
    expect(statuses.join(" ")).toMatch(/healthy unhealthy( unhealthy)* healthy$/);
  });

  test("of many shows a few that need somebody first, and all of them when asked", () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      health({
        id: `01hzzzzzzzzzzzzzzzzzzzz${String(index).padStart(3, "0")}`,
        name: `EHR ${index}`,
        status: index === 99 ? "unhealthy" : "healthy",
      }),
    );
    return visit(
      async (page) => {
        const items = healthOf(page).getByRole("list", { name: "Connections" }).getByRole("listitem");
        await reads(items.first(), /EHR 99\s+Unhealthy/);
        expect(await items.count()).toBe(5);
        const more = healthOf(page).getByRole("button", { name: "Show all 100 connections" });
        expect(await more.getAttribute("aria-expanded")).toBe("false");
        await more.focus();
        await page.keyboard.press("Enter");
        await expect.poll(() => items.count(), patience).toBe(100);
        const fewer = healthOf(page).getByRole("button", { name: "Show the first 5 only" });
        expect(await fewer.evaluate((one) => one === document.activeElement)).toBe(true);
        await page.keyboard.press("Enter");
        await expect.poll(() => items.count(), patience).toBe(5);
      },
      { before: answers(paths.health, { providers: many }) },
    );
  });

  test("and the list of providers say the same, also when a check of the platform's own finds something else", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      let listedAgain = 0;
      await page.clock.install();
      await page.goto(address);
      await reads(healthOf(page), /Last checked/);
      const { providers } = await asConsole<{ providers: { status: string }[] }>(site, "GET", paths.health);
      await answers(paths.health, { providers: providers.map((one) => ({ ...one, status: "unhealthy" })) })(page);
      page.on("request", (request) => {
        if (request.method() === "GET" && new URL(request.url()).pathname === paths.providers) listedAgain += 1;
      });
      await page.clock.runFor(31_000);
      await expect.poll(() => listedAgain, patience).toBe(1);
      await page.clock.runFor(31_000);
      expect(listedAgain).toBe(1);
    }));
});
