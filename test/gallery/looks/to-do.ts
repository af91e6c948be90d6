import type { Page } from "playwright-core";
import { asTenant, type Look } from "../../kit/browser/axe.ts";
import { open, reads } from "../../kit/browser/site.ts";

const id = (end: string): string => `01hzzzzzzzzzzzzzzzzzzzzz${end}`;
const nora = { id: id("90"), name: "Nora Lindqvist-Fernandez" };
const item = {
  ...{ id: id("01"), kind: "emergency", topic: "medical", createdAt: "2026-05-08T09:00:00.000Z", dueAt: "2026-05-08T09:00:00.000Z" },
  ...{ doneAt: null, doneBy: null, owner: null, hasNote: false, callId: "a".repeat(40), officeId: null, finding: null, version: 2 },
};
const list = [
  item,
  { ...item, id: id("02"), kind: "message", topic: "refill_request", dueAt: "2099-05-09T09:00:00.000Z", owner: nora, hasNote: true },
  { ...item, id: id("03"), kind: "unconfirmed_action", topic: "book", finding: "did_not_happen" },
  { ...item, id: id("04"), kind: "lead", topic: "new_patient", callId: null },
  { ...item, id: id("05"), kind: "connection", topic: "record_system", callId: null, doneAt: "2026-05-08T11:30:00.000Z", doneBy: nora },
];
const about = {
  ...{ patientId: "patient-4711", fhirProviderId: id("80"), appointmentId: "appointment-17", start: "2026-05-12T14:00:00.000Z" },
  ...{ phone: "+1 617 555 0101", interpreter: "es", urgent: true },
};
const detail = { ...list[1], about, note: "Sent to the pharmacy; call back after five.", colleagues: [nora] };

const openToDo = async (page: Page, query = "") => {
  await page.route("**/api/tenant/to-do?*", (route) => route.fulfill({ json: list }));
  await page.route("**/api/tenant/to-do/count", (route) => route.fulfill({ json: { open: 100, emergencies: 1, hasMore: true } }));
  await page.route(`**/api/tenant/to-do/${id("02")}`, (route) => route.fulfill({ json: detail }));
  await open(page, `/tenant/to-do${query}`);
};

export const toDoLooks: Look[] = [
  {
    name: "what is to be done",
    as: asTenant,
    arrange: async (page) => {
      await openToDo(page);
      await reads(
        page.getByRole("region", { name: "Open", exact: true }),
        /told to call 911[^]*Refill request[^]*Record system not working/,
      );
    },
  },
  {
    name: "an item to be done",
    as: asTenant,
    arrange: async (page) => {
      await openToDo(page, `?item=${id("02")}`);
      await reads(page.getByRole("dialog", { name: "Refill request" }), /patient-4711[^]*recorded in the audit log/);
    },
  },
];
