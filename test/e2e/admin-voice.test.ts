import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { asConsole, openClinic, type Clinic } from "./clinic.fixture.ts";
import { dialogOf, panelOf, toastsOf, unanswered, visitConsole } from "./console.fixture.ts";
import { hasFocus } from "./focus.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

type Provider = {
  id: string;
  providerType: string;
  providerName: string;
  isActive: boolean;
  isDefault: boolean;
  version: number;
  config: { baseUrl: string | null; voice: string | null; apiKeyLast4: string | null; webhookUrl: string };
};
type Agent = { id: string; agentName: string; officeId?: string; isActive: boolean; version: number };

const address = "/admin?tab=voice";

let site: Site;
/** With an office and a provider, for what changes nothing. */
let clinic: Clinic;
let officeId: string;
beforeAll(async () => {
  site = await openSite();
  clinic = await openClinic(site, "Voice Clinic");
  officeId = (await asConsole<{ id: string }>(site, "POST", `/api/admin/tenants/${clinic.id}/offices`, { name: "North Office" })).id;
  await addProvider(clinic);
});
afterAll(() => site?.close());

const pathOf = ({ id }: Pick<Clinic, "id">, what: "voice-providers" | "voice-agents"): string => `/api/admin/tenants/${id}/${what}`;
/** An account at the sandbox's Retell AI, unless told otherwise. */
const addProvider = (of: Clinic, { config, ...more }: { config?: object; [name: string]: unknown } = {}): Promise<Provider> =>
  asConsole<Provider>(site, "POST", pathOf(of, "voice-providers"), {
    ...{ providerType: "retellai", providerName: "Our Retell" },
    config: { apiKey: "key-of-the-clinic", baseUrl: site.platform.voice.baseUrl("retellai"), ...config },
    ...more,
  });
const providersOfClinic = (of: Clinic): Promise<Provider[]> => asConsole(site, "GET", pathOf(of, "voice-providers"));
const agentsOfClinic = (of: Clinic): Promise<Agent[]> => asConsole(site, "GET", pathOf(of, "voice-agents"));
const assign = async (of: Clinic, agentName: string): Promise<Agent> => {
  const [provider] = await providersOfClinic(of);
  return asConsole<Agent>(site, "POST", pathOf(of, "voice-agents"), {
    voiceProviderId: provider!.id,
    externalAgentId: agentName,
    agentName,
  });
};

const visit = (body: (page: Page) => Promise<void>, options?: Parameters<typeof visitConsole>[3]): Promise<void> =>
  visitConsole(site, address, body, options);
const providersOf = (page: Page): Locator => panelOf(page, "Voice Providers");
const agentsOf = (page: Page): Locator => panelOf(page, "Voice Agents");
/** What a panel lists of an organization, once its line is opened. */
const groupOf = async (panel: Locator, tenantName: string): Promise<Locator> => {
  const line = panel.locator("details").filter({ has: panel.page().locator("summary").getByText(tenantName, { exact: true }) });
  await line.locator("summary").click();
  const list = line.getByRole("list", { name: tenantName, exact: true });
  await expect.poll(() => list.count(), patience).toBe(1);
  return list;
};
const press = (part: Locator, name: string | RegExp): Promise<void> => part.getByRole("button", { name, exact: true }).click();
/** A field by its label, whether it may stay empty or not. */
const field = (page: Page, label: string): Locator => dialogOf(page).getByLabel(new RegExp(`^${label}( ?\\(optional\\))?$`));
const dialogAt = (
  of: Clinic,
  dialog: "providers" | "agents",
  body: (page: Page) => Promise<void>,
  options?: Parameters<typeof visitConsole>[3],
) => visitConsole(site, `${address}&dialog=${dialog}&for=${of.id}`, body, options);
/** Whose lists do not come. */
const failing = (path: string, method = "GET") => ({
  refused: [`503 ${method} ${path}`],
  before: (page: Page) =>
    page.route(
      (url) => url.pathname === path,
      (route) => (route.request().method() === method ? route.fulfill(unanswered) : route.continue()),
    ),
});
/** What is logged of an organization that is left out. */
const logOf = (id: string, what: string): string =>
  `warning: Skipped tenant ${id} of /api/admin/tenants/{tenantId}/${what}: ApiError, request ${unanswered.json.requestId}`;
const emptyLists = (page: Page): Promise<unknown> =>
  page.route(/\/api\/admin\/tenants\/\w+\/voice-(providers|agents)/, (route) => route.fulfill({ json: [] }));

/** What a part says as long as the answers to a path are on their way; then they come. */
const textWhileHeld = async (at: string, path: RegExp, part: (page: Page) => Locator): Promise<string> => {
  let text = "";
  await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(path, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(at);
    const said = part(page).locator("output", { hasText: /^Loading voice/ });
    await expect.poll(() => said.count(), patience).toBe(1);
    text = (await said.textContent()) ?? "";
    release();
    await settled(page);
  });
  return text;
};

describe("the tab", () => {
  proves("D2.2-019", ({ sees }) =>
    visit(async (page) => {
      for (const button of [
        providersOf(page).getByRole("button", { name: "Add Provider" }),
        agentsOf(page).getByRole("button", { name: "Manage Agents" }),
      ]) {
        expect(await button.count()).toBe(1);
        sees(await button.innerText());
      }
    }),
  );
  proves("D2.2-020", () =>
    visit(async (page) => {
      for (const panel of [providersOf(page), agentsOf(page)]) {
        const group = await groupOf(panel, site.demo.tenants[0]!.name);
        expect(await group.getByRole("listitem").count()).toBe(4);
      }
      expect(await (await groupOf(providersOf(page), "Voice Clinic")).innerText()).toMatch(/Our Retell[^]*Active/);
    }),
  );
  proves("D2.2-021", async () => {
    const text = await textWhileHeld(address, /tenants\/\w+\/voice-providers/, providersOf);
    expect(text).toBe("Loading voice providers...");
    await visit((page) => reads(providersOf(page), /No voice providers configured yet\./), { before: emptyLists });
  });
  proves("D2.2-022", async () => {
    const all = await asConsole<Provider[]>(site, "GET", "/api/admin/voice-providers");
    const names = { vapi: "Vapi", elevenlabs: "ElevenLabs", retellai: "Retell AI", openai: "OpenAI Realtime" };
    await visit(async (page) => {
      const counts = await providersOf(page).locator("dl").first().innerText();
      for (const [type, name] of Object.entries(names)) {
        const count = all.filter(({ providerType }) => providerType === type).length;
        expect(counts.replaceAll(/\s+/g, " ")).toContain(`${name} ${count === 1 ? "provider" : "providers"} ${count}`);
      }
    });
  });
  proves("D2.2-023", async ({ sees }) => {
    await addProvider(clinic, { providerName: "Switched off", isActive: false });
    const newest = (await asConsole<(Provider & { tenantName: string })[]>(site, "GET", "/api/admin/voice-providers")).slice(0, 5);
    await visit(async (page) => {
      const rows = await providersOf(page).getByRole("list", { name: "Most recent voice providers" }).getByRole("listitem").allInnerTexts();
      expect(rows).toHaveLength(5);
      for (const [at, { providerName, tenantName }] of newest.entries())
        expect(rows[at]).toMatch(new RegExp(`^${providerName}\\s[^]*${tenantName}`));
      expect(rows[0]).toMatch(/Retell AI/);
      sees(rows.join());
    });
  });
  proves("D2.2-024", async ({ sees }) => {
    const agents = await asConsole<Agent[]>(site, "GET", "/api/admin/voice-agents");
    await visit(async (page) => {
      const counts = (await agentsOf(page).locator("dl").first().innerText()).replaceAll(/\s+/g, " ");
      expect(counts).toBe(`Active Agents ${agents.filter(({ isActive }) => isActive).length} Total Agents ${agents.length}`);
      sees(counts);
    });
  });
  proves("D2.2-025", async ({ sees }) => {
    const agent = await assign(clinic, "Evening agent");
    await asConsole(site, "PUT", `${pathOf(clinic, "voice-agents")}/${agent.id}`, { isActive: false });
    await visit(async (page) => {
      const rows = await agentsOf(page).getByRole("list", { name: "Most recent voice agents" }).getByRole("listitem").allInnerTexts();
      expect(rows).toHaveLength(5);
      expect(rows[0]).toMatch(/^Evening agent\s+Voice Clinic\s+Inactive$/);
      sees(rows.join());
    });
  });
  proves("D2.2-026", async ({ sees }) => {
    const text = await textWhileHeld(address, /tenants\/\w+\/voice-agents/, agentsOf);
    expect(text).toBe("Loading voice agents...");
    sees(text);
  });
  proves("D2.2-027", ({ sees }) =>
    visit(
      async (page) => {
        await reads(agentsOf(page), /No voice agents configured yet\./);
        sees(await agentsOf(page).innerText());
      },
      { before: emptyLists },
    ),
  );
  proves("D2.9-001", () =>
    visit(async (page) => {
      for (const name of ["Most recent voice providers", "Most recent voice agents"]) {
        const frame = page.getByRole("group", { name });
        expect(await frame.getByRole("listitem").count()).toBe(5);
        expect(await frame.evaluate((element) => getComputedStyle(element).overflowY)).toBe("auto");
        // Five rows of the usual size stand there whole.
        expect(await frame.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
        await frame.evaluate((element) => element.style.setProperty("max-height", "8rem"));
        await expect.poll(() => frame.getAttribute("tabindex"), patience).toBe("0");
      }
    }),
  );

  test("an agent names its office, and agents with one name are told apart", async () => {
    const own = await openClinic(site, "Namesake Clinic");
    await addProvider(own);
    const { id } = await asConsole<{ id: string }>(site, "POST", `/api/admin/tenants/${own.id}/offices`, { name: "Harbor Office" });
    const [provider] = await providersOfClinic(own);
    const body = (externalAgentId: string) => ({ voiceProviderId: provider!.id, externalAgentId, agentName: "Front desk" });
    await asConsole(site, "POST", pathOf(own, "voice-agents"), body("agent-by-day"));
    await asConsole(site, "POST", `/api/admin/offices/${id}/voice-agents`, body("agent-for-the-harbor-by-night"));
    await visit(async (page) => {
      const list = await groupOf(agentsOf(page), "Namesake Clinic");
      await reads(list, /Retell AI · Harbor Office · ID ends in by-night/);
      expect(await list.innerText()).toMatch(/Retell AI · Tenant-level · ID agent-by-day/);
      const newest = agentsOf(page).getByRole("list", { name: "Most recent voice agents" });
      expect(await newest.innerText()).toMatch(/Front desk\s+Namesake Clinic · Retell AI · ID ends in by-night/);
    });
  });
  test("a second line that would repeat the first is left out", () =>
    visit(async (page) => {
      const rows = await (await groupOf(providersOf(page), site.demo.tenants[0]!.name)).getByRole("listitem").allInnerTexts();
      expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toContain("Vapi Active");
    }));

  const eachTenant = (id: string, what: "voice-providers" | "voice-agents") =>
    proves(id, async () => {
      const failingPath = pathOf(site.demo.tenants[1]!, what);
      const tenants = await asConsole<{ id: string }[]>(site, "GET", "/api/admin/tenants");
      const asked: string[] = [];
      await visit(
        async (page) => {
          const panel = what === "voice-providers" ? providersOf(page) : agentsOf(page);
          await reads(panel, new RegExp(`${tenants.length - 1} of ${tenants.length} organizations loaded`));
          await reads(panel, new RegExp(`Failed to load voice \\w+ of ${site.demo.tenants[1]!.name}\\.`));
          expect(await (await groupOf(panel, site.demo.tenants[0]!.name)).getByRole("listitem").count()).toBe(4);
          expect(asked.toSorted()).toEqual(tenants.map((tenant) => pathOf(tenant as Clinic, what)).toSorted());
          await page.unrouteAll();
          await press(panel, "Retry");
          await expect.poll(() => panel.getByText(/organizations loaded|Failed to load/).count(), patience).toBe(0);
          expect(await panel.locator("summary", { hasText: site.demo.tenants[1]!.name }).count()).toBe(1);
        },
        {
          refused: [`503 GET ${failingPath}`, logOf(site.demo.tenants[1]!.id, what)],
          before: (page) => {
            page.on("request", (request) => {
              const { pathname } = new URL(request.url());
              if (pathname.endsWith(what) && pathname.includes("/tenants/")) asked.push(pathname);
            });
            return page.route(
              ({ pathname }) => pathname === failingPath,
              (one) => one.fulfill(unanswered),
            );
          },
        },
      );
    });
  eachTenant("D2.7-013", "voice-providers");
  eachTenant("D2.7-019", "voice-agents");
  eachTenant("D2.8-015", "voice-agents");

  test("over 200 organizations asks six at a time at most, and shows the first before the last has answered", async () => {
    const id = (number: number): string => String(number).padStart(26, "0");
    const tenants = Array.from({ length: 200 }, (_, at) => ({ ...tenant, id: id(at), name: `Clinic ${at}` }));
    let [inFlight, most] = [0, 0];
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await page.route("**/api/admin/tenants", (route) => route.fulfill({ json: tenants }));
      await page.route(/\/tenants\/\w+\/voice-/, async (route) => {
        most = Math.max(most, (inFlight += 1));
        await new Promise((done) => setTimeout(done, 10));
        inFlight -= 1;
        const [, of] = /tenants\/(\d+)\//.exec(route.request().url()) ?? [];
        await route.fulfill({ json: route.request().url().includes("providers") && of !== id(7) ? [listed(id(1))] : [] });
      });
      await page.goto(address);
      await reads(providersOf(page), /by organization/);
      await reads(providersOf(page), /1 organization has none\./);
      const [panel, lines] = [providersOf(page), providersOf(page).locator("summary")];
      expect(await panel.getByText("organizations loaded").count()).toBe(0);
      expect(await lines.count()).toBe(10);
      expect(await panel.getByText("Same provider").count()).toBe(5);
      expect((await panel.boundingBox())!.height).toBeLessThan(1500);
      await panel.getByRole("searchbox", { name: "Search voice providers by organization" }).fill("clinic 198");
      await reads(panel, /1 of 199 organizations found/);
      await expect.poll(() => lines.allInnerTexts(), patience).toEqual([expect.stringMatching(/^Clinic 198\s+1 voice provider$/)]);
      expect(await (await groupOf(panel, "Clinic 198")).innerText()).toMatch(/Same provider/);
      expect(most).toBeGreaterThan(3);
      expect(most).toBeLessThanOrEqual(6);
    });
  });
});

const tenant = {
  ...{ organizationType: "clinic", contactEmail: "desk@clinic.example", contactPhone: null, address: null, description: null },
  ...{ isActive: true, createdAt: "2026-05-01T09:00:00.000Z", version: 1 },
};
const listed = (id: string) => ({
  ...{ id, tenantId: id, providerType: "vapi", providerName: "Same provider", isDefault: false, isActive: true, version: 1 },
  createdAt: "2026-05-01T09:00:00.000Z",
  config: {
    ...{ baseUrl: null, model: null, voice: null, settings: {}, hasApiKey: true, apiKeyLast4: null, hasWebhookSecret: false },
    webhookUrl: "https://vitaline.example/api/vapi/hook/1",
  },
});

describe("voice providers of an organization", () => {
  proves("D2.2-100", ({ sees }) =>
    visit(async (page) => {
      await press(providersOf(page), "Add Provider");
      const title = await dialogOf(page).getByRole("heading", { level: 2 }).innerText();
      expect(title).toBe("Voice Provider Configuration");
      sees(title);
    }),
  );
  proves("D2.2-101", ({ sees }) =>
    visit(async (page) => {
      await press(providersOf(page), "Add Provider");
      await field(page, "Tenant").selectOption(clinic.id);
      const button = dialogOf(page).getByRole("button", { name: "Add Provider" });
      await reads(dialogOf(page).getByRole("list", { name: "Voice providers" }), /Our Retell/);
      sees(await button.innerText());
      await button.click();
      await expect.poll(() => field(page, "Provider name").count(), patience).toBe(1);
      expect(new URL(page.url()).searchParams.get("for")).toBe(clinic.id);
    }),
  );
  proves("D2.2-102", async ({ sees }) => {
    const at = `${address}&dialog=providers&for=${clinic.id}`;
    const text = await textWhileHeld(at, new RegExp(`${clinic.id}/voice-providers`), dialogOf);
    expect(text).toBe("Loading voice providers...");
    sees(text);
  });
  proves("D2.2-103", async ({ sees }) => {
    const bare = await openClinic(site, "Bare Clinic");
    await dialogAt(bare, "providers", async (page) => {
      const text = await dialogOf(page).innerText();
      expect(text).toContain("No voice providers configured for this organization.");
      sees(text);
    });
  });
  proves("D2.8-002", async ({ sees }) => {
    const own = await openClinic(site, "Unread Clinic");
    const { refused, before } = failing(pathOf(own, "voice-providers"));
    await dialogAt(
      own,
      "providers",
      async (page) => {
        const alert = dialogOf(page).getByRole("alert");
        await reads(alert, /The database could not be reached/);
        sees(await alert.innerText());
        await page.unrouteAll();
        await press(alert, "Retry");
        await reads(dialogOf(page), /No voice providers configured/);
      },
      { refused: [...refused, logOf(own.id, "voice-providers")], before },
    );
  });
  proves("D2.5-009", () =>
    dialogAt(clinic, "providers", async (page) => {
      await press(dialogOf(page), "Add Provider");
      expect(await field(page, "API key").getAttribute("type")).toBe("password");
      await field(page, "Provider name").fill("Without a key");
      await press(dialogOf(page), "Add Provider");
      await reads(dialogOf(page), /API key is required/);
      await hasFocus(field(page, "API key"));
    }),
  );
  proves("D2.5-010", () =>
    dialogAt(clinic, "providers", async (page) => {
      await press(dialogOf(page), "Add Provider");
      const shown = async () => [await field(page, "Base URL").count(), await field(page, "Model").count()];
      for (const type of ["retellai", "vapi", "elevenlabs", "openai"]) {
        await field(page, "Provider type").selectOption(type);
        await expect.poll(shown, patience).toEqual(type === "vapi" ? [0, 0] : [1, 1]);
      }
    }),
  );

  const typeNew = async (page: Page, name: string): Promise<void> => {
    await press(dialogOf(page), "Add Provider");
    await field(page, "Provider type").selectOption("elevenlabs");
    await field(page, "Provider name").fill(name);
    await field(page, "API key").fill("elevenlabs-secret-7890");
    await field(page, "Default voice").fill("sarah");
  };

  proves("D2.8-033", async ({ sees }) => {
    const own = await openClinic(site, "Growing Clinic");
    await dialogAt(own, "providers", async (page) => {
      await typeNew(page, "Our ElevenLabs");
      await dialogOf(page).getByRole("button", { name: "Add Provider" }).dblclick();
      await reads(dialogOf(page).getByRole("list", { name: "Voice providers" }), /Our ElevenLabs[^]*ends in 7890[^]*sarah/);
      await hasFocus(dialogOf(page).getByRole("button", { name: "Add Provider" }));
      sees(await toastsOf(page).innerText());
      const [made, ...more] = await providersOfClinic(own);
      expect([made?.providerName, made?.config.voice, more]).toEqual(["Our ElevenLabs", "sarah", []]);
      expect(await dialogOf(page).innerText()).toContain(made?.config.webhookUrl);
      expect(await page.content()).not.toContain("elevenlabs-secret");
      await press(dialogOf(page), "Close");
      await reads(await groupOf(providersOf(page), "Growing Clinic"), /Our ElevenLabs/);
    });
  });
  proves("D2.8-016", async ({ sees }) => {
    const own = await openClinic(site, "Refused Clinic");
    await dialogAt(
      own,
      "providers",
      async (page) => {
        await typeNew(page, "Kept name");
        await press(dialogOf(page), "Add Provider");
        await reads(dialogOf(page), /Failed to create voice provider\. The database could not be reached/);
        await reads(toastsOf(page), /Error creating voice provider/);
        sees(await toastsOf(page).innerText());
        expect([await field(page, "Provider name").inputValue(), await field(page, "API key").inputValue()]).toEqual([
          "Kept name",
          "elevenlabs-secret-7890",
        ]);
      },
      failing(pathOf(own, "voice-providers"), "POST"),
    );
  });
  proves("D2.8-034", async ({ sees }) => {
    const own = await openClinic(site, "Changing Clinic");
    const { id } = await addProvider(own);
    await dialogAt(own, "providers", async (page) => {
      await press(dialogOf(page), "Edit Our Retell");
      expect(await field(page, "Provider type").getAttribute("readonly")).toBe("");
      await field(page, "Provider name").fill("Their Retell");
      await dialogOf(page).getByLabel("Default provider").check();
      await press(dialogOf(page), "Save Changes");
      await reads(dialogOf(page).getByRole("list", { name: "Voice providers" }), /Their Retell[^]*Default/);
      sees(await toastsOf(page).innerText());
      expect((await providersOfClinic(own)).find((one) => one.id === id)).toMatchObject({
        providerName: "Their Retell",
        isDefault: true,
        config: { apiKeyLast4: "inic" },
      });
    });
  });
  proves("D2.8-017", async ({ sees }) => {
    const own = await openClinic(site, "Contested Clinic");
    const { id } = await addProvider(own);
    const path = `${pathOf(own, "voice-providers")}/${id}`;
    await dialogAt(
      own,
      "providers",
      async (page) => {
        await press(dialogOf(page), "Edit Our Retell");
        await field(page, "Default voice").fill("mine");
        await asConsole(site, "PUT", path, { providerName: "Theirs" });
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page), /Somebody else has changed this provider[^]*They changed: provider name/);
        await reads(toastsOf(page), /Error updating voice provider/);
        sees(await toastsOf(page).innerText());
        expect(await field(page, "Default voice").inputValue()).toBe("mine");
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page).getByRole("list", { name: "Voice providers" }), /Theirs[^]*mine/);
      },
      { refused: [`409 PUT ${path}`] },
    );
  });

  test("ask before what was typed is lost, and keep the organization chosen meanwhile", () =>
    dialogAt(clinic, "providers", async (page) => {
      await typeNew(page, "Half typed");
      expect(await field(page, "Tenant").isDisabled()).toBe(true);
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await press(providersOf(page), "Add Provider");
      expect(await field(page, "Tenant").inputValue()).toBe("");
    }));

  test("want the key again for another address, and say so at the key", async () => {
    const own = await openClinic(site, "Moving Clinic");
    const { id } = await addProvider(own);
    await dialogAt(
      own,
      "providers",
      async (page) => {
        await press(dialogOf(page), "Edit Our Retell");
        await field(page, "Base URL").fill(site.platform.voice.baseUrl("elevenlabs"));
        await field(page, "Settings").fill("[1]");
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page), /Must be a JSON object/);
        await field(page, "Settings").fill("");
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page), /Is required for another address/);
        expect(await field(page, "API key").inputValue()).toBe("");
        await hasFocus(field(page, "API key"));
      },
      { refused: [`400 PUT ${pathOf(own, "voice-providers")}/${id}`] },
    );
  });
});

describe("voice agents of an organization", () => {
  proves("D2.2-104", ({ sees }) =>
    visit(async (page) => {
      await press(agentsOf(page), "Manage Agents");
      const title = await dialogOf(page).getByRole("heading", { level: 2 }).innerText();
      expect(title).toBe("Voice Agent Management");
      sees(title);
    }),
  );
  proves("D2.2-105", ({ sees }) =>
    visit(async (page) => {
      await press(agentsOf(page), "Manage Agents");
      await field(page, "Tenant").selectOption(clinic.id);
      await expect
        .poll(() => field(page, "Office").locator("option").allInnerTexts(), patience)
        .toEqual(["All offices / Tenant-level", "North Office"]);
      sees((await field(page, "Office").locator("option").allInnerTexts()).join());
      const asked = page.waitForResponse((response) => response.url().includes(`/api/admin/offices/${officeId}/voice-agents`));
      await field(page, "Office").selectOption(officeId);
      expect((await asked).status()).toBe(200);
    }),
  );
  proves("D2.2-106", async ({ sees }) => {
    await assign(clinic, "Listed agent");
    await dialogAt(clinic, "agents", async (page) => {
      const row = dialogOf(page).getByRole("listitem").filter({ hasText: "Listed agent" });
      expect(await row.innerText()).toMatch(/Retell AI · Tenant-level[^]*Active/);
      sees(await row.innerText());
      const button = dialogOf(page).getByRole("button", { name: "Assign Agent" });
      sees(await button.innerText());
      await button.click();
      await hasFocus(field(page, "Voice provider"));
    });
  });
  proves("D2.2-107", async ({ sees }) => {
    const text = await textWhileHeld(
      `${address}&dialog=agents&for=${clinic.id}&office=${officeId}`,
      /offices\/\w+\/voice-agents/,
      dialogOf,
    );
    expect(text).toBe("Loading voice agent assignments...");
    sees(text);
  });
  const withoutProvider = (id: string, isSo: (dialog: Locator) => Promise<boolean>) =>
    proves(id, async ({ sees }) => {
      await dialogAt(await openClinic(site, `Unconnected Clinic ${id.replaceAll(/\W/g, "")}`), "agents", async (page) => {
        await reads(dialogOf(page), /No voice agent assignments configured yet\./);
        sees(await dialogOf(page).innerText());
        expect(await isSo(dialogOf(page))).toBe(true);
      });
    });
  withoutProvider("D2.2-108", async (dialog) => (await dialog.getByRole("listitem").count()) === 0);
  withoutProvider("D2.2-109", async (dialog) => /You need to configure at least one voice provider/.test(await dialog.innerText()));
  withoutProvider("D2.2-110", (dialog) => dialog.getByRole("button", { name: "Assign Agent" }).isDisabled());

  const openForm = async (page: Page, provider = "Our Retell (Retell AI)"): Promise<void> => {
    await press(dialogOf(page), "Assign Agent");
    await field(page, "Voice provider").selectOption({ label: provider });
    await expect.poll(() => field(page, "Agent").locator("option").count(), patience).toBeGreaterThan(1);
  };
  /** A clinic with two providers. */
  const connected = async (name: string): Promise<Clinic> => {
    const own = await openClinic(site, name);
    await addProvider(own);
    await addProvider(own, {
      providerType: "elevenlabs",
      providerName: "Second",
      config: { baseUrl: site.platform.voice.baseUrl("elevenlabs") },
    });
    return own;
  };

  proves("D2.4-012", async () => {
    await dialogAt(await connected("Switching Clinic"), "agents", async (page) => {
      await openForm(page);
      await field(page, "Agent").selectOption("agent-2");
      const asked = page.waitForResponse((response) => /voice-providers\/\w+\/agents$/.test(response.url()));
      await field(page, "Voice provider").selectOption({ label: "Second (ElevenLabs)" });
      expect((await asked).status()).toBe(200);
      await expect.poll(() => field(page, "Agent").inputValue(), patience).toBe("");
      expect(await field(page, "Agent name").inputValue()).toBe("");
    });
  });
  proves("D2.4-013", () =>
    dialogAt(clinic, "agents", async (page) => {
      await openForm(page);
      const name = await field(page, "Agent").locator("option[value=agent-2]").innerText();
      await field(page, "Agent").selectOption("agent-2");
      expect(await field(page, "Agent name").inputValue()).toBe(name);
    }),
  );
  proves("D2.5-013", () =>
    dialogAt(clinic, "agents", async (page) => {
      await press(dialogOf(page), "Assign Agent");
      const submit = dialogOf(page).getByRole("button", { name: "Assign Agent" });
      expect(await submit.isDisabled()).toBe(true);
      await field(page, "Voice provider").selectOption({ label: "Our Retell (Retell AI)" });
      expect(await submit.isDisabled()).toBe(true);
      await field(page, "Agent").selectOption("agent-2");
      await expect.poll(() => submit.isDisabled(), patience).toBe(false);
    }),
  );
  proves("D2.8-035", async ({ sees }) => {
    const own = await connected("Assigning Clinic");
    await dialogAt(own, "agents", async (page) => {
      await openForm(page);
      await field(page, "Agent").selectOption("agent-2");
      await field(page, "Agent name").fill("Reception");
      await dialogOf(page).getByRole("button", { name: "Assign Agent" }).dblclick();
      await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /Reception[^]*agent-2/);
      sees(await toastsOf(page).innerText());
      expect((await agentsOfClinic(own)).map(({ agentName }) => agentName)).toEqual(["Reception"]);
      await press(dialogOf(page), "Close");
      await reads(await groupOf(agentsOf(page), "Assigning Clinic"), /Reception/);
    });
  });

  test("are named by their id where the platform lists none, and answer for an office", async () => {
    const own = await connected("Manual Clinic");
    const { id } = await asConsole<{ id: string }>(site, "POST", `/api/admin/tenants/${own.id}/offices`, { name: "South Office" });
    await dialogAt(own, "agents", async (page) => {
      await field(page, "Office").selectOption(id);
      await openForm(page);
      await press(dialogOf(page), "Name the agent by its ID instead");
      await field(page, "Agent ID").fill("agent-by-hand");
      await field(page, "Agent name").fill("By hand");
      await press(dialogOf(page), "Assign Agent");
      await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /By hand/);
      expect(await agentsOfClinic(own)).toMatchObject([{ agentName: "By hand", officeId: id }]);
      await field(page, "Office").selectOption("");
      await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /By hand[^]*South Office/);
    });
  });

  proves("D2.8-018", async ({ sees }) => {
    const own = await connected("Unassigned Clinic");
    await dialogAt(
      own,
      "agents",
      async (page) => {
        await openForm(page);
        await field(page, "Agent").selectOption("agent-2");
        await press(dialogOf(page), "Assign Agent");
        await reads(dialogOf(page), /Failed to assign voice agent\. The database/);
        await reads(toastsOf(page), /Error assigning voice agent/);
        sees(await toastsOf(page).innerText());
        expect(await field(page, "Agent").inputValue()).toBe("agent-2");
      },
      failing(pathOf(own, "voice-agents"), "POST"),
    );
  });
  proves("D2.8-005", async ({ sees }) => {
    const own = await connected("Unlisted Clinic");
    const path = `/api/admin/voice-providers/${(await providersOfClinic(own))[0]!.id}/agents`;
    await dialogAt(
      own,
      "agents",
      async (page) => {
        await press(dialogOf(page), "Assign Agent");
        await field(page, "Voice provider").selectOption({ label: "Our Retell (Retell AI)" });
        const alert = dialogOf(page).getByRole("alert");
        await reads(alert, /Failed to fetch provider agents/);
        await reads(toastsOf(page), /Failed to fetch agents from provider/);
        sees(`${await alert.innerText()} ${await toastsOf(page).innerText()}`);
        await page.unrouteAll();
        await press(alert, "Retry");
        await expect.poll(() => field(page, "Agent").locator("option").count(), patience).toBeGreaterThan(1);
      },
      failing(path),
    );
  });
  const unread = (id: string, path: () => string) =>
    proves(id, ({ sees }) =>
      visitConsole(
        site,
        `${address}&dialog=agents&for=${clinic.id}&office=${officeId}`,
        async (page) => {
          const alert = dialogOf(page).getByRole("alert");
          sees(await alert.innerText());
          await page.unrouteAll();
          await press(alert, "Retry");
          await expect.poll(() => alert.count(), patience).toBe(0);
          expect(await field(page, "Office").inputValue()).toBe(officeId);
        },
        failing(path()),
      ),
    );
  unread("D2.8-003", () => `/api/admin/tenants/${clinic.id}/offices`);
  unread("D2.8-004", () => `/api/admin/offices/${officeId}/voice-agents`);

  const switchOff = async (page: Page): Promise<void> => {
    await dialogOf(page).getByRole("button", { name: /^Edit/ }).click();
    await hasFocus(field(page, "Active"));
    expect(await dialogOf(page).getByRole("textbox").count()).toBe(0);
    await field(page, "Active").uncheck();
    await press(dialogOf(page), "Save Changes");
  };
  proves("D2.8-036", async ({ sees }) => {
    const own = await connected("Pausing Clinic");
    await assign(own, "Pausing agent");
    await dialogAt(own, "agents", async (page) => {
      await switchOff(page);
      await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /Pausing agent[^]*Inactive/);
      sees(await toastsOf(page).innerText());
      expect((await agentsOfClinic(own))[0]?.isActive).toBe(false);
    });
  });
  proves("D2.8-019", async ({ sees }) => {
    const own = await connected("Racing Clinic");
    const path = `${pathOf(own, "voice-agents")}/${(await assign(own, "Racing agent")).id}`;
    await dialogAt(
      own,
      "agents",
      async (page) => {
        await asConsole(site, "PUT", path, { isActive: true });
        await switchOff(page);
        await reads(dialogOf(page), /Failed to update voice agent assignment\. Somebody else has changed it/);
        sees(await toastsOf(page).innerText());
        expect(await field(page, "Active").isChecked()).toBe(false);
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /Inactive/);
      },
      { refused: [`409 PUT ${path}`] },
    );
  });
  const askToDelete = async (page: Page): Promise<Locator> => {
    await dialogOf(page)
      .getByRole("button", { name: /^Delete/ })
      .click();
    const asks = page.getByRole("alertdialog");
    await hasFocus(asks.getByRole("button", { name: "Cancel" }));
    return asks;
  };
  proves("D2.8-044", async ({ sees, quoted }) => {
    const own = await connected("Careful Clinic");
    await assign(own, "Careful agent");
    await dialogAt(own, "agents", async (page) => {
      const asks = await askToDelete(page);
      sees(await asks.innerText());
      expect((await asks.innerText()).split("\n")).toContain(quoted[0]);
      await reads(asks, /Careful agent \(Retell AI\) no longer answers for Careful Clinic, all offices\./);
      expect(await asks.innerText()).toContain("The agent itself stays at Retell AI and can be assigned again.");
      await press(asks, "Cancel");
      await hasFocus(dialogOf(page).getByRole("button", { name: /^Delete/ }));
      expect(await agentsOfClinic(own)).toHaveLength(1);
    });
  });
  proves("D2.8-037", async ({ sees }) => {
    const own = await connected("Leaving Clinic");
    await assign(own, "Leaving agent");
    await dialogAt(own, "agents", async (page) => {
      await press(await askToDelete(page), "Delete");
      await reads(dialogOf(page), /No voice agent assignments configured yet/);
      sees(await toastsOf(page).innerText());
      await hasFocus(dialogOf(page).getByRole("heading", { level: 3 }));
      expect(await agentsOfClinic(own)).toEqual([]);
    });
  });
  proves("D2.8-020", async ({ sees }) => {
    const own = await connected("Sticky Clinic");
    const path = `${pathOf(own, "voice-agents")}/${(await assign(own, "Sticky agent")).id}`;
    await dialogAt(
      own,
      "agents",
      async (page) => {
        const asks = await askToDelete(page);
        await press(asks, "Delete");
        await reads(asks, /Failed to delete voice agent assignment\. The database/);
        sees(await asks.innerText());
        expect(await agentsOfClinic(own)).toHaveLength(1);
      },
      failing(path, "DELETE"),
    );
  });
});

proves("D2.9-017", () =>
  dialogAt(clinic, "providers", async (page) => {
    expect(await dialogOf(page).getByRole("button", { name: "Load more" }).count()).toBe(0);
    await open(page, `${address}&dialog=agents&for=${clinic.id}`);
    expect(await dialogOf(page).getByRole("button", { name: "Load more" }).count()).toBe(0);
  }),
);

describe("above the tabs", () => {
  const waiting = (keptEvents: number, unmailedMessages: number) => (page: Page) =>
    page.route("**/api/dashboard/metrics", async (route) => {
      const metrics = await (await route.fetch()).json();
      await route.fulfill({ json: { ...metrics, waiting: { keptEvents, unmailedMessages } } });
    });
  test("the tab keeps its name, shows how much waits in it, and says so", async () => {
    for (const [kept, unmailed, shown, said] of [
      [2, 1, "3", "3 wait"],
      [1, 0, "1", "1 waits"],
      [4, 100, "104+", "104+ wait"],
    ] as const)
      await visit(
        async (page) => {
          const tab = page.getByRole("tab", { name: "Audit & Compliance", exact: true });
          await reads(tab, new RegExp(`^Audit & Compliance\\s+${shown.replace("+", "\\+")}$`));
          const id = await tab.getAttribute("aria-describedby");
          expect(await page.locator(`[id="${id}"]`).textContent()).toBe(said);
        },
        { before: waiting(kept, unmailed) },
      );
  });
  test("nothing stands at the tab when nothing waits", () =>
    visit(
      async (page) => {
        await reads(page.getByRole("region", { name: "Summary" }), /Total Users\s+\d/);
        const tab = page.getByRole("tab", { name: "Audit & Compliance", exact: true });
        expect([await tab.innerText(), await tab.getAttribute("aria-describedby")]).toEqual(["Audit & Compliance", null]);
      },
      { before: waiting(0, 0) },
    ));
  test("on a phone the three figures stand in one row", () =>
    visit(async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      const cards = await page.getByRole("region", { name: "Summary" }).getByRole("article").all();
      const tops = await Promise.all(cards.map(async (card) => Math.round((await card.boundingBox())!.y)));
      expect(tops).toHaveLength(3);
      expect(new Set(tops).size).toBe(1);
      expect((await page.getByRole("tablist", { name: "Dashboard sections" }).boundingBox())!.y).toBeLessThan(480);
    }));
});
