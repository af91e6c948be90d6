import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillLogin, open, openSite, longTimeout, reads, settled, titled, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const clinic = { name: "First Day Clinic", email: "desk@first-day.example" };
const person = { email: "nora@first-day.example", password: "a sentence to remember" };

const panelOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const toastsOf = (page: Page): Locator => page.getByRole("region", { name: /notifications/i });
const button = (part: Page | Locator, name: string | RegExp) => part.getByRole("button", { name, exact: true });
const press = (part: Page | Locator, name: string | RegExp): Promise<void> => button(part, name).click();
const field = (page: Page, label: string): Locator => dialogOf(page).getByLabel(label, { exact: true });
const isClosed = async (page: Page): Promise<void> => {
  await expect.poll(() => dialogOf(page).count(), longTimeout).toBe(0);
};
const openTab = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("tab", { name, exact: true }).click();
  await settled(page);
};
const copied = async (page: Page, copy: Locator): Promise<string> => {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await copy.click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read, longTimeout).not.toBe("");
  return read();
};

async function createTenant(page: Page): Promise<void> {
  await openTab(page, "Tenants");
  await press(page, "Add Tenant");
  await field(page, "Organization name").fill(clinic.name);
  await field(page, "Contact email").fill(clinic.email);
  await press(dialogOf(page), "Create Organization");
  await reads(dialogOf(page), /was created/);
}

async function inviteAdmin(page: Page): Promise<void> {
  await press(dialogOf(page), "Invite tenant admin");
  await reads(dialogOf(page), /Add New User/);
  await field(page, "Email").fill(person.email);
  await press(dialogOf(page), "Send Invitation");
  await isClosed(page);
}

async function acceptInvitation(page: Page): Promise<void> {
  const outbox = new URL(site.demo.outbox);
  outbox.searchParams.set("format", "json");
  const mails = (await (await fetch(outbox)).json()) as { to: string[]; text: string }[];
  const [, address = ""] =
    /https?:\/\/[^/\s]+(\/accept-invite\/\S+)/.exec(mails.find(({ to }) => to.includes(person.email))?.text ?? "") ?? [];
  await open(page, address);
  await page.getByLabel("New password", { exact: true }).fill(person.password);
  await page.getByLabel("Confirm new password").fill(person.password);
  await press(page, "Save password");
  await titled(page, "Tenant Dashboard");
}

async function openClinic(page: Page, part: string): Promise<Locator> {
  await openTab(page, "Tenants");
  await page.getByLabel("Search tenants").fill(clinic.name);
  await press(page, `View ${clinic.name}`);
  await page.getByRole("tab", { name: part, exact: true }).click();
  await settled(page);
  return dialogOf(page).first();
}

async function addOffice(page: Page): Promise<void> {
  const dialog = await openClinic(page, "Offices");
  await press(dialog, "Add Office");
  const editor = page.getByRole("dialog", { name: "Add Office" });
  await editor.getByLabel("Office name").fill("Harbour Office");
  await press(editor, "Add office");
  await reads(dialog, /Harbour Office/);
  await press(dialog, "Close");
  await isClosed(page);
}

async function makePlatformKeys(page: Page): Promise<void> {
  const keys = panelOf(page, "Platform Keys");
  await reads(keys, /Generate Initial Key Pair|Rotate Keys/);
  const isFirst = (await button(keys, "Generate Initial Key Pair").count()) > 0;
  await press(keys, isFirst ? "Generate Initial Key Pair" : "Rotate Keys");
  if (!isFirst) await press(page.getByRole("alertdialog"), "Rotate Keys");
  await reads(toastsOf(page), /New RSA key pair generated successfully/);
}

async function connectRecords(page: Page): Promise<void> {
  const providers = panelOf(page, "FHIR Providers");
  await press(providers, "Add FHIR Provider");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Provider type").selectOption("custom");
  await dialog.getByLabel("Provider name").fill("First Day EHR");
  await dialog.getByLabel("Base URL").fill(site.demo.ehr.r4.baseUrl);
  await press(dialog, "Discover addresses and scopes");
  await reads(toastsOf(page), /Server found/);
  await page.getByRole("tab", { name: /^OAuth Config/ }).click();
  await dialog.getByLabel("Client ID").fill(site.platform.sandbox.client.id);
  await dialog.getByLabel("Client authentication").selectOption("platform_key");
  await press(dialog, "Add Provider");
  await reads(toastsOf(page), /FHIR provider created successfully/);
  await isClosed(page);
}

async function testRecords(page: Page): Promise<void> {
  await press(panelOf(page, "FHIR Providers"), "Test First Day EHR");
  await field(page, "Patient ID").fill(site.demo.patients[0]!.id);
  await press(dialogOf(page), "Test Connection");
  await reads(dialogOf(page).getByRole("region", { name: "Test result" }), /SUCCESS/);
  await press(dialogOf(page), "Close");
}

async function assignRecords(page: Page): Promise<void> {
  const assignments = panelOf(page, "Provider Assignments");
  await press(assignments, `Change the FHIR provider of ${clinic.name}`);
  await field(page, "FHIR provider").selectOption({ label: "First Day EHR" });
  await press(dialogOf(page), "Save Changes");
  await isClosed(page);
  await reads(assignments.getByRole("list", { name: `FHIR providers of ${clinic.name}` }), /Tenant default\s+First Day EHR/);
}

async function addVoice(page: Page): Promise<void> {
  await openTab(page, "Voice & AI");
  await press(panelOf(page, "Voice Providers"), "Add Provider");
  await field(page, "Tenant").selectOption({ label: clinic.name });
  await press(dialogOf(page), "Add Provider");
  await field(page, "Provider type").selectOption("retellai");
  await field(page, "Provider name").fill("Our Retell");
  await field(page, "API key").fill("key-of-the-first-day");
  await dialogOf(page).getByLabel("Base URL").fill(site.platform.voice.baseUrl("retellai"));
  await press(dialogOf(page), "Add Provider");
  await reads(dialogOf(page).getByRole("list", { name: "Voice providers" }), /Our Retell/);
  await press(dialogOf(page), "Close");
  await isClosed(page);
}

async function assignAgent(page: Page): Promise<void> {
  await press(panelOf(page, "Voice Agents"), "Manage Agents");
  await field(page, "Tenant").selectOption({ label: clinic.name });
  await press(dialogOf(page), "Assign Agent");
  await field(page, "Voice provider").selectOption({ label: "Our Retell (Retell AI)" });
  await expect.poll(() => field(page, "Agent").locator("option").count(), longTimeout).toBeGreaterThan(1);
  await field(page, "Agent").selectOption("agent-2");
  await press(dialogOf(page), "Assign Agent");
  await reads(dialogOf(page).getByRole("list", { name: "Voice agent assignments" }), /agent-2/);
  await press(dialogOf(page), "Close");
  await isClosed(page);
}

type RetellTool = { name: string; url: string; headers: Record<string, string> };

async function takeSnippet(page: Page, dialog: Locator): Promise<RetellTool[]> {
  await dialog.getByLabel("Voice platform").selectOption("retellai");
  const item = dialog.getByRole("listitem").filter({ hasText: "general_tools" }).first();
  await item.locator("details").evaluate((details: HTMLDetailsElement) => (details.open = true));
  const text = await copied(page, item.getByRole("button", { name: /^Copy / }));
  return (JSON.parse(text) as { general_tools: RetellTool[] }).general_tools;
}

async function callTool(tools: RetellTool[], name: string): Promise<number> {
  const { url, headers } = tools.find((tool) => tool.name === name)!;
  const call = { call_id: "call-of-the-first-day", agent_id: "agent-2", call_type: "phone_call", call_status: "ongoing" };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ name, call, args: {} }),
  });
  await response.text();
  return response.status;
}

async function exportReport(page: Page): Promise<void> {
  await press(page, "Export Audit Report");
  await dialogOf(page).getByLabel("Format").selectOption("csv");
  const [download] = await Promise.all([page.waitForEvent("download"), press(dialogOf(page), "Export")]);
  expect(readFileSync(await download.path(), "utf8")).toMatch(/tenant\.create/);
  await isClosed(page);
}

async function rotateKey(page: Page): Promise<RetellTool[]> {
  const dialog = await openClinic(page, "API & Security");
  await press(dialog, "Regenerate");
  await page.getByRole("alertdialog").getByLabel("Old key stops working").selectOption({ label: "Now" });
  await press(page.getByRole("alertdialog"), "Regenerate API Key");
  await reads(toastsOf(page), /API Key Regenerated/);
  return takeSnippet(page, dialog);
}

test("an administrator's first day", async () => {
  await site.visit({}, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "/admin-login");
    await fillLogin(page, site.demo.systemAdmin);
    await titled(page, "Admin Dashboard");

    await createTenant(page);
    await inviteAdmin(page);
    await site.visit({}, ({ page: theirs }) => acceptInvitation(theirs));
    await addOffice(page);

    await openTab(page, "EHR/FHIR");
    await makePlatformKeys(page);
    await connectRecords(page);
    await testRecords(page);
    await assignRecords(page);

    await addVoice(page);
    await assignAgent(page);

    const dialog = await openClinic(page, "API & Security");
    const tools = await takeSnippet(page, dialog);
    expect(await callTool(tools, "getFhirProviders")).toBe(200);
    await site.platform.cloud.drained();
    await press(dialog, "Close");

    await openTab(page, "Audit & Compliance");
    await reads(panelOf(page, "Audit Logs"), /A voice platform ran the tool getFhirProviders/);
    await exportReport(page);

    const fresh = await rotateKey(page);
    expect([await callTool(tools, "getFhirProviders"), await callTool(fresh, "getFhirProviders")]).toEqual([401, 200]);
  });
});
