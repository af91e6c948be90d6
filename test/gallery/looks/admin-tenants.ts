import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const asAdmin: Look["as"] = (site) => site.demo.systemAdmin;

export const tenantDialog = (page: Page) => page.getByRole("dialog").first();

export async function openTenant(page: Page, tenantId: string, part = "details"): Promise<void> {
  await open(page, `/admin?tab=tenants&tenant=${tenantId}&part=${part}`);
  await reads(tenantDialog(page), /Preferences/);
}

const firstTenant =
  (part: string, then: (page: Page) => Promise<unknown> = () => Promise.resolve()): Look["arrange"] =>
  async (page, site) => {
    await openTenant(page, site.demo.tenants[0]!.id, part);
    await then(page);
  };

export const adminTenantLooks: Look[] = [
  { name: "console: the tenants", as: asAdmin, arrange: (page) => open(page, "/admin?tab=tenants") },
  {
    name: "console: tenants without a match",
    as: asAdmin,
    arrange: (page) => open(page, "/admin?tab=tenants&q=nowhere&status=inactive"),
  },
  {
    name: "console: a tenant to be added that lacks its name",
    as: asAdmin,
    arrange: async (page) => {
      await open(page, "/admin?tab=tenants");
      await page.getByRole("button", { name: "Add Tenant" }).click();
      await page.getByRole("button", { name: "Create Organization" }).click();
      await reads(page.getByRole("dialog"), /Organization name and contact email are required[^]*Contact email is required/);
    },
  },
  { name: "console: a tenant's details", as: asAdmin, arrange: firstTenant("details") },
  {
    name: "console: a tenant's details that are edited",
    as: asAdmin,
    arrange: firstTenant("details", async (page) => {
      await page.getByRole("button", { name: "Edit details" }).click();
      await page.getByLabel("Organization name").fill("");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await reads(tenantDialog(page), /Name and contact email are required[^]*Organization name is required/);
    }),
  },
  {
    name: "console: a tenant that is asked about before it is deactivated",
    as: asAdmin,
    arrange: firstTenant("details", async (page) => {
      await page.getByRole("button", { name: "Edit details" }).click();
      await page.getByRole("switch", { name: "Active" }).uncheck();
      await page.getByRole("button", { name: "Save Changes" }).click();
      await reads(page.getByRole("alertdialog"), /Deactivate tenant\?/);
    }),
  },
  { name: "console: a tenant's offices", as: asAdmin, arrange: firstTenant("offices") },
  {
    name: "console: a tenant's office in its editor",
    as: asAdmin,
    arrange: async (page, site) => {
      const [{ id, offices }] = site.demo.tenants as [(typeof site.demo.tenants)[number]];
      await open(page, `/admin?tab=tenants&tenant=${id}&part=offices&office=${offices[0]!.id}`);
      await reads(page.getByRole("dialog", { name: "Edit Office" }), /Staff routing/);
    },
  },
  { name: "console: a tenant's key and guide", as: asAdmin, arrange: firstTenant("api") },
  {
    name: "console: a tenant's key that is to be replaced",
    as: asAdmin,
    arrange: firstTenant("api", async (page) => {
      await page.getByRole("button", { name: "Regenerate" }).click();
      await reads(page.getByRole("alertdialog"), /Are you sure/);
    }),
  },
  {
    name: "console: a tenant's key that goes on for a while",
    as: asAdmin,
    arrange: firstTenant("api", async (page) => {
      await page.getByRole("button", { name: "Regenerate" }).click();
      await page.getByLabel("Old key stops working").selectOption({ label: "In 24 hours" });
      await reads(page.getByRole("alertdialog"), /until the time below/);
    }),
  },
  {
    name: "console: a tenant that is to be viewed while something is typed",
    as: asAdmin,
    arrange: firstTenant("details", async (page) => {
      await page.getByRole("button", { name: "Edit details" }).click();
      await page.getByLabel("Description").fill("Half typed");
      await page.getByRole("button", { name: "View as tenant" }).click();
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
    }),
  },
  { name: "console: a tenant's preferences", as: asAdmin, arrange: firstTenant("preferences") },
];
