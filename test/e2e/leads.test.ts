import { readFileSync } from "node:fs";
import { MessageStatus } from "@vitaline/contract";
import type { Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

let site: Site;
let login: Login;
let other: Login;
beforeAll(async () => {
  site = await openSite();
  login = await addTenant(site, "Lead Clinic");
  other = await addTenant(site, "Other Clinic");
});
afterAll(() => site?.close());

const panelOf = (page: Page, name = "Leads") => page.getByRole("region", { name, exact: true });
const tableOf = (page: Page) => panelOf(page).getByRole("table");
const rowsOf = (page: Page) =>
  tableOf(page)
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const openLeads = (page: Page, query = "") => open(page, `/tenant?tab=analytics${query}`);
const queryOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const down = { status: 503, json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" } };

/** Written down through the API; its id. */
const addLead = async (as: Login, name: string, more: object = {}): Promise<string> => {
  const contact = { name, phone: "+1 617 555 0142", email: "", note: "" };
  const body = { reason: "billing", contact, ...more };
  const { status, json } = await site.api<{ id: string }>("POST", "/api/tenant/leads", { token: await site.tokenFor(as), body });
  expect(status).toBe(201);
  return json.id;
};

type AuditRow = { action: string; resourceId?: string };
const auditOf = async (action: string): Promise<number> => {
  await site.platform.cloud.drained();
  const { json } = await site.api<AuditRow[]>("GET", `/api/tenant/dashboard/audit-logs?search=${action}`, {
    token: await site.tokenFor(login),
  });
  return json.filter((row) => row.action === action).length;
};

describe("adding a lead", () => {
  test("asks for what is missing, survives a save that failed, and adds one however often it is pressed", async () => {
    await site.visit({ as: login, refused: ["503 POST /api/tenant/leads"] }, async ({ page }) => {
      await openLeads(page);
      await reads(panelOf(page), /No leads yet/);
      await panelOf(page).getByRole("button", { name: "Add lead" }).focus();
      await page.keyboard.press("Enter");
      const form = page.getByRole("dialog", { name: "Add lead" });
      await expect.poll(() => form.getByLabel("Name").evaluate((field) => field === document.activeElement), patience).toBe(true);
      await page.keyboard.press("Enter");
      await reads(form, /Is required[^]*A phone number or an email address is required/);
      await form.getByLabel("Name").fill("<b>Una</b> Newcome");
      await form.getByLabel("Phone").fill("+1 617 555 0199");
      await form.getByLabel("Reason").selectOption("Insurance");
      await form.getByLabel("Note").fill("Calls after five");

      await page.route("**/api/tenant/leads", (route) => (route.request().method() === "POST" ? route.fulfill(down) : route.continue()));
      await form.getByRole("button", { name: "Add lead" }).click();
      await reads(form.getByRole("alert"), /could not be reached/);
      expect(await form.getByLabel("Name").inputValue()).toBe("<b>Una</b> Newcome");
      await page.unroute("**/api/tenant/leads");

      await form.getByRole("button", { name: "Add lead" }).dblclick();
      await expect.poll(() => form.count(), patience).toBe(0);
      await expect.poll(() => rowsOf(page).count(), patience).toBe(1);
      await reads(rowsOf(page).first(), /Insurance[^]*Written down by staff[^]*Any[^]*To be handled/);
      expect(await panelOf(page).innerText()).not.toContain("Newcome");
      // Whoever presses with the mouse sees no ring, yet goes on from there by the keyboard.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe("Add lead");

      await rowsOf(page).first().getByRole("button").click();
      await reads(page.getByRole("dialog", { name: "Lead" }), /<b>Una<\/b> Newcome[^]*\+1 617 555 0199[^]*Calls after five/);
      expect(page.url()).not.toMatch(/Una|617/);
    });
  });

  test("asks before what was typed is thrown away", async () => {
    await site.visit({ as: login }, async ({ page }) => {
      await openLeads(page);
      await panelOf(page).getByRole("button", { name: "Add lead" }).click();
      const form = page.getByRole("dialog", { name: "Add lead" });
      await form.getByLabel("Name").fill("Half");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("button", { name: "Keep editing" }).click();
      expect(await form.getByLabel("Name").inputValue()).toBe("Half");
    });
  });
});

describe("a lead", () => {
  test("is read when it is opened, which is audited, and marked as handled and as open again", async () => {
    const id = await addLead(login, "Hanna Handled");
    const before = await auditOf("lead.read");
    const handled = await auditOf("lead.handle");
    await site.visit({ as: login }, async ({ page }) => {
      await openLeads(page, "&leads=open");
      expect(await auditOf("lead.read")).toBe(before);
      const row = rowsOf(page).first();
      await row.getByRole("button").click();
      expect(queryOf(page).get("lead")).toBe(id);
      const dialog = page.getByRole("dialog", { name: "Lead" });
      await reads(dialog, /Hanna Handled[^]*To be handled/);
      expect(await dialog.getByRole("link", { name: "+1 617 555 0142" }).getAttribute("href")).toBe("tel:+16175550142");
      expect(await auditOf("lead.read")).toBe(before + 1);
      await dialog.getByRole("button", { name: "Mark as handled" }).dblclick();
      await reads(dialog, /Mark as still to be handled/);
      await reads(dialog.getByRole("definition").filter({ hasText: "Handled" }).first(), /Handled/);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), patience).toBe(0);
      expect(queryOf(page).get("lead")).toBeNull();
      await expect.poll(() => page.evaluate(() => document.activeElement !== document.body), patience).toBe(true);
      await openLeads(page, `&leads=handled&lead=${id}`);
      await dialog.getByRole("button", { name: "Mark as still to be handled" }).click();
      await reads(dialog, /Mark as handled/);
    });
    expect(await auditOf("lead.handle")).toBe(handled + 2);
  });

  test("is read anew each time it is opened, and where it stood in the list it still stands", async () => {
    const clinic = await addTenant(site, "Twice Clinic");
    const id = await addLead(clinic, "Tara Twice");
    await site.visit({ as: clinic }, async ({ page }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      const readings = () => asked.filter((one) => one === `GET /api/tenant/leads/${id}`).length;
      const lists = () => asked.filter((one) => one === "GET /api/tenant/leads").length;
      await openLeads(page);
      const dialog = page.getByRole("dialog", { name: "Lead" });
      for (const times of [1, 2]) {
        await rowsOf(page).first().getByRole("button").click();
        await reads(dialog, /Tara Twice/);
        expect(readings()).toBe(times);
        await page.keyboard.press("Escape");
        await expect.poll(() => dialog.count(), patience).toBe(0);
      }
      const before = lists();
      await rowsOf(page).first().getByRole("button").click();
      await dialog.getByRole("button", { name: "Mark as handled" }).click();
      await reads(dialog, /Mark as still to be handled/);
      await page.keyboard.press("Escape");
      await reads(rowsOf(page).first(), /Handled/);
      expect(lists()).toBe(before);
    });
  });

  test("that somebody else has changed meanwhile is not overwritten, and is shown as it is now", async () => {
    const id = await addLead(login, "Paula Parallel");
    await site.visit({ as: login, refused: [`409 PUT /api/tenant/leads/${id}`] }, async ({ page }) => {
      await openLeads(page, `&lead=${id}`);
      const dialog = page.getByRole("dialog", { name: "Lead" });
      await reads(dialog, /Paula Parallel/);
      const body = { handled: true };
      await site.api("PUT", `/api/tenant/leads/${id}`, { token: await site.tokenFor(login), body });
      await dialog.getByRole("button", { name: "Mark as handled" }).click();
      await reads(dialog.getByRole("alert"), /\w/);
      await reads(dialog, /Mark as still to be handled/);
      expect(await dialog.getByRole("button", { name: /^Mark/ }).count()).toBe(1);
    });
  });

  test("of another tenant is not found, by nobody's address", async () => {
    const id = await addLead(other, "Foreign Fiona");
    await site.visit({ as: login, refused: [`404 GET /api/tenant/leads/${id}`] }, async ({ page }) => {
      await openLeads(page, `&lead=${id}`);
      await reads(page.getByRole("dialog", { name: "Lead" }).getByRole("alert"), /Failed to load the lead/);
      expect(await page.locator("body").innerText()).not.toContain("Fiona");
    });
  });
});

describe("the list of leads", () => {
  test("says that it could not be read, and is asked for again", async () => {
    await addLead(login, "Rita Retry");
    await site.visit({ as: login, refused: ["503 GET /api/tenant/leads"] }, async ({ page }) => {
      await page.route(/\/api\/tenant\/leads(\?|$)/, (route) => route.fulfill(down));
      await openLeads(page);
      await reads(panelOf(page).getByRole("alert"), /Failed to load leads[^]*Request ID/);
      await page.unroute(/\/api\/tenant\/leads(\?|$)/);
      await panelOf(page).getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => rowsOf(page).count(), patience).toBeGreaterThan(0);
    });
  });

  test("shows those that are asked for, says where there are none, and fits a phone", async () => {
    const lone = await addTenant(site, "Lone Clinic");
    await addLead(lone, "Olga Open");
    await site.visit({ as: lone, viewport: phone }, async ({ page }) => {
      await openLeads(page);
      const picker = panelOf(page).getByRole("combobox", { name: "Which leads" });
      await picker.selectOption("Handled");
      await reads(panelOf(page), /No lead is handled yet/);
      expect(queryOf(page).get("leads")).toBe("handled");
      await page.reload();
      await settled(page);
      expect(await picker.inputValue()).toBe("handled");
      await picker.selectOption("All leads");
      await expect.poll(() => rowsOf(page).count(), patience).toBe(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    });
  });

  const textOf = async (file: Download): Promise<string> => readFileSync(await file.path(), "utf8");

  test("is a file of whom it shows, which is audited", async () => {
    const own = await addTenant(site, "File Clinic");
    await addLead(own, "Fay File");
    await site.visit({ as: own }, async ({ page }) => {
      await openLeads(page);
      const save = async (name: string): Promise<Download> => {
        const saved = page.waitForEvent("download");
        await panelOf(page).getByRole("button", { name }).click();
        return saved;
      };
      const csv = await save("Export CSV");
      expect(csv.suggestedFilename()).toMatch(/\.csv$/);
      expect(await textOf(csv)).toContain("Fay File");
      await reads(page.getByRole("region", { name: /notifications/i }), /Leads exported[^]*1 lead is in the file/);
      const json = await save("Export JSON");
      expect(JSON.parse(await textOf(json))).toMatchObject([{ reason: "billing", contact: { name: "Fay File" } }]);
      await panelOf(page).getByRole("combobox", { name: "Which leads" }).selectOption("Handled");
      expect(JSON.parse(await textOf(await save("Export JSON")))).toEqual([]);
    });
  });
});

describe("a file of leads", () => {
  test("holds nothing that a spreadsheet would run", async () => {
    const targeted = await addTenant(site, "Targeted Clinic");
    for (const name of ["=1+1", "+SUM(A1)", "-2", "@cmd"])
      await addLead(targeted, name, { contact: { name, phone: "+1 617 555 0142", email: "", note: `${name} <b>x</b>` } });
    await site.visit({ as: targeted }, async ({ page }) => {
      await openLeads(page);
      const saved = page.waitForEvent("download");
      await panelOf(page).getByRole("button", { name: "Export CSV" }).click();
      const text = readFileSync(await (await saved).path(), "utf8");
      const cells = text
        .trim()
        .split("\r\n")
        .flatMap((line) => line.split(","));
      expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
      for (const cell of ["'=1+1", "'+SUM(A1)", "'-2", "'@cmd", "'+1 617 555 0142"]) expect(cells).toContain(cell);
    });
  });
});

describe("messages to patients", () => {
  const sent = (status: string, index: number) => ({
    id: `01hzzzzzzzzzzzzzzzzzzzzz${String(index).padStart(2, "0")}`,
    createdAt: "2026-05-08T09:00:00.000Z",
    channel: index % 2 ? "sms" : "email",
    purpose: "appointment_reminder",
    status,
    code: status === "failed" ? "contact_not_on_file" : null,
    sendAt: status === "queued" ? "2026-05-09T13:00:00.000Z" : null,
    callId: null,
    officeId: null,
  });
  const all = MessageStatus.options.map(sent);

  test("say in words what became of each", async () => {
    await site.visit({ as: login }, async ({ page }) => {
      await page.route("**/api/tenant/messages", (route) => route.fulfill({ json: all }));
      await openLeads(page);
      const panel = panelOf(page, "Messages to Patients");
      const rows = panel.getByRole("row").filter({ has: page.getByRole("cell") });
      await expect.poll(() => rows.count(), patience).toBe(all.length);
      await reads(rows.nth(0), /Email\s+Appointment reminder\s+None\s+Waiting\s+It waits for the office to open\. It goes out May 9/);
      await reads(rows.nth(2), /Not sent\s+The number or address is not on file/);
      await reads(panel, /10 messages shown, that is all/);
    });
  });

  test("are none before the first, and what fails can be tried again", async () => {
    await site.visit({ as: other, refused: ["503 GET /api/tenant/messages"] }, async ({ page }) => {
      await page.route("**/api/tenant/messages", (route) => route.fulfill(down));
      await openLeads(page);
      const panel = panelOf(page, "Messages to Patients");
      await reads(panel.getByRole("alert"), /Failed to load messages/);
      await page.unroute("**/api/tenant/messages");
      await panel.getByRole("button", { name: "Retry" }).click();
      await reads(panel, /No messages yet/);
      expect(await panel.getByRole("alert").count()).toBe(0);
    });
  });
});
