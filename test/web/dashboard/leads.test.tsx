import { screen, within } from "@testing-library/react";
import { leads, messages, MessageStatus, type Lead, type LeadDetail, type Message } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { recordedAt } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  filesHandedOut,
  fill,
  hasFocus,
  isGone,
  labeled,
  link,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const leadId = (number: number): string => `01hzzzzzzzzzzzzzzzzzzzzz${String(number).padStart(2, "0")}`;
const leadOf = (number: number, name: string, more: Partial<LeadDetail> = {}): LeadDetail => ({
  id: leadId(number),
  createdAt: "2026-11-22T15:00:00.000Z",
  reason: "billing",
  callId: null,
  officeId: null,
  handledAt: null,
  version: 1,
  contact: { name, phone: "+1 617 555 0142", email: null, note: null },
  ...more,
});
const listed = ({ contact: _contact, ...lead }: LeadDetail): Lead => lead;

/** An API that keeps leads, the newest first. */
class Leads {
  all: LeadDetail[];
  constructor(...all: LeadDetail[]) {
    this.all = all;
  }
  mark(id: string, handled: boolean): Lead {
    this.all = this.all.map((one) =>
      one.id === id ? { ...one, version: one.version + 1, handledAt: handled ? recordedAt.toISOString() : null } : one,
    );
    return listed(this.find(id)!);
  }
  find(id: string): LeadDetail | undefined {
    return this.all.find((one) => one.id === id);
  }
  serve(api: FakeApi): void {
    api.on(leads.listLeads, ({ query: { handled } }) =>
      this.all.filter(({ handledAt }) => handled === undefined || handled === (handledAt !== null)).map(listed),
    );
    api.on(
      leads.readLead,
      ({ params }) => this.find(params.leadId) ?? refusal(404, { error: "There is nothing here.", code: "not_found" }),
    );
    api.on(leads.createLead, ({ body: { contact, ...body } }) => {
      const { phone = null, email = null, note = null } = contact;
      const made = leadOf(this.all.length + 1, contact.name, { ...body, contact: { name: contact.name, phone, email, note } });
      this.all = [made, ...this.all];
      return listed(made);
    });
    api.on(leads.handleLead, ({ params, body, ifMatch }) =>
      ifMatch === this.find(params.leadId)?.version
        ? this.mark(params.leadId, body.handled)
        : refusal(409, { error: "It was changed meanwhile.", code: "stale_version" }),
    );
  }
}

const openLeads = (kept: Leads, query = "", before: (api: FakeApi) => void = () => {}, page = "leads") =>
  asTenant(`/tenant/${page}?${query.slice(1)}`, {
    before(api) {
      kept.serve(api);
      before(api);
    },
  });
const panel = (): HTMLElement => region("Leads");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const opener = (): HTMLElement => within(rows()[0]!).getByRole("button", { name: /^Open lead/ });
const place = (): URLSearchParams => new URLSearchParams(location.search);
const down = () => refusal(503, { error: "The database could not be reached." });

describe("adding a lead", () => {
  test("asks for what is missing, survives a save that failed, and adds one however often it is pressed", async () => {
    const kept = new Leads();
    const { api, user } = await openLeads(kept);
    expect(textOf(panel())).toContain("No leads yet");
    button("Add lead", panel()).focus();
    await user.keyboard("{Enter}");
    await dialogOpened();
    await hasFocus(() => labeled("Name", dialog()));
    await user.keyboard("{Enter}");
    await reads(dialog, /Is required.*A phone number or an email address is required/);
    fill("Name", "<b>Una</b> Newcome", dialog());
    fill("Phone", "+1 617 555 0199", dialog());
    await user.selectOptions(labeled("Reason", dialog()), "Insurance");
    fill("Note", "Calls after five", dialog());
    expect(api.received(leads.createLead)).toEqual([]);

    api.once(leads.createLead, down);
    await user.click(button("Add lead", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), "could not be reached");
    expect(labeled("Name", dialog()).value).toBe("<b>Una</b> Newcome");
    await user.dblClick(button("Add lead", dialog()));
    await isGone("dialog");
    const contact = { name: "<b>Una</b> Newcome", phone: "+1 617 555 0199", note: "Calls after five" };
    const sent = { reason: "insurance", contact };
    expect(api.received(leads.createLead).map(({ body }) => body)).toEqual([sent, sent].map((one) => expect.objectContaining(one)));
    expect(kept.all).toHaveLength(1);
    await eventually(() => expect(rows()).toHaveLength(1));
    expect(textOf(rows()[0]!)).toMatch(/Insurance Added by staff Any office To be handled/);
    expect(textOf(panel())).not.toContain("Newcome");
    await hasFocus(() => button("Add lead", panel()));

    await user.click(opener());
    await dialogOpened();
    expect(textOf(dialog())).toMatch(/<b>Una<\/b> Newcome.*\+1 617 555 0199.*Calls after five/);
    expect(location.href).not.toMatch(/Una|617/);
  });

  test("asks before what was typed is thrown away", async () => {
    const { user } = await openLeads(new Leads());
    await user.click(button("Add lead", panel()));
    await dialogOpened();
    fill("Name", "Half", dialog());
    await user.keyboard("{Escape}");
    await reads(() => screen.queryByRole("alertdialog"), "Discard changes?");
    await user.click(button("Keep editing"));
    expect(labeled("Name", dialog()).value).toBe("Half");
  });
});

describe("a lead", () => {
  test("is read only when it is opened, and marked as handled and as open again", async () => {
    const kept = new Leads(leadOf(1, "Hanna Handled"));
    const { api, user } = await openLeads(kept, "&leads=open");
    expect(api.received(leads.readLead)).toEqual([]);
    await user.click(opener());
    await dialogOpened();
    expect(place().get("lead")).toBe(leadId(1));
    expect(textOf(dialog())).toMatch(/Hanna Handled.*To be handled.*Reading this lead is recorded in the audit log/);
    expect(link("+1 617 555 0142", dialog()).getAttribute("href")).toBe("tel:+16175550142");
    expect(api.received(leads.readLead)).toHaveLength(1);
    await user.dblClick(button("Mark as handled", dialog()));
    await reads(dialog, "Mark as not handled");
    expect(described("Status", dialog())).toBe("Handled");
    await settled();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(place().get("lead")).toBeNull();
    await eventually(() => expect(document.activeElement).not.toBe(document.body));
    const { api: later, user: again } = await openLeads(kept, `&leads=handled&lead=${leadId(1)}`);
    await dialogOpened();
    await again.click(button("Mark as not handled", dialog()));
    await eventually(() => expect(button("Mark as handled", dialog())).toBeTruthy());
    const sentTo = (fake: FakeApi) =>
      fake.received(leads.handleLead).map(({ params, body, ifMatch }) => [params.leadId, body.handled, ifMatch]);
    expect([...sentTo(api), ...sentTo(later)]).toEqual([
      [leadId(1), true, 1],
      [leadId(1), false, 2],
    ]);
    await settled();
  });

  test("is read again each time it is opened, and where it stood in the list it still stands", async () => {
    const { api, user } = await openLeads(new Leads(leadOf(1, "Tara Twice"), leadOf(2, "Olga Other")));
    for (const times of [1, 2]) {
      await user.click(opener());
      await dialogOpened();
      expect(textOf(dialog())).toContain("Tara Twice");
      expect(api.received(leads.readLead)).toHaveLength(times);
      await user.keyboard("{Escape}");
      await isGone("dialog");
    }
    const lists = api.received(leads.listLeads).length;
    await user.click(opener());
    await dialogOpened();
    await user.click(button("Mark as handled", dialog()));
    await reads(dialog, "Mark as not handled");
    await settled();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(rows().map((row) => /(Handled|To be handled) Open/.exec(textOf(row))?.[1])).toEqual(["Handled", "To be handled"]);
    expect(api.received(leads.listLeads)).toHaveLength(lists);
  });

  test("that was changed meanwhile is not overwritten, and is shown as it is now", async () => {
    const kept = new Leads(leadOf(1, "Paula Parallel"));
    const { api, user } = await openLeads(kept, `&lead=${leadId(1)}`);
    await dialogOpened();
    kept.mark(leadId(1), true);
    await user.click(button("Mark as handled", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), "It was changed meanwhile.");
    await eventually(() =>
      expect(
        within(dialog())
          .getAllByRole("button", { name: /^Mark/ })
          .map((one) => textOf(one)),
      ).toEqual(["Mark as not handled"]),
    );
    expect(api.received(leads.handleLead)).toHaveLength(1);
    expect(kept.find(leadId(1))?.version).toBe(2);
    await settled();
  });

  test("that the organization does not have is not found", async () => {
    await openLeads(new Leads(), `&lead=${leadId(9)}`);
    await dialogOpened();
    expect(textOf(within(dialog()).getByRole("alert"))).toContain("Failed to load the lead");
  });
});

describe("the list of leads", () => {
  test("says that it could not be read, and is asked for again", async () => {
    const { user } = await openLeads(new Leads(leadOf(1, "Rita Retry")), "", (api) => api.once(leads.listLeads, down));
    expect(textOf(within(panel()).getByRole("alert"))).toMatch(/Failed to load leads.*Request ID: 0123456789abcdef/);
    await user.click(button("Retry", panel()));
    await eventually(() => expect(rows()).toHaveLength(1));
  });

  test("shows those that are asked for, which the address remembers, and says where there are none", async () => {
    const kept = new Leads(leadOf(1, "Olga Open"));
    const picker = (): HTMLSelectElement => within(panel()).getByRole("combobox", { name: "Which leads" });
    const { user } = await openLeads(kept);
    await user.selectOptions(picker(), "Handled");
    await reads(panel, "No lead is handled yet");
    expect(place().get("leads")).toBe("handled");
    const { user: again } = await openLeads(kept, "&leads=handled");
    expect(picker().value).toBe("handled");
    await again.selectOptions(picker(), "All leads");
    await eventually(() => expect(rows()).toHaveLength(1));
  });

  test("is a file of the leads that it shows, as CSV and as JSON", async () => {
    const text = { csv: "Name,Phone\r\nFay File,'+1 617 555 0142\r\n", json: '[{"contact":{"name":"Fay File"}}]' };
    const { api, user } = await openLeads(new Leads(leadOf(1, "Fay File")), "", (fake) =>
      fake.on(leads.exportLeads, ({ query: { format, handled } }) => ({
        fileName: `leads-2026-11-23.${format}`,
        contentType: format === "csv" ? "text/csv" : "application/json",
        rows: handled ? 0 : 1,
        complete: !handled,
        text: handled ? "[]" : text[format],
      })),
    );
    const files = filesHandedOut();
    await user.click(button("Export CSV", panel()));
    await reads(toast, /Leads exported.*1 lead is in the file, with contact details\./);
    await user.click(button("Export JSON", panel()));
    await eventually(() => expect(files).toHaveLength(2));
    await user.selectOptions(within(panel()).getByRole("combobox", { name: "Which leads" }), "Handled");
    await settled();
    await user.click(button("Export JSON", panel()));
    await reads(toast, /0 leads are in the file, the newest ones\. One file cannot hold all of them\./);
    expect(files.map(({ name }) => name)).toEqual(["csv", "json", "json"].map((format) => `leads-2026-11-23.${format}`));
    expect(await Promise.all(files.map((file) => file.text()))).toEqual([text.csv, text.json, "[]"]);
    expect(api.received(leads.exportLeads).map(({ query }) => query)).toEqual([
      { format: "csv" },
      { format: "json" },
      { format: "json", handled: true },
    ]);
  });
});

describe("messages to patients", () => {
  const sent = (status: MessageStatus, index: number): Message => ({
    id: leadId(index),
    createdAt: "2026-05-08T09:00:00.000Z",
    channel: index % 2 ? "sms" : "email",
    purpose: "appointment_reminder",
    status,
    code: status === "failed" ? "contact_not_on_file" : null,
    sendAt: status === "queued" ? "2026-05-09T13:00:00.000Z" : null,
    callId: null,
    officeId: null,
  });
  const list = (): HTMLElement => region("Messages to Patients");

  test("say in words what became of each", async () => {
    const all = MessageStatus.options.map(sent);
    await openLeads(new Leads(), "", (api) => api.on(messages.listMessages, () => page(all)), "messages");
    const lines = [...list().querySelectorAll("tbody tr")].map((row) => textOf(row));
    expect(lines).toHaveLength(all.length);
    expect(lines[0]).toMatch(/Email Appointment reminder None Waiting It is waiting for the office to open\. It is sent May 9/);
    expect(lines[2]).toMatch(/Not sent The number or address is not on file/);
    expect(textOf(list())).toContain("10 messages shown, that is all");
  });

  test("are none before the first, and what fails can be tried again", async () => {
    const { user } = await openLeads(new Leads(), "", (api) => api.once(messages.listMessages, down), "messages");
    expect(textOf(within(list()).getByRole("alert"))).toContain("Failed to load messages");
    await user.click(button("Retry", list()));
    await reads(list, "No messages yet");
    expect(within(list()).queryByRole("alert")).toBeNull();
  });
});
