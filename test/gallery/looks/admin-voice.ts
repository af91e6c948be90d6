import type { Page } from "playwright-core";
import { dialogOf, panelOf, unanswered } from "../../kit/browser/console.ts";
import { open, reads, type Login, type Site } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const as = (site: Site): Login => site.demo.systemAdmin;
const address = "/admin?tab=voice";
const riverside = (site: Site): string => site.demo.tenants[0]!.id;
const providers = (site: Site) => open0(`${address}&dialog=providers&for=${riverside(site)}`);
const agents = (site: Site) => open0(`${address}&dialog=agents&for=${riverside(site)}`);
const open0 = (place: string) => (page: Page) => open(page, place);
const inDialog = (page: Page, name: string | RegExp) => dialogOf(page).getByRole("button", { name }).first().click();
const lists = /\/api\/admin\/tenants\/\w+\/voice-(providers|agents)/;

export const adminVoiceLooks: Look[] = [
  {
    name: "console: voice platforms and agents",
    as,
    arrange: async (page) => {
      await open(page, address);
      await reads(panelOf(page, "Voice Agents"), /by organization/);
    },
  },
  {
    name: "console: the voice agents of one of many organizations",
    as,
    arrange: async (page, site) => {
      await open(page, address);
      const panel = panelOf(page, "Voice Agents");
      await reads(panel, /by organization/);
      const search = panel.getByRole("searchbox");
      if (await search.isVisible()) await search.fill(site.demo.tenants[0]!.name);
      await panel.locator("summary", { hasText: site.demo.tenants[0]!.name }).click();
      await reads(panel, /Main Street Office/);
    },
  },
  {
    name: "console: no voice platform and no agent",
    as,
    arrange: async (page) => {
      await page.route(lists, (route) => route.fulfill({ json: [] }));
      await open(page, address);
      await reads(page.getByRole("main"), /No voice providers configured yet\.[^]*No voice agents configured yet\./);
    },
  },
  {
    name: "console: organizations that do not load",
    as,
    refused: ["503 GET /api/admin/tenants"],
    arrange: async (page) => {
      await page.route("**/api/admin/tenants", (route) => route.fulfill(unanswered));
      await open(page, address);
      await reads(page.getByRole("main"), /Failed to fetch voice providers[^]*Failed to fetch voice agents/);
    },
  },
  { name: "console: voice providers, no tenant chosen", as, arrange: open0(`${address}&dialog=providers`) },
  {
    name: "console: voice providers of a tenant",
    as,
    arrange: async (page, site) => {
      await providers(site)(page);
      await reads(dialogOf(page), /Webhook address/);
    },
  },
  {
    name: "console: a new voice provider that lacks something",
    as,
    arrange: async (page, site) => {
      await providers(site)(page);
      await inDialog(page, "Add Provider");
      await dialogOf(page).getByLabel("Provider type").selectOption("retellai");
      await inDialog(page, "Add Provider");
      await reads(dialogOf(page), /Provider name is required[^]*API key is required/);
    },
  },
  {
    name: "console: a voice provider to change",
    as,
    arrange: async (page, site) => {
      await providers(site)(page);
      await inDialog(page, /^Edit Retell/);
      await reads(dialogOf(page), /It cannot be changed/);
    },
  },
  {
    name: "console: a voice provider to be deleted that is active",
    as,
    arrange: async (page, site) => {
      await providers(site)(page);
      await inDialog(page, /^Delete Retell/);
      await reads(page.getByRole("alertdialog"), /Deactivate it first/);
    },
  },
  {
    name: "console: a voice provider to be deleted",
    as,
    arrange: async (page, site) => {
      await page.route(/\/voice-providers$/, async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as object[];
        await route.fulfill({ response, json: list.map((provider) => ({ ...provider, isActive: false })) });
      });
      await providers(site)(page);
      await inDialog(page, /^Delete Vapi/);
      await reads(page.getByRole("alertdialog"), /Are you sure/);
    },
  },
  {
    name: "console: voice agents of a tenant",
    as,
    arrange: async (page, site) => {
      await agents(site)(page);
      await reads(dialogOf(page), /Tenant-level/);
    },
  },
  {
    name: "console: no agent and no provider to take one from",
    as,
    arrange: async (page, site) => {
      await page.route(lists, (route) => route.fulfill({ json: [] }));
      await agents(site)(page);
      await reads(dialogOf(page), /No voice agent assignments configured yet\./);
    },
  },
  {
    name: "console: an agent to assign",
    as,
    arrange: async (page, site) => {
      await agents(site)(page);
      await inDialog(page, "Assign Agent");
      await dialogOf(page).getByLabel("Voice provider").selectOption({ label: "Retell AI" });
      await reads(dialogOf(page), /Enter the agent ID instead/);
    },
  },
  {
    name: "console: an agent to change",
    as,
    arrange: async (page, site) => {
      await agents(site)(page);
      await inDialog(page, /^Edit Agent 2/);
      await reads(dialogOf(page), /Agent ID/);
    },
  },
  {
    name: "console: an agent to be taken away",
    as,
    arrange: async (page, site) => {
      await agents(site)(page);
      await inDialog(page, /^Delete Agent 2/);
      await reads(page.getByRole("alertdialog"), /Are you sure/);
    },
  },
];
