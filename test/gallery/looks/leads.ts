import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const openLeads = (page: Page, query = "") => open(page, `/tenant/leads${query}`);
const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const id = (end: string): string => `01hzzzzzzzzzzzzzzzzzzzzz${end}`;

const lead = {
  id: id("01"),
  createdAt: "2026-05-08T09:00:00.000Z",
  reason: "new_patient",
  callId: null,
  officeId: null,
  handledAt: null,
  version: 1,
};
const list = [
  { ...lead, callId: "a".repeat(40) },
  { ...lead, id: id("02"), reason: "prescription", handledAt: "2026-05-08T11:30:00.000Z" },
];
const contact = {
  name: "Una Newcome",
  phone: "+1 617 555 0199",
  email: "una@newcome.example",
  note: "Calls back after five, and wants the north office.",
};

const messages = ["queued", "delivered", "failed", "opted_out", "bounced"].map((status, index) => ({
  ...{
    id: id(`1${index}`),
    createdAt: "2026-05-08T09:00:00.000Z",
    channel: index % 2 ? "sms" : "email",
    purpose: "appointment_reminder",
    status,
  },
  ...{ code: status === "failed" ? "not_doable" : null, sendAt: status === "queued" ? "2026-05-09T13:00:00.000Z" : null },
  ...{ callId: null, officeId: null },
}));

export const leadLooks: Look[] = [
  {
    name: "leads",
    as: asTenant,
    arrange: async (page) => {
      await page.route(/\/api\/tenant\/leads(\?|$)/, (route) => route.fulfill({ json: list }));
      await openLeads(page);
      await reads(partOf(page, "Leads"), /New patient[^]*Prescription/);
    },
  },
  {
    name: "messages to patients",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/api/tenant/messages", (route) => route.fulfill({ json: messages }));
      await open(page, "/tenant/messages");
      await reads(partOf(page, "Messages to Patients"), /Bounced/);
    },
  },
  {
    name: "a lead",
    as: asTenant,
    arrange: async (page) => {
      await page.route(/\/api\/tenant\/leads(\?|$)/, (route) => route.fulfill({ json: list }));
      await page.route(`**/api/tenant/leads/${lead.id}`, (route) => route.fulfill({ json: { ...list[0], contact } }));
      await openLeads(page, `?lead=${lead.id}`);
      await reads(page.getByRole("dialog", { name: "Lead" }), /Una Newcome/);
    },
  },
  {
    name: "a lead to be added, with what is missing",
    as: asTenant,
    arrange: async (page) => {
      await openLeads(page);
      await partOf(page, "Leads").getByRole("button", { name: "Add lead" }).click();
      const form = page.getByRole("dialog", { name: "Add lead" });
      await form.getByRole("button", { name: "Add lead" }).click();
      await reads(form, /A phone number or an email address is required/);
    },
  },
];
