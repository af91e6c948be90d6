import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assignSandbox, openClinic, type Clinic } from "../../kit/browser/clinic.ts";
import { report } from "../../kit/browser/reported-calls.ts";
import { longTimeout, open, openSite, reads, titled, type Site } from "../../kit/browser/site.ts";
import { openLine } from "../../kit/line.ts";

let site: Site;
let clinic: Clinic;
beforeAll(async () => {
  site = await openSite();
  clinic = await openClinic(site, "Willow Creek Clinic");
  await assignSandbox(site, clinic);
});
afterAll(() => site?.close());

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (page: Page) => page.getByRole("dialog");
const isClosed = async (page: Page): Promise<void> => {
  await expect.poll(() => dialog(page).count(), longTimeout).toBe(0);
};
const lineOf = (patientAt: number) => openLine(site.api, clinic.key, site.demo.patients[patientAt]!);

async function invitationOf(email: string): Promise<string> {
  const outbox = new URL(site.demo.outbox);
  outbox.searchParams.set("format", "json");
  const mails = (await (await fetch(outbox)).json()) as { to: string[]; text: string }[];
  const [, address] = /https?:\/\/[^/\s]+(\/accept-invite\/\S+)/.exec(mails.find(({ to }) => to.includes(email))?.text ?? "") ?? [];
  return address ?? "";
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const complainer = "+16175550177";

test("a practice manager's week: the list of work, failed calls, a number that complained, a nurse, a holiday, and the month before", async () => {
  for (const patientAt of [0, 1]) {
    const line = lineOf(patientAt);
    expect(await line.verify()).toMatchObject({ ok: true });
    const refill = { category: "refill_request", message: "I am almost out of my tablets", medicationName: "Lisinopril 10 mg" };
    expect(await line.useTool("sendCommunicationFhir", refill)).toMatchObject({ ok: true });
    await line.end();
  }
  const emergency = lineOf(2);
  expect((await emergency.useTool("scheduleAppointment", { action: "find", service: "I have chest pain" })).speech).toContain("911");
  await emergency.end();
  const lead = {
    reason: "billing",
    outcome: "callback",
    callerName: "Lena Lead",
    callbackNumber: "617 555 0142",
    leadReason: "new_patient",
  };
  expect(await lineOf(3).useTool("logRoutingEvent", lead)).toMatchObject({ ok: true });
  const failed = { status: "failed", success: false, endedReason: "assistant-error", durationSeconds: 95 };
  await report(site, clinic.login, [
    { callId: "failed-yesterday", ...failed, startedAt: hoursAgo(24.1), endedAt: hoursAgo(24), callerNumber: complainer },
    { callId: "well-today", status: "completed", success: true, startedAt: hoursAgo(1), endedAt: hoursAgo(0.9), durationSeconds: 60 },
  ]);
  await site.platform.cloud.drained();

  await site.visit({ as: clinic.login }, async ({ page }) => {
    await open(page, "/tenant/to-do");
    const work = region(page, "Open");
    await reads(work, /told to call 911/);
    await reads(work, /Refill request[^]*Refill request/);
    await reads(work, /Call back/);
    await work
      .getByRole("button", { name: /^Done.*Refill request/ })
      .first()
      .click();
    await expect.poll(() => work.getByRole("button", { name: /^Undo.*Refill request/ }).count(), longTimeout).toBe(1);

    await open(page, "/tenant");
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await button(page, "Needs follow-up").click();
    const calls = region(page, "Recent Call Details");
    const failedCall = calls.locator("tbody tr").filter({ hasText: "0177" });
    await failedCall.click(longTimeout);
    await reads(dialog(page), /This call did not go well/);
    await page.keyboard.press("Escape");
    await isClosed(page);

    await button(page, "Find a call").click();
    await page.getByLabel("Phone number").fill(complainer);
    await button(page, "Search by number").click();
    await reads(calls, /1 call found/);
    expect(page.url()).not.toContain("0177");

    await open(page, "/tenant/settings/team");
    await button(page, "Invite Colleague").click();
    await dialog(page).getByLabel("Email").fill("nina@willow-creek.example");
    await dialog(page).getByLabel("Access").selectOption({ label: "Staff" });
    await button(page, "Send Invitation").click();
    await isClosed(page);

    await open(page, "/tenant/settings");
    await button(page, "Add holiday").click();
    await page.getByLabel("Closed on").fill("2027-07-05");
    await page.getByRole("listitem", { name: "holiday 1" }).getByLabel("Name").fill("Independence Day");
    await button(page, "Save Facts").click();
    await reads(page.locator("body"), /Facts saved/);

    await open(page, "/tenant?tab=analytics&period=30d");
    await reads(page.getByRole("main"), /Previous period/);
  });

  await site.visit({}, async ({ page }) => {
    await open(page, await invitationOf("nina@willow-creek.example"));
    await page.getByLabel("New password", { exact: true }).fill("a nurse's long sentence");
    await page.getByLabel("Confirm new password").fill("a nurse's long sentence");
    await button(page, "Save password").click();
    await titled(page, "Tenant Dashboard");
    await open(page, "/tenant/to-do");
    await reads(region(page, "Open"), /Refill request/);
    expect(await page.getByRole("link", { name: /API Keys|Developers/ }).count()).toBe(0);
    await open(page, "/tenant/settings/team");
    await titled(page, "You do not have access to this page");
  });
});

test("an auditor's morning: who saw this patient, who is this user, a report in three formats, and the archive is verified", async () => {
  const patient = site.demo.patients[4]!;
  const line = lineOf(4);
  expect(await line.verify()).toMatchObject({ ok: true });
  expect(await line.useTool("getPatientInfo", {})).toMatchObject({ ok: true });
  await line.end();
  await site.platform.cloud.drained();
  const verify = path.resolve(import.meta.dirname, "../../../functions/audit/verify-cli.ts");
  await promisify(execFile)(process.execPath, [verify], { env: { ...process.env, VITALINE_DATA: site.dataDir } });
  const token = await site.tokenFor(clinic.login);
  const auditor = "avery@willow-creek.example";
  const invited = await site.api("POST", "/api/tenant/team", { token, body: { email: auditor, access: "auditor" } });
  expect(invited.status).toBe(201);

  await site.visit({}, async ({ page }) => {
    await open(page, await invitationOf(auditor));
    await page.getByLabel("New password", { exact: true }).fill("an auditor's long sentence");
    await page.getByLabel("Confirm new password").fill("an auditor's long sentence");
    await button(page, "Save password").click();
    await page.waitForURL(/\/tenant/, longTimeout);
    await open(page, "/tenant?tab=audit");
    const access = region(page, "Access Report");
    await access.getByText("Find the patient in the record system").click();
    await access.getByLabel("First day").fill(`${new Date().getUTCFullYear() - 2}-12-01`);
    await access.getByLabel("Last name").fill(patient.family);
    await access.getByLabel("Date of birth").fill(patient.birthDate);
    await button(page, "Find in the record system").click();
    await access
      .getByRole("button", { name: /^Choose / })
      .first()
      .click();
    await button(page, "Create report").click();
    await reads(access, /Chart|Patient/);
    await expect.poll(() => access.getByRole("table").count(), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(page.url()).not.toContain(patient.id);
    for (const format of ["CSV", "PDF", "JSON"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download", { timeout: 60_000 }),
        access.getByRole("button", { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
    }
    await reads(page.getByRole("main"), /Last verified [^]*every archived event is intact/);
  });
});
