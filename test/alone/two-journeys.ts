import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import { apiOf, tokenFrom } from "../kit/api.ts";
import { longTimeout, open, openViews, reads, titled } from "../kit/browser/site.ts";
import { openLine } from "../kit/line.ts";

/** A browser on the demo of a default start, and its first clinic. */
export async function openDemo(platform: Platform, dataDir: string) {
  const demo = platform.demo!;
  const api = apiOf(platform.origin);
  const tokenOf = tokenFrom(api);
  const views = await openViews({ origin: platform.origin, tokenOf });
  return { ...views, platform, dataDir, demo, api, clinic: demo.tenants[0]! };
}
type DemoSite = Awaited<ReturnType<typeof openDemo>>;

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (page: Page) => page.getByRole("dialog");
const isClosed = async (page: Page): Promise<void> => {
  await expect.poll(() => dialog(page).count(), longTimeout).toBe(0);
};
const lineOf = ({ api, clinic, demo }: DemoSite, patientAt: number) => openLine(api, clinic.apiKey, demo.patients[patientAt]!);

async function acceptInvitation(page: Page, { demo }: DemoSite, email: string, password: string): Promise<void> {
  const outbox = new URL(demo.outbox);
  outbox.searchParams.set("format", "json");
  const mails = (await (await fetch(outbox)).json()) as { to: string[]; text: string }[];
  const [, address] = /https?:\/\/[^/\s]+(\/accept-invite\/\S+)/.exec(mails.find(({ to }) => to.includes(email))?.text ?? "") ?? [];
  await open(page, address ?? "");
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm new password").fill(password);
  await button(page, "Save password").click();
  await page.waitForURL(/\/tenant/, longTimeout);
}

/** A call of the clinic's history. */
export type PastCall = { id: string; createdAt: string; success: boolean | null; needsFollowUp: boolean; numberEnding: string | null };

/** Who called most often, and how often. */
function mostFrequent(past: readonly PastCall[], { demo }: DemoSite): { phone: string; calls: number } {
  const calls = ({ phone }: { phone: string }) =>
    past.filter(({ numberEnding }) => numberEnding !== null && phone.endsWith(numberEnding)).length;
  const [most] = demo.patients.toSorted((one, other) => calls(other) - calls(one));
  return { phone: most!.phone, calls: calls(most!) };
}

type Compared = { range: string; shows: RegExp };

const newYork = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", year: "numeric", month: "2-digit" });

/** Both whole months have calls where the demo has ninety days. */
export function lastMonthAndTheOneBefore(): Compared {
  const [year = 0, month = 0] = newYork.format(new Date()).split("-").map(Number);
  const daysOf = (ago: number): string => {
    const name = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(Date.UTC(year, month - 1 - ago));
    return `${name} 1 to ${name} \\d+, \\d{4}\\s*`;
  };
  return { range: "last-month", shows: new RegExp(`Last month, ${daysOf(1)}.*Previous period, ${daysOf(2)}[\\d,]+ calls`, "s") };
}

/** The list of work, a failed call in three clicks, a number that complained, a nurse, a holiday, and the period before. */
export async function managersWeek(site: DemoSite, past: readonly PastCall[], compared: Compared): Promise<void> {
  for (const patientAt of [0, 1]) {
    const line = lineOf(site, patientAt);
    expect(await line.verify()).toMatchObject({ ok: true });
    const refill = { category: "refill_request", message: "I am almost out of my tablets", medicationName: "Lisinopril 10 mg" };
    expect(await line.useTool("sendCommunicationFhir", refill)).toMatchObject({ ok: true });
    await line.end();
  }
  const emergency = lineOf(site, 2);
  expect((await emergency.useTool("scheduleAppointment", { action: "find", service: "I have chest pain" })).speech).toContain("911");
  await emergency.end();
  const newcomer = { callerName: "Lena Lead", callbackNumber: "617 555 0142", leadReason: "new_patient" };
  expect(await lineOf(site, 3).useTool("logRoutingEvent", { reason: "billing", outcome: "callback", ...newcomer })).toMatchObject({
    ok: true,
  });
  await site.platform.cloud.drained();

  const nurse = { email: "nina@riverside.example", password: "a nurse's long sentence" };
  await site.visit({ as: site.clinic.admin }, async ({ page }) => {
    await open(page, "/tenant/to-do");
    const work = region(page, "Open");
    await reads(work, /told to call 911/);
    await reads(work, /Refill request[^]*Refill request/);
    await reads(work, /Call back/);
    const undone = work.getByRole("button", { name: /^Undo.*Refill request/ });
    const before = await undone.count();
    await work
      .getByRole("button", { name: /^Done.*Refill request/ })
      .first()
      .click();
    await expect.poll(() => undone.count(), longTimeout).toBe(before + 1);

    const failed = past.find(({ success, needsFollowUp, numberEnding }) => success === false && needsFollowUp && numberEnding !== null)!;
    await open(page, "/tenant");
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await button(page, "Needs follow-up").click();
    const calls = region(page, "Recent Call Details");
    await calls.locator("tbody tr").filter({ hasText: failed.numberEnding! }).first().click(longTimeout);
    await reads(dialog(page), /This call did not go well/);
    await page.keyboard.press("Escape");
    await isClosed(page);

    const complainer = mostFrequent(past, site);
    await button(page, "Find a call").click();
    await page.getByLabel("Phone number").fill(complainer.phone);
    await button(page, "Search by number").click();
    await reads(calls, /\d+ calls? found/);
    expect(page.url()).not.toContain(complainer.phone.slice(-4));

    await open(page, "/tenant/settings/team");
    await button(page, "Invite Colleague").click();
    await dialog(page).getByLabel("Email").fill(nurse.email);
    await dialog(page).getByLabel("Access").selectOption({ label: "Staff" });
    await button(page, "Send Invitation").click();
    await isClosed(page);

    await open(page, "/tenant/settings");
    await button(page, "Add holiday").click();
    const added = page.getByRole("listitem", { name: /^holiday \d+$/ }).last();
    await added.getByLabel("Closed on").fill("2027-12-27");
    await added.getByLabel("Name").fill("Staff outing");
    await button(page, "Save Facts").click();
    await reads(page.locator("body"), /Facts saved/);

    await open(page, `/tenant?tab=analytics&range=${compared.range}`);
    await reads(page.getByRole("main"), compared.shows);
  });

  await site.visit({}, async ({ page }) => {
    await acceptInvitation(page, site, nurse.email, nurse.password);
    await open(page, "/tenant/to-do");
    await reads(region(page, "Open"), /Refill request/);
    expect(await page.getByRole("link", { name: /API Keys|Developers/ }).count()).toBe(0);
    await open(page, "/tenant/settings/team");
    await titled(page, "You do not have access to this page");
  });
}

/** Who saw this patient in two years, what this user did, both in three formats, and the archive is verified. */
export async function auditorsMorning(site: DemoSite): Promise<void> {
  const patient = site.demo.patients[0]!;
  const verify = path.resolve(import.meta.dirname, "../../functions/audit/verify-cli.ts");
  await promisify(execFile)(process.execPath, [verify], { env: { ...process.env, VITALINE_DATA: site.dataDir } });
  const auditor = { email: "avery@riverside.example", password: "an auditor's long sentence" };
  const token = await site.tokenFor(site.clinic.admin);
  const invited = await site.api("POST", "/api/tenant/team", { token, body: { email: auditor.email, access: "auditor" } });
  expect(invited.status).toBe(201);
  const { json: team } = await site.api<{ id: string; email: string }[]>("GET", "/api/tenant/team", { token });
  const manager = team.find(({ email }) => email === site.clinic.admin.email)!;

  await site.visit({}, async ({ page }) => {
    await acceptInvitation(page, site, auditor.email, auditor.password);
    await open(page, "/tenant?tab=audit");
    const access = region(page, "Access Report");
    const hasReport = async (): Promise<void> => {
      await expect.poll(() => access.getByRole("table").count(), { timeout: 60_000 }).toBeGreaterThan(0);
      for (const format of ["CSV", "PDF", "JSON"]) {
        const [download] = await Promise.all([
          page.waitForEvent("download", { timeout: 60_000 }),
          access.getByRole("button", { name: format, exact: true }).click(),
        ]);
        expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
      }
    };
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
    await hasReport();
    expect(page.url()).not.toContain(patient.id);

    await page
      .getByRole("row")
      .filter({ hasText: manager.id })
      .getByRole("button", { name: /, details$/ })
      .first()
      .click(longTimeout);
    await button(page, "Report on this person").first().click();
    await expect.poll(() => access.getByLabel("User ID").inputValue(), longTimeout).toBe(manager.id);
    await button(page, "Create report").click();
    await reads(access, /To do|Task|call/i);
    await hasReport();
    await reads(page.getByRole("main"), /Last verified [^]*every archived event is intact/);
  });
}
