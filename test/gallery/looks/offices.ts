import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

export async function openOffice(page: Page, officeId: string, part: string): Promise<void> {
  await open(page, `/tenant?tab=offices&office=${officeId}&part=${part}`);
  await reads(page.getByRole("dialog"), /Record system[^]*Calendar/);
}

const firstOffice =
  (part: string, then: (page: Page) => Promise<unknown> = () => Promise.resolve()): Look["arrange"] =>
  async (page, site) => {
    await openOffice(page, site.demo.tenants[0]!.offices[0]!.id, part);
    await then(page);
  };

export const officeLooks: Look[] = [
  {
    name: "an office to be added that lacks its name",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/tenant?tab=offices&office=new");
      await page.getByRole("button", { name: "Add office", exact: true }).click();
      await reads(page.getByRole("dialog"), /Office name is required/);
    },
  },
  { name: "an office's details", as: asTenant, arrange: firstOffice("details") },
  {
    name: "an office's own hours with breaks, one past its closing, and a day that ends before it begins",
    as: asTenant,
    arrange: firstOffice("hours", async (page) => {
      await page.getByLabel("Business hours").selectOption("own");
      await page.getByRole("button", { name: "Add break", exact: true }).click();
      await page.getByLabel("Break 1 ends", { exact: true }).fill("20:00");
      await page.getByLabel("Friday", { exact: true }).selectOption("own");
      await page.getByLabel("Friday break 1 ends").fill("12:30");
      await page.getByRole("button", { name: "Add break on Friday" }).click();
      await page.getByLabel("Saturday", { exact: true }).selectOption("own");
      await page.getByLabel("Saturday closes").fill("08:00");
      await page.getByLabel("Sunday", { exact: true }).selectOption("closed");
      await page.getByRole("button", { name: "Save office" }).click();
      await reads(page.getByRole("dialog"), /Must be before the office closes[^]*Must be after the start/);
    }),
  },
  {
    name: "an office's facts for callers, with a holiday and a question to be filled in",
    as: asTenant,
    arrange: firstOffice("facts", async (page) => {
      await page.getByRole("button", { name: "Add holiday" }).click();
      await page.getByRole("button", { name: "Add question" }).click();
      await page.getByRole("button", { name: "Save office" }).click();
      await reads(page.getByRole("dialog"), /Enter a date[^]*Enter a question/);
    }),
  },
  {
    name: "an office's staff routing, with a contact to be filled in",
    as: asTenant,
    arrange: firstOffice("routing", async (page) => {
      await page.getByRole("button", { name: "Add destination" }).click();
      await page.getByRole("button", { name: "Save office" }).click();
      await reads(page.getByRole("dialog"), /Enter a label[^]*Enter a phone number/);
    }),
  },
  { name: "an office's message texts", as: asTenant, arrange: firstOffice("messages") },
  {
    name: "an office's voice agents",
    as: asTenant,
    arrange: firstOffice("agents", async (page) => {
      await page.getByLabel("Voice platform").selectOption({ index: 1 });
      await reads(page.getByRole("dialog"), /Choose an agent/);
    }),
  },
  {
    name: "a question before an office's voice agent is removed",
    as: asTenant,
    arrange: firstOffice("agents", async (page) => {
      await page.getByRole("button", { name: /^Remove/ }).click();
      await reads(page.getByRole("alertdialog"), /Are you sure/);
    }),
  },
  { name: "an office's record system", as: asTenant, arrange: firstOffice("record-system") },
  {
    name: "an office's calendar address, shown once",
    as: asTenant,
    arrange: firstOffice("calendar", async (page) => {
      const feed = { url: `https://clinic.example/api/calendar/${"a".repeat(43)}.ics`, createdAt: "2026-05-01T09:00:00.000Z" };
      await page.route("**/calendar-feed", (route) =>
        route.request().method() === "POST" ? route.fulfill({ status: 201, json: feed }) : route.fallback(),
      );
      await page.getByRole("button", { name: "Create address" }).click();
      await reads(page.getByRole("dialog"), /not shown again/);
    }),
  },
];
