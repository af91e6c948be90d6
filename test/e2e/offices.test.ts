import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import type { Answer, Json } from "../kit/api.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { openOffice } from "./looks/offices.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

let site: Site;
/** Two offices, of which the second is switched off and has set everything for itself. */
let one: { login: Login; offices: { id: string; name: string }[] };
/** A tenant that these tests change. */
let mine: Login;
let panel: string;
let features: string;

const hasFocus = (place: Locator): Promise<boolean> => place.evaluate((element) => element === document.activeElement);
/** All of it can be seen: nothing stands before its middle, and it is not cut off. */
const isWithin = (part: Locator, page: Page): Promise<boolean> =>
  part.evaluate((element, width) => {
    const { left, right, top, height } = element.getBoundingClientRect();
    const inFront = document.elementFromPoint((left + right) / 2, top + height / 2);
    return left >= 0 && right <= width && element.contains(inFront);
  }, page.viewportSize()!.width);
const dialogOf = (page: Page) => page.getByRole("dialog");
const cardOf = (page: Page, name: string) => page.getByRole("article", { name });
const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const ask = async (
  login: Login,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Json>> => site.api(method, path, { token: await site.tokenFor(login), headers, ...(body ? { body } : {}) });

const officesOf = async (login: Login): Promise<Json[]> => (await ask(login, "GET", "/api/tenant/dashboard/offices")).json;

/** An office of the tenant that these tests change. */
const addOffice = async (name: string, more: object = {}): Promise<string> => {
  const { status, json } = await ask(mine, "POST", "/api/tenant/offices", { name, ...more });
  expect(status).toBe(201);
  return json.id;
};
const officeNow = async (id: string, login = mine): Promise<Json> => (await ask(login, "GET", `/api/tenant/offices/${id}`)).json;

const asMine = (body: (page: Page) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ as: mine, refused }, ({ page }) => body(page));
const asOne = (body: (page: Page) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ as: one.login, refused }, ({ page }) => body(page));

beforeAll(async () => {
  site = await openSite();
  const [tenant] = site.demo.tenants;
  one = { login: tenant!.admin, offices: tenant!.offices };
  const [, second] = one.offices;
  const set = {
    name: second!.name,
    isActive: false,
    staffCount: 1200,
    businessHours: { start: "08:00", end: "16:30", days: { sunday: null } },
  };
  const kept = await ask(one.login, "PUT", `/api/tenant/offices/${second!.id}`, set);
  if (kept.status !== 200) throw new Error(`The second office could not be changed: ${kept.text}`);
  mine = await addTenant(site, "Office Clinic");
});
/** Read once, in the first test. */
let reading: Promise<void> | undefined;
const readTab = (): Promise<void> =>
  asOne(async (page) => {
    await open(page, "/tenant?tab=offices");
    panel = await partOf(page, "Office Management").innerText();
    features = await partOf(page, "Office-Level Features").innerText();
  });
beforeEach(() => (reading ??= readTab()), 120_000);
afterAll(() => site?.close());

/** What an office's card says in a line. */
const lineOf = async (page: Page, office: string, name: string): Promise<string> =>
  cardOf(page, office).locator("dt", { hasText: name }).locator("xpath=following-sibling::dd").innerText();

describe("the offices tab", () => {
  proves("D1.2-109", ({ sees }) => {
    sees(panel);
    expect(panel).toMatch(/^Office Management/);
  });
  proves("D1.2-110", async ({ sees }) => {
    sees(panel);
    await asOne(async (page) => {
      await open(page, "/tenant?tab=offices");
      await page.getByRole("button", { name: "Add Office" }).click();
      await reads(dialogOf(page), /Add Office[^]*Office name/);
      await expect.poll(() => page.getByLabel("Office name").evaluate((field) => field === document.activeElement), patience).toBe(true);
    });
  });

  const onCards = (check: (page: Page, cards: Json[]) => Promise<void>): Promise<void> =>
    asOne(async (page) => {
      await open(page, "/tenant?tab=offices");
      await check(page, await officesOf(one.login));
    });
  proves("D1.2-111", () =>
    onCards(async (page, cards) => {
      for (const { name, isActive } of cards)
        expect(await cardOf(page, name).innerText()).toMatch(new RegExp(`^${name}\\s+${isActive ? "Active" : "Inactive"}\\s`));
    }),
  );
  proves("D1.2-112", () =>
    onCards(async (page, cards) => {
      for (const { name, address, phoneNumber } of cards)
        expect([await lineOf(page, name, "Address"), await lineOf(page, name, "Phone")]).toEqual([address, phoneNumber]);
    }),
  );
  proves("D1.2-113", () =>
    onCards(async (page, [first, second]) => {
      expect([await lineOf(page, first.name, "Staff"), await lineOf(page, second.name, "Staff")]).toEqual(["Not set", "1,200"]);
    }),
  );
  proves("D1.2-114", () =>
    onCards(async (page, [first, second]) => {
      expect(await lineOf(page, first.name, "Business hours")).toBe("Every day 9:00 AM – 5:00 PM\nEastern Time");
      expect(await lineOf(page, second.name, "Business hours")).toBe("Mon–Sat 8:00 AM – 4:30 PM\nSun closed\nEastern Time");
    }),
  );
  proves("D1.2-115", () =>
    onCards(async (page, cards) => {
      for (const { name, voiceAgentCount } of cards)
        expect(await lineOf(page, name, "Voice agents")).toBe(voiceAgentCount === 0 ? "None" : String(voiceAgentCount));
      expect(cards[0].voiceAgentCount).toBeGreaterThan(0);
    }),
  );
  proves("D1.2-116", () =>
    onCards(async (page, cards) => {
      expect(cards[0].fhirEnabled).toBe(true);
      for (const { name, fhirEnabled } of cards) expect(await lineOf(page, name, "FHIR")).toBe(fhirEnabled ? "Enabled" : "Not enabled");
    }),
  );

  proves("D1.2-117", async ({ sees }) => {
    const nobody = await addTenant(site, "Officeless Clinic");
    await site.visit({ as: nobody }, async ({ page }) => {
      await open(page, "/tenant?tab=offices");
      const text = await partOf(page, "Office Management").innerText();
      sees(text);
      expect(text).toMatch(/No Offices Configured\s+Add your first office/);
      await partOf(page, "Office-Level Features")
        .getByRole("link", { name: /Staff routing/ })
        .click();
      await reads(dialogOf(page), /Add Office/);
    });
  });
  proves("D1.2-118", ({ sees }) => {
    sees(features);
    expect(features).toMatch(/^Office-Level Features/);
  });
  proves("D1.2-119", ({ sees }) => {
    sees(features);
    const named = ["individual voice agents", "location-specific FHIR", "business hours override", "staff routing", "local analytics"];
    for (const name of [...named, "template overrides"]) expect(features.toLowerCase()).toContain(name.toLowerCase());
  });
  proves("D1.2-120", async () => {
    await asOne(async (page) => {
      await openOffice(page, one.offices[0]!.id, "details");
      const { name, address, phone } = await officeNow(one.offices[0]!.id, one.login);
      const values = await Promise.all(["Office name", "Address", "Phone", "Email"].map((label) => page.getByLabel(label).inputValue()));
      expect(values).toEqual([name, address, phone, ""]);
      expect(await page.getByRole("switch", { name: "Active" }).isChecked()).toBe(true);
    });
  });

  proves("D1.4-007", async ({ sees }) => {
    sees(panel);
    await asOne(async (page) => {
      const state = { organization: true, provider: true };
      const told = (of: keyof typeof state) => (state[of] ? "Active" : "Inactive");
      await page.route("**/api/tenant/info?*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), isActive: state.organization } });
      });
      await page.route("**/api/tenant/dashboard/fhir-providers", async (route) => {
        const response = await route.fetch();
        const [first, ...more] = (await response.json()) as object[];
        await route.fulfill({ response, json: [{ ...first, isActive: state.provider }, ...more] });
      });
      await open(page, "/tenant?tab=offices");
      const badges = (await officesOf(one.login)).map(({ name }) =>
        cardOf(page, name)
          .getByText(/^(Active|Inactive)$/)
          .innerText(),
      );
      expect(await Promise.all(badges)).toEqual(["Active", "Inactive"]);
      const [, second] = one.offices;
      await openOffice(page, second!.id, "details");
      expect(await page.getByRole("switch", { name: "Active" }).isChecked()).toBe(false);
      await page.getByRole("button", { name: "Close" }).click();
      for (const isActive of [true, false]) {
        Object.assign(state, { organization: isActive, provider: isActive });
        await open(page, "/tenant?tab=fhir");
        const badge = page
          .getByRole("tabpanel")
          .getByRole("article")
          .first()
          .getByText(/^(Active|Inactive)$/);
        expect(await badge.innerText()).toBe(told("provider"));
        await open(page, "/tenant?tab=api-keys");
        const status = page.locator("dt", { hasText: /^Status$/ }).locator("xpath=following-sibling::dd");
        expect(await status.first().innerText()).toBe(told("organization"));
      }
    });
  });

  test("each feature leads to where it is set for the chosen office, and the keyboard comes back to it", async () => {
    const [, second] = one.offices;
    await asOne(async (page) => {
      await open(page, "/tenant?tab=offices");
      const part = partOf(page, "Office-Level Features");
      await part.getByLabel("Office").selectOption(second!.name);
      const ways: [string, string][] = [
        ["Assign voice agents", "Voice agents"],
        ["Choose the record system", "Record system"],
        ["Set business hours", "Hours"],
        ["Set staff routing", "Staff routing"],
        ["Write message texts", "Messages"],
      ];
      for (const [link, tab] of ways) {
        const way = part.getByRole("link", { name: link });
        await way.focus();
        await page.keyboard.press("Enter");
        await reads(dialogOf(page), new RegExp(second!.name));
        await expect.poll(() => dialogOf(page).getByRole("tab", { name: tab, selected: true }).count(), patience).toBe(1);
        await page.keyboard.press("Escape");
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
        expect(await way.evaluate((element) => element === document.activeElement)).toBe(true);
      }
      expect(await part.getByRole("link", { name: "See analytics" }).getAttribute("href")).toContain(`tab=analytics&office=${second!.id}`);
    });
  });

  test("whose offices do not load says so, keeps the rest alive and asks again", async () => {
    await asOne(
      async (page) => {
        await page.route("**/api/tenant/dashboard/offices", (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
        await open(page, "/tenant?tab=offices");
        await reads(page.getByRole("alert"), /Failed to load offices/);
        expect(await partOf(page, "Office-Level Features").isVisible()).toBe(true);
        await page.getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => cardOf(page, one.offices[0]!.name).count(), patience).toBe(1);
      },
      ["503 GET /api/tenant/dashboard/offices"],
    );
  });

  test("never shows another tenant's office, whatever the address says", async () => {
    const [, other] = site.demo.tenants;
    const [office] = other!.offices;
    await asOne(
      async (page) => {
        await open(page, `/tenant?tab=offices&office=${office!.id}`);
        await reads(dialogOf(page), /Failed to load the office/);
        expect(await page.locator("body").innerText()).not.toContain(office!.name);
        await open(page, "/tenant?tab=offices&office=..");
        expect(await dialogOf(page).count()).toBe(0);
      },
      [`404 GET /api/tenant/offices/${office!.id}`],
    );
  });
});

describe("the dialog of an office", () => {
  proves("D1.5-006", async () => {
    await asMine(async (page) => {
      await open(page, "/tenant?tab=offices&office=new");
      await page.getByRole("button", { name: "Add office", exact: true }).click();
      await reads(dialogOf(page), /Office name is required/);
      await page.getByLabel("Office name").fill("Nothing but a name");
      await page.getByLabel("Email").fill("not an address");
      await page.getByRole("button", { name: "Add office", exact: true }).click();
      await expect.poll(() => cardOf(page, "Nothing but a name").count(), patience).toBe(1);
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
    });
  });

  test("adds an office with its hours, its people and its words, once", async () => {
    await asMine(async (page) => {
      await open(page, "/tenant?tab=offices");
      await page.getByRole("button", { name: "Add Office" }).click();
      await page.getByLabel("Office name").fill("Harbour Office");
      await page.getByLabel("Phone").fill("+1 617 555 0199");
      await page.getByLabel("Number of staff").fill("14");
      const tab = (name: string) => dialogOf(page).getByRole("tab", { name }).click();
      await tab("Hours");
      await page.getByLabel("Business hours").selectOption("own");
      await page.getByLabel("Opens", { exact: true }).fill("08:30");
      await page.getByLabel("Time zone").selectOption("America/Chicago");
      await page.getByLabel("Saturday", { exact: true }).selectOption("own");
      await page.getByLabel("Saturday closes").fill("12:00");
      await page.getByLabel("Sunday", { exact: true }).selectOption("closed");
      await tab("Staff routing");
      for (const [label, phone] of [
        ["Front desk", "617 555 0145"],
        ["Nurse", "617 555 0146"],
      ] as const) {
        await page.getByRole("button", { name: "Add destination" }).click();
        const last = dialogOf(page).getByRole("listitem").last();
        await last.getByLabel("Label").fill(label);
        await last.getByLabel("Phone").fill(phone);
      }
      await page.getByLabel("Reasons").last().fill("prescription, lab results");
      await page.getByRole("button", { name: "Move Nurse up" }).click();
      await tab("Messages");
      await page.getByRole("textbox", { name: /^Follow-up/ }).fill("Thank you for calling ");
      await page.getByRole("group", { name: "Placeholders of Follow-up" }).getByRole("button", { name: "{office}" }).click();
      await page.keyboard.type(".");
      await reads(dialogOf(page), /Thank you for calling Harbour Office\./);
      await page.getByRole("button", { name: "Add office", exact: true }).dblclick();
      await reads(cardOf(page, "Harbour Office"), /Mon–Fri 8:30 AM – 5:00 PM\s+Sat 9:00 AM – 12:00 PM\s+Sun closed\s+Central Time/);
    });
    const made = (await officesOf(mine)).filter(({ name }) => name === "Harbour Office");
    expect(made).toHaveLength(1);
    expect(await officeNow(made[0].id)).toMatchObject({
      phone: "+1 617 555 0199",
      staffCount: 14,
      businessHours: {
        start: "08:30",
        end: "17:00",
        timezone: "America/Chicago",
        days: { saturday: { start: "09:00", end: "12:00" }, sunday: null },
      },
      staffRouting: [
        { label: "Nurse", phone: "617 555 0146", reasons: ["prescription", "lab results"] },
        { label: "Front desk", phone: "617 555 0145", reasons: [] },
      ],
      messageTemplates: { followUp: "Thank you for calling {office}." },
    });
  });

  test("leads to what has to be corrected in another part, and keeps what was typed when saving fails", async () => {
    const id = await addOffice("Correction Office");
    await addOffice("Taken Office");
    const path = `/api/tenant/offices/${id}`;
    await asMine(
      async (page) => {
        await openOffice(page, id, "hours");
        await page.getByLabel("Business hours").selectOption("own");
        await page.getByLabel("Closes", { exact: true }).fill("07:00");
        await dialogOf(page).getByRole("tab", { name: "Details" }).click();
        await page.getByLabel("Address").fill("1 Pier");
        const save = page.getByRole("button", { name: "Save office" });
        await save.click();
        await reads(dialogOf(page), /Must be after the start/);
        await expect
          .poll(
            () =>
              dialogOf(page)
                .getByRole("tab", { name: /Hours ?, to be corrected/ })
                .count(),
            patience,
          )
          .toBe(1);
        await expect
          .poll(() => page.getByLabel("Closes", { exact: true }).evaluate((field) => field === document.activeElement), patience)
          .toBe(true);
        await page.getByLabel("Closes", { exact: true }).fill("19:00");

        await page.route(
          `**${path}`,
          (route) => route.fulfill({ status: 503, json: { error: "Later, please.", code: "unavailable", requestId: "r" } }),
          { times: 1 },
        );
        await save.click();
        await reads(dialogOf(page), /Later, please\./);
        expect(await page.getByLabel("Closes", { exact: true }).inputValue()).toBe("19:00");

        await dialogOf(page).getByRole("tab", { name: "Details" }).click();
        await page.getByLabel("Office name").fill("Taken Office");
        await save.click();
        await expect.poll(() => page.getByLabel("Office name").getAttribute("aria-invalid"), patience).toBe("true");
        await page.getByLabel("Office name").fill("Corrected Office");
        await save.click();
        await reads(cardOf(page, "Corrected Office"), /1 Pier[^]*9:00 AM – 7:00 PM/);
      },
      [`503 PUT ${path}`, `409 PUT ${path}`],
    );
  });

  test("tells who was overtaken, loses nothing that was typed, and then keeps what both have changed", async () => {
    const id = await addOffice("Shared Office");
    const path = `/api/tenant/offices/${id}`;
    await asMine(
      async (page) => {
        await openOffice(page, id, "details");
        await page.getByLabel("Address").fill("2 Quay");
        expect((await ask(mine, "PUT", path, { name: "Shared Office, renamed", phone: "617 555 0111" })).status).toBe(200);
        await page.getByRole("button", { name: "Save office" }).click();
        await reads(page.getByRole("alert"), /Somebody else has changed this office/);
        expect(await page.getByLabel("Address").inputValue()).toBe("2 Quay");
        await page.getByRole("button", { name: "Save my changes over theirs" }).click();
        await reads(cardOf(page, "Shared Office, renamed"), /2 Quay[^]*617 555 0111/);

        await openOffice(page, id, "details");
        await page.getByLabel("Address").fill("3 Quay");
        expect((await ask(mine, "PUT", path, { name: "Shared Office", address: "4 Quay" })).status).toBe(200);
        await page.getByRole("button", { name: "Save office" }).click();
        await page.getByRole("button", { name: "Discard mine and show theirs" }).click();
        await expect.poll(() => page.getByLabel("Address").inputValue(), patience).toBe("4 Quay");
        expect(await page.getByRole("alert").count()).toBe(0);
      },
      [`409 PUT ${path}`],
    );
    expect(await officeNow(id)).toMatchObject({ name: "Shared Office", address: "4 Quay", phone: "617 555 0111" });
  });

  test("keeps its parts in sight while one is scrolled, and what takes the focus beside them", async () => {
    const staffRouting = ["Desk", "Nurse", "Night"].map((label, at) => ({ label, phone: `617 555 010${at}` }));
    const id = await addOffice("Long Office", { staffRouting });
    await site.visit({ as: mine, viewport: phone }, async ({ page }) => {
      await openOffice(page, id, "routing");
      const boxOf = async (part: Locator) => (await part.boundingBox())!;
      const tab = dialogOf(page).getByRole("tab", { name: "Staff routing" });
      await expect.poll(() => isWithin(tab, page), patience).toBe(true);
      const before = await boxOf(tab);
      await page.getByLabel("Label", { exact: true }).last().focus();
      await page.getByLabel("Label", { exact: true }).first().focus();
      const first = await boxOf(page.getByLabel("Label", { exact: true }).first());
      const strip = await boxOf(dialogOf(page).getByRole("tablist"));
      expect(first.y).toBeGreaterThanOrEqual(strip.y + strip.height);
      await page.getByRole("button", { name: "Add destination" }).focus();
      expect((await boxOf(tab)).y).toBeLessThanOrEqual(before.y);
      expect(await isWithin(tab, page)).toBe(true);
      await dialogOf(page).getByRole("tab", { name: "Calendar" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => isWithin(dialogOf(page).getByRole("tab", { name: "Calendar" }), page), patience).toBe(true);
    });
  });

  test("asks before it throws away what was typed", async () => {
    const id = await addOffice("Careful Office");
    await asMine(async (page) => {
      await openOffice(page, id, "details");
      await page.getByLabel("Address").fill("Somewhere");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("button", { name: "Keep editing" }).click();
      expect(await page.getByLabel("Address").inputValue()).toBe("Somewhere");
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Discard", exact: true }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
    });
    expect(await officeNow(id)).toMatchObject({ address: null, version: 1 });
  });

  test("moves people up and down by keyboard, with the focus kept, and takes them away", async () => {
    const staffRouting = ["Desk", "Nurse", "Night"].map((label, at) => ({ label, phone: `617 555 010${at}` }));
    const id = await addOffice("Routing Office", { staffRouting });
    await asMine(async (page) => {
      await openOffice(page, id, "routing");
      const labels = () =>
        page.getByLabel("Label", { exact: true }).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
      await page.getByRole("button", { name: "Move Night up" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(labels, patience).toEqual(["Desk", "Night", "Nurse"]);
      await page.keyboard.press("Enter");
      await expect.poll(labels, patience).toEqual(["Night", "Desk", "Nurse"]);
      await page.getByRole("button", { name: "Remove Desk" }).click();
      expect(await page.getByRole("button", { name: "Add destination" }).evaluate((button) => button === document.activeElement)).toBe(
        true,
      );
      await page.getByRole("button", { name: "Save office" }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
    });
    expect((await officeNow(id)).staffRouting.map(({ label }: Json) => label)).toEqual(["Night", "Nurse"]);
  });
});

describe("beside an office's record", () => {
  /** Changes of these tests stand in the demo's second tenant, which has voice platforms and a record system. */
  const asTwo = (
    body: (page: Page, officeId: string) => Promise<void>,
    refused: (officeId: string) => string[] = () => [],
  ): Promise<void> => {
    const [, two] = site.demo.tenants;
    const officeId = two!.offices[0]!.id;
    return site.visit({ as: two!.admin, refused: refused(officeId) }, ({ page }) => body(page, officeId));
  };
  const rows = (page: Page) => page.getByRole("list", { name: "Voice agents of this office" }).getByRole("listitem");

  const firstPlatform = (): string => site.demo.tenants[1]!.voiceProviders[0]!.id;
  const agentsPath = (): string => `/api/tenant/voice-providers/${firstPlatform()}/agents`;
  /** One of the platform's agents that answers for nobody yet. */
  const freeAgent = async (): Promise<string> => {
    const { admin } = site.demo.tenants[1]!;
    const assigned: Json[] = (await ask(admin, "GET", "/api/tenant/voice-agents")).json;
    const taken = assigned.map(({ externalAgentId }) => externalAgentId);
    const agents: Json[] = (await ask(admin, "GET", agentsPath())).json;
    return agents.map(({ id }) => id).find((id) => !taken.includes(id)) ?? "none is free";
  };

  test("an agent is assigned from the platform's own list, switched off and on, and removed", async () => {
    await asTwo(async (page, officeId) => {
      await openOffice(page, officeId, "agents");
      await settled(page);
      const before = await rows(page).count();
      await page.getByLabel("Voice platform").selectOption(firstPlatform());
      await settled(page);
      await page.getByRole("button", { name: "Assign Agent" }).click();
      await reads(dialogOf(page), /Please select a voice provider and agent/);
      await page.getByLabel("Agent", { exact: true }).selectOption(await freeAgent());
      const name = await page.getByLabel("Agent name").inputValue();
      expect(name).not.toBe("");
      await page.getByLabel("Agent name").fill("Evening agent");
      await page.getByRole("button", { name: "Assign Agent" }).dblclick();
      await expect.poll(() => rows(page).count(), patience).toBe(before + 1);
      const row = rows(page).filter({ hasText: "Evening agent" });
      await expect.poll(() => hasFocus(page.getByLabel("Voice platform")), patience).toBe(true);
      await row.getByRole("button", { name: "Switch off" }).click();
      await reads(row, /Inactive/);
      await row.getByRole("button", { name: "Switch on" }).click();
      await reads(row, /Evening agent\s+Active/);
      await row.getByRole("button", { name: "Remove" }).click();
      await reads(page.getByRole("alertdialog"), /Are you sure you want to delete this voice agent assignment\?/);
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
      await expect.poll(() => rows(page).count(), patience).toBe(before);
      await expect.poll(() => hasFocus(page.getByRole("heading", { name: "Who answers" })), patience).toBe(true);
    });
  });

  test("an agent that somebody else has changed is shown as it is now, and can then be changed", async () => {
    const { admin, offices } = site.demo.tenants[1]!;
    const path = `/api/tenant/offices/${offices[0]!.id}/voice-agents`;
    const body = { voiceProviderId: firstPlatform(), externalAgentId: "shared-agent", agentName: "Shared agent" };
    const { status, json } = await ask(admin, "POST", path, body);
    expect(status).toBe(201);
    const { id } = json;
    await site.visit({ as: admin, refused: [`409 PUT ${path}/${id}`] }, async ({ page }) => {
      await openOffice(page, offices[0]!.id, "agents");
      const row = rows(page).filter({ hasText: "Shared agent" });
      await reads(row, /Active/);
      expect((await ask(admin, "PUT", `${path}/${id}`, { isActive: false })).status).toBe(200);
      await row.getByRole("button", { name: "Switch off" }).click();
      await reads(row, /Inactive[^]*Somebody else has changed this agent/);
      await row.getByRole("button", { name: "Switch on" }).click();
      await reads(row, /Shared agent\s+Active/);
    });
    expect((await ask(admin, "DELETE", `${path}/${id}`)).status).toBe(204);
  });

  test("a half-filled assignment is asked about before it is thrown away, and going back does not open the office again", async () => {
    await asTwo(async (page, officeId) => {
      await open(page, "/tenant?tab=offices");
      await openOffice(page, officeId, "agents");
      await settled(page);
      await page.getByLabel("Agent name").fill("Half an agent");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("button", { name: "Discard", exact: true }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await page.goBack();
      await settled(page);
      expect(await dialogOf(page).count()).toBe(0);
    });
  });

  test("an agent can be named by its id where the platform's list does not come", async () => {
    await asTwo(
      async (page, officeId) => {
        await page.route("**/api/tenant/voice-providers/*/agents", (route) =>
          route.fulfill({
            status: 503,
            json: { error: "The voice platform does not answer.", code: "voice_platform_unavailable", requestId: "r" },
          }),
        );
        await openOffice(page, officeId, "agents");
        await settled(page);
        await page.getByLabel("Voice platform").selectOption(firstPlatform());
        await reads(page.getByRole("alert"), /Failed to load agents from provider[^]*does not answer/);
        await page.getByRole("button", { name: "Name the agent by its ID instead" }).click();
        await page.getByLabel("Agent ID").fill("typed-agent");
        await page.getByLabel("Agent name").fill("Typed agent");
        await page.getByRole("button", { name: "Assign Agent" }).click();
        const row = rows(page).filter({ hasText: "Typed agent" });
        await reads(row, /typed-agent/);
        expect(await row.count()).toBe(1);
      },
      () => [`503 GET ${agentsPath()}`],
    );
  });
  test("a tenant without a voice platform is told what it needs", async () => {
    const id = await addOffice("Agentless Office");
    await asMine(async (page) => {
      await openOffice(page, id, "agents");
      await reads(
        dialogOf(page),
        /No voice agent of its own[^]*You need to configure at least one voice provider before assigning agents\./,
      );
      expect(await page.getByRole("button", { name: "Assign Agent" }).count()).toBe(0);
    });
  });

  test("a record system is chosen or inherited, and the record can still be saved afterwards", async () => {
    const [, two] = site.demo.tenants;
    await asTwo(async (page, officeId) => {
      await openOffice(page, officeId, "record-system");
      await settled(page);
      const choice = page.getByLabel("Record system of this office");
      expect(await choice.inputValue()).toBe("");
      await choice.selectOption({ index: 1 });
      await page.getByRole("button", { name: "Save record system" }).click();
      await reads(dialogOf(page), /Saved\. It holds for the next call\./);
      expect((await officeNow(officeId, two!.admin)).fhirProviderId).not.toBeNull();
      await choice.selectOption("");
      await page.getByRole("button", { name: "Save record system" }).click();
      await expect.poll(async () => (await officeNow(officeId, two!.admin)).fhirProviderId, patience).toBeNull();
      await dialogOf(page).getByRole("tab", { name: "Details" }).click();
      await page.getByLabel("Address").fill("5 Own Street");
      await page.getByRole("button", { name: "Save office" }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      expect((await officeNow(officeId, two!.admin)).address).toBe("5 Own Street");
    });
  });

  /** A record system that the platform keeps, and that one office uses. */
  const giveRecordSystem = async (officeId: string): Promise<string> => {
    const token = await site.tokenFor(site.demo.systemAdmin);
    const at = { name: "County archive", providerType: "custom", baseUrl: "https://ehr.example/fhir" };
    const how = { tokenUrl: "https://ehr.example/token", clientId: "c", scopes: "system/*.read" };
    const { json } = await site.api("POST", "/api/admin/fhir/providers", { token, body: { ...at, ...how } });
    const path = `/api/admin/tenants/${site.demo.tenants[1]!.id}/offices/${officeId}/fhir-provider`;
    expect((await site.api("PUT", path, { token, body: { fhirProviderId: json.id } })).status).toBe(200);
    return json.id;
  };

  test("a record system that only the platform can give back is left after a question alone", async () => {
    const { admin } = site.demo.tenants[1]!;
    await asTwo(async (page, officeId) => {
      const archive = await giveRecordSystem(officeId);
      await openOffice(page, officeId, "record-system");
      await settled(page);
      const choice = page.getByLabel("Record system of this office");
      expect(await choice.inputValue()).toBe(archive);
      await choice.selectOption("");
      const save = page.getByRole("button", { name: "Save record system" });
      await save.click();
      const question = page.getByRole("alertdialog");
      await reads(question, /keeps County archive[^]*only the platform can give it back/);
      await question.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => question.count(), patience).toBe(0);
      expect((await officeNow(officeId, admin)).fhirProviderId).toBe(archive);
      await save.click();
      await question.getByRole("button", { name: "Leave it" }).click();
      await reads(dialogOf(page), /Saved\. It holds for the next call\./);
      expect((await officeNow(officeId, admin)).fhirProviderId).toBeNull();
      await expect.poll(() => choice.locator("option", { hasText: "County archive" }).count(), patience).toBe(0);
    });
  });

  test("a record system chosen while somebody else saves the office is told, and is then set", async () => {
    const { admin, offices } = site.demo.tenants[1]!;
    const { id } = offices[0]!;
    await site.visit({ as: admin, refused: [`409 PUT /api/tenant/offices/${id}/fhir-provider`] }, async ({ page }) => {
      await openOffice(page, id, "record-system");
      await settled(page);
      const { name } = await officeNow(id, admin);
      expect((await ask(admin, "PUT", `/api/tenant/offices/${id}`, { name, phone: "617 555 0177" })).status).toBe(200);
      const choice = page.getByLabel("Record system of this office");
      await choice.selectOption({ index: 1 });
      const save = page.getByRole("button", { name: "Save record system" });
      await save.click();
      await reads(page.getByRole("alert"), /Somebody else has changed this office/);
      await save.click();
      await reads(dialogOf(page), /Saved\. It holds for the next call\./);
      await choice.selectOption("");
      await save.click();
      await expect.poll(async () => (await officeNow(id, admin)).fhirProviderId, patience).toBeNull();
      expect((await officeNow(id, admin)).phone).toBe("617 555 0177");
    });
  });

  test("a calendar's address is shown once, made anew and ended after a question", async () => {
    const id = await addOffice("Calendar Office");
    await asMine(async (page) => {
      await openOffice(page, id, "calendar");
      await reads(dialogOf(page), /The calendar has no address yet/);
      await page.getByRole("button", { name: "Make address" }).dblclick();
      const block = page.getByRole("region", { name: "Calendar address" });
      await reads(block, /\/api\/calendar\/.+\.ics/);
      const address = await block.innerText();
      expect(await dialogOf(page).innerText()).not.toContain("no address yet");
      expect(await page.getByRole("button", { name: "Make address" }).count()).toBe(0);
      expect((await fetch(address)).status).toBe(200);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + location.href)).not.toContain(address);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Discard", exact: true }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);

      await openOffice(page, id, "calendar");
      await reads(dialogOf(page), /has an address since/);
      expect(await page.locator("body").innerText()).not.toContain(address);
      await page.getByRole("button", { name: "Replace address" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Replace address" }).click();
      await reads(block, /\.ics/);
      expect((await fetch(address)).status).toBe(404);
      await page.getByRole("button", { name: "End address" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "End address" }).click();
      await reads(dialogOf(page), /The calendar has no address yet/);
      await expect.poll(() => hasFocus(page.getByRole("button", { name: "Make address" })), patience).toBe(true);
    });
  });
});
