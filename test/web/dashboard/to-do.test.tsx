import { screen, within } from "@testing-library/react";
import {
  notices,
  tenant,
  tenantCalls,
  tenantDashboard,
  tenantHealth,
  type TenantNotice,
  tenantOffices,
  toDo,
  type ToDo,
  type ToDoDetail,
  type UserAccess,
} from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo, recordedAt } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  fill,
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  isGone,
  labeled,
  link,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const itemId = (number: number): string => `01hzzzzzzzzzzzzzzzzzzzzz${String(number).padStart(2, "0")}`;
const nora = { id: itemId(90), name: "Nora Nurse" };
const max = { id: itemId(91), name: "Max Manager" };
const minutes = (count: number): string => new Date(recordedAt.getTime() + count * 60_000).toISOString();
const itemOf = (number: number, more: Partial<ToDoDetail> = {}): ToDoDetail => ({
  ...{ id: itemId(number), kind: "message", topic: "refill_request", createdAt: minutes(-90), dueAt: minutes(60), doneAt: null },
  ...{ doneBy: null, owner: null, hasNote: false, callId: "c".repeat(40), officeId: null, finding: null, version: 2 },
  ...{ note: null, about: { patientId: "patient-4711" }, colleagues: [max, nora] },
  ...more,
});
const emergency = itemOf(1, { kind: "emergency", topic: "medical", dueAt: minutes(-90), about: { phone: "+1 617 555 0101" } });
const refill = itemOf(2);
const lead = itemOf(3, {
  kind: "lead",
  topic: "billing",
  callId: null,
  about: { name: "Lena Lead", phone: "+1 617 555 0142", said: "After five" },
});
const listed = ({ note: _note, about: _about, colleagues: _colleagues, ...item }: ToDoDetail): ToDo => item;

/** An API that keeps items. */
class Items {
  all: ToDoDetail[];
  constructor(...all: ToDoDetail[]) {
    this.all = all;
  }
  find(id: string): ToDoDetail | undefined {
    return this.all.find((one) => one.id === id);
  }
  change(id: string, change: Partial<ToDoDetail>): ToDo {
    this.all = this.all.map((one) => (one.id === id ? { ...one, ...change, version: one.version + 1 } : one));
    return listed(this.find(id)!);
  }
  serve(api: FakeApi): void {
    const open = () => this.all.filter(({ doneAt }) => doneAt === null);
    api.on(toDo.listToDo, ({ query: { done = false } }) => this.all.filter(({ doneAt }) => done === (doneAt !== null)).map(listed));
    api.on(toDo.countToDo, () => ({
      open: open().length,
      emergencies: open().filter(({ kind }) => kind === "emergency").length,
      hasMore: false,
    }));
    api.on(toDo.readToDo, ({ params }) => this.find(params.toDoId) ?? refusal(404, { code: "not_found" }));
    api.on(toDo.changeToDo, ({ params: { toDoId }, body: { done, ownerId, dueAt, note }, ifMatch }) => {
      const item = this.find(toDoId);
      if (!item || ifMatch !== item.version) return refusal(409, { error: "It was changed meanwhile.", code: "stale_version" });
      return this.change(toDoId, {
        ...(done === undefined ? {} : { doneAt: done ? recordedAt.toISOString() : null, doneBy: done ? nora : null }),
        ...(ownerId === undefined ? {} : { owner: item.colleagues.find(({ id }) => id === ownerId) ?? null }),
        ...(dueAt === undefined ? {} : { dueAt }),
        ...(note === undefined ? {} : { note, hasNote: note !== null }),
      });
    });
  }
}

const openPage = (kept: Items, query = "", before: (api: FakeApi) => void = () => {}, me: { access?: UserAccess } = {}) =>
  asTenant(`/tenant/to-do${query}`, {
    me,
    before(api) {
      kept.serve(api);
      before(api);
    },
  });
const panel = (name = "Open"): HTMLElement => region(name);
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const place = (): URLSearchParams => new URLSearchParams(location.search);
const badge = (): HTMLElement => link(/^To do/, screen.getByRole("navigation", { name: "Main" }));

describe("the page To do", () => {
  test("lists what is to be done without patients, says what is overdue, and the badge says how much there is", async () => {
    const { api } = await openPage(new Items(emergency, refill, lead));
    expect(rows().map((row) => textOf(within(row).getAllByRole("cell")[0]!))).toEqual([
      expect.stringMatching(/^Emergency: told to call 911/),
      expect.stringMatching(/^Refill request/),
      expect.stringMatching(/^Call back: billing/),
    ]);
    expect(textOf(rows()[0]!)).toContain("Overdue");
    expect(textOf(rows()[1]!)).not.toContain("Overdue");
    expect(textOf(badge())).toBe("To do 3 open, emergencies: 1");
    expect(textOf(document.body)).not.toMatch(/4711|Lena|617/);
    expect(api.received(toDo.readToDo)).toEqual([]);
    expect(
      within(rows()[1]!)
        .getByRole("link", { name: /^A call/ })
        .getAttribute("href"),
    ).toBe(`/tenant/calls?${new URLSearchParams({ call: "c".repeat(40), moment: refill.createdAt })}`);
  });

  test("names what else is open from the same call, so that no one is called back twice", async () => {
    const callId = "d".repeat(40);
    const unresolved = itemOf(4, { kind: "unresolved_call", topic: null, callId });
    const { user } = await openPage(new Items(refill, unresolved, itemOf(5, { kind: "lead", topic: "billing", callId }), lead));
    const [other, first, second, uncalled] = rows() as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
    expect(textOf(first)).toContain("Same call as “Call back: billing”");
    expect(textOf(second)).toContain("Same call as “Unresolved call”");
    for (const row of [other, uncalled]) expect(textOf(row)).not.toContain("Same call");
    await user.click(within(second).getByRole("button", { name: /^Done/ }));
    await eventually(() => expect(textOf(rows()[1]!)).not.toContain("Same call"));
    await settled();
  });

  test("marks an item as done with the keyboard, and undoes it; the badge follows without a reload", async () => {
    const kept = new Items(emergency, refill);
    const { api, user } = await openPage(kept);
    within(rows()[1]!)
      .getByRole("button", { name: /^Done.*Refill request/ })
      .focus();
    await user.keyboard("{Enter}");
    await eventually(() => expect(textOf(rows()[1]!)).toMatch(/Done .* by Nora Nurse/));
    await eventually(() => expect(textOf(badge())).toBe("To do 1 open, emergencies: 1"));
    await user.click(within(rows()[1]!).getByRole("button", { name: /^Undo.*Refill request/ }));
    await eventually(() => expect(textOf(rows()[1]!)).not.toContain("Undo"));
    expect(api.received(toDo.changeToDo).map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
      [{ done: true }, 2],
      [{ done: false }, 3],
    ]);
    expect(api.received(toDo.listToDo)).toHaveLength(1);
    await settled();
  });

  test("tells that a colleague was faster, and shows the item as it is now", async () => {
    const kept = new Items(refill);
    const { user } = await openPage(kept);
    kept.change(refill.id, { owner: max });
    await user.click(within(rows()[0]!).getByRole("button", { name: /^Done/ }));
    await reads(toast, /A colleague has changed this in the meantime/);
    await eventually(() => expect(textOf(rows()[0]!)).toContain("Max Manager"));
    expect(kept.find(refill.id)?.doneAt).toBeNull();
    await settled();
  });

  test("is read on coming to it and on Refresh, and never by itself", async () => {
    const kept = new Items(refill);
    const { api, user } = await openPage(kept);
    expect([api.received(toDo.listToDo).length, api.received(toDo.countToDo).length]).toEqual([1, 1]);
    kept.all.push(lead);
    await user.click(button("Refresh"));
    await eventually(() => expect(rows()).toHaveLength(2));
    expect([api.received(toDo.listToDo).length, api.received(toDo.countToDo).length]).toEqual([2, 2]);
    await user.click(link(/^Your account/));
    await settled();
    kept.all.push(emergency);
    await user.click(link(/^To do \d/));
    await settled();
    await eventually(() => expect(rows()).toHaveLength(3));
    expect(api.received(toDo.listToDo)).toHaveLength(3);
  });

  test("asks the API for the filters in the address, and says when nothing is left", async () => {
    const { api, user } = await openPage(new Items(), "?group=bookings&owner=mine");
    expect(api.received(toDo.listToDo)[0]?.query).toMatchObject({ done: false, group: "bookings", mine: true });
    expect(textOf(panel())).toContain("Nothing here");
    await user.selectOptions(labeled("Which items"), "Everything");
    await user.selectOptions(labeled("Whose"), "Without an owner");
    await settled();
    expect(place().get("owner")).toBe("none");
    const { mine, unassigned } = api.received(toDo.listToDo).at(-1)!.query;
    expect([mine, unassigned]).toEqual([undefined, true]);
    await user.selectOptions(labeled("Whose"), "Anyone's");
    await reads(() => panel(), "Nothing to do");
    await user.selectOptions(labeled("Open or done"), "Done");
    await reads(() => panel("Done"), "Nothing done yet");
    expect(place().get("show")).toBe("done");
    expect(textOf(badge())).toBe("To do");
  });

  test("shows one office's items where there are several, and leaves the choice out where there is one", async () => {
    const [first, second] = demo("tenant_admin", tenantOffices.officeCards);
    const { api, user } = await openPage(new Items(refill), "", (api) => api.on(tenantOffices.officeCards, () => [first!, second!]));
    await eventually(() => expect(labeled("Office")).toBeTruthy());
    await user.selectOptions(labeled("Office"), second!.name);
    await settled();
    expect(api.received(toDo.listToDo).at(-1)?.query).toMatchObject({ officeId: second!.id });
    expect(place().get("office")).toBe(second!.id);
    await openPage(new Items(refill), "", (api) => api.on(tenantOffices.officeCards, () => [first!]));
    expect(screen.queryByLabelText("Office")).toBeNull();
  });

  test("goes on with further pages on request", async () => {
    const { user } = await openPage(new Items(), "", (api) =>
      api.on(toDo.listToDo, ({ query: { cursor } }) => (cursor ? [listed(lead)] : page([listed(refill)], "more"))),
    );
    await user.click(button(/^Load more/));
    await eventually(() => expect(rows()).toHaveLength(2));
  });
});

describe("an item", () => {
  test("shows its patient when it is opened, takes an owner and a note, and is marked as done", async () => {
    const kept = new Items(lead);
    const { api, user } = await openPage(kept);
    await user.click(button("Call back: billing"));
    await dialogOpened();
    expect(place().get("item")).toBe(lead.id);
    expect(described("Name", dialog())).toBe("Lena Lead");
    expect(link("+1 617 555 0142", dialog()).getAttribute("href")).toBe("tel:+16175550142");
    expect(textOf(dialog())).toMatch(/After five.*recorded in the audit log/);
    await user.selectOptions(labeled("Owner", dialog()), "Nora Nurse");
    await user.type(labeled("Note", dialog()), "Calls back at five");
    await user.click(button("Save changes", dialog()));
    await eventually(() => expect(textOf(rows()[0]!)).toMatch(/Has a note.*Nora Nurse/));
    await user.click(button("Mark as done", dialog()));
    await reads(dialog, "Reopen");
    await settled();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(api.received(toDo.changeToDo).map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
      [{ ownerId: nora.id, note: "Calls back at five" }, 2],
      [{ done: true }, 3],
    ]);
    expect(location.href).not.toMatch(/Lena|617|five/);
  });

  test("saves what was typed with the mark as done, in one request, and marks nothing that cannot be saved", async () => {
    const kept = new Items(refill);
    const { api, user } = await openPage(kept, `?item=${refill.id}`);
    await dialogOpened();
    await user.type(labeled("Note", dialog()), "Sent to the pharmacy");
    fill("Due", "", dialog());
    await user.click(button("Mark as done", dialog()));
    await reads(dialog, "Enter a date and a time");
    expect(api.received(toDo.changeToDo)).toEqual([]);
    fill("Due", "2026-12-02T09:30", dialog());
    await user.click(button("Mark as done", dialog()));
    await reads(dialog, "Reopen");
    await settled();
    expect(api.received(toDo.changeToDo).map(({ body, ifMatch }) => [body, ifMatch])).toEqual([
      [{ done: true, note: "Sent to the pharmacy", dueAt: "2026-12-02T14:30:00.000Z" }, refill.version],
    ]);
    expect(labeled("Note", dialog()).value).toBe("Sent to the pharmacy");
  });

  test("is not marked over what a colleague has changed, and keeps what was typed", async () => {
    const kept = new Items(refill);
    const { user } = await openPage(kept, `?item=${refill.id}`);
    await dialogOpened();
    await user.type(labeled("Note", dialog()), "Called");
    kept.change(refill.id, {});
    await user.click(button("Mark as done", dialog()));
    await reads(dialog, /A colleague has changed this in the meantime/);
    expect(kept.find(refill.id)?.doneAt).toBeNull();
    expect(labeled("Note", dialog()).value).toBe("Called");
    await settled();
  });

  test("names the patient, the medication and the caller's words, and says why a name is missing", async () => {
    const said = "I'm almost out";
    const named = itemOf(7, { about: { patientId: "patient-4711", name: "Rosa Refill", medication: "Atorvastatin 20 mg", said } });
    const unverified = itemOf(8, { kind: "emergency", topic: "medical", about: { phone: "16175550116" } });
    const kept = new Items(named, refill, unverified);
    const opened = async ({ id }: ToDoDetail) => {
      await openPage(kept, `?item=${id}`);
      await dialogOpened();
      return dialog();
    };
    const ofRefill = await opened(named);
    expect(["Name", "Medication", "Details"].map((name) => described(name, ofRefill))).toEqual(["Rosa Refill", "Atorvastatin 20 mg", said]);
    expect(described("Name", await opened(refill))).toMatch(/^Not stored with this item/);
    const ofEmergency = await opened(unverified);
    expect(described("Name", ofEmergency)).toBe("Not known, as the caller was not verified.");
    expect(link("+1 617 555 0116", ofEmergency).getAttribute("href")).toBe("tel:+16175550116");
  });

  test("keeps what was typed when a colleague has saved meanwhile, and sends only that the second time", async () => {
    const kept = new Items(refill);
    const { api, user } = await openPage(kept, `?item=${refill.id}`);
    await dialogOpened();
    await user.type(labeled("Note", dialog()), "Sent to the pharmacy");
    kept.change(refill.id, { owner: max });
    await user.click(button("Save changes", dialog()));
    await reads(dialog, /Someone else has changed this item.*They changed: Owner/);
    expect(labeled("Note", dialog()).value).toBe("Sent to the pharmacy");
    await user.click(button("Save changes", dialog()));
    await eventually(() => expect(kept.find(refill.id)).toMatchObject({ note: "Sent to the pharmacy", owner: max }));
    expect(api.received(toDo.changeToDo).at(-1)?.body).toEqual({ note: "Sent to the pharmacy" });
    await settled();
  });

  test("takes another due time in the organization's time zone, and keeps it when a colleague has saved meanwhile", async () => {
    const kept = new Items({ ...refill, dueAt: "2026-11-30T20:14:09.500Z" });
    const { api, user } = await openPage(kept, `?item=${refill.id}`);
    await dialogOpened();
    const { timeZone } = demo("tenant_admin", tenant.tenantSettings);
    expect([timeZone, labeled("Due", dialog()).value]).toEqual(["America/New_York", "2026-11-30T15:14"]);
    fill("Due", "", dialog());
    await user.click(button("Save changes", dialog()));
    await reads(dialog, "Enter a date and a time");
    expect(api.received(toDo.changeToDo)).toEqual([]);
    fill("Due", "2026-12-02T09:30", dialog());
    kept.change(refill.id, { owner: max });
    await user.click(button("Save changes", dialog()));
    await reads(dialog, /Someone else has changed this item.*They changed: Owner/);
    await user.click(button("Save changes", dialog()));
    await eventually(() => expect(kept.find(refill.id)).toMatchObject({ dueAt: "2026-12-02T14:30:00.000Z", owner: max }));
    expect(api.received(toDo.changeToDo).at(-1)?.body).toEqual({ dueAt: "2026-12-02T14:30:00.000Z" });
    await eventually(() => expect(textOf(rows()[0]!)).toContain("Dec 2"));
    await settled();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    // Read at first, when the colleague was faster, and now that the order has changed.
    await eventually(() => expect(api.received(toDo.listToDo)).toHaveLength(3));
  });

  test("of trouble with connections says what is wrong now, and staff who may not mend it are told whom to ask", async () => {
    const ofTopic = (number: number, topic: string) => itemOf(number, { kind: "connection", topic, callId: null, about: null });
    const [missing, failing] = [ofTopic(4, "no_record_system"), ofTopic(5, "tools_fail")];
    const found: TenantNotice[] = [
      { kind: "no_record_system", names: ["Uptown"], runs: null, failedRuns: null },
      { kind: "tools_fail", names: ["getPatientInfo"], runs: 10, failedRuns: 6 },
    ];
    const opened = async ({ id }: ToDoDetail, access: UserAccess, said: RegExp) => {
      await openPage(new Items(missing, failing), `?item=${id}`, (api) => api.on(tenantHealth.tenantNotices, () => found), { access });
      await dialogOpened();
      await reads(dialog, said);
      return dialog();
    };
    const ofAdministrator = await opened(missing, "administrator", /assigned to Uptown/);
    expect(link("Record systems", ofAdministrator).getAttribute("href")).toBe("/tenant?tab=fhir");
    const ofStaff = await opened(missing, "staff", /assigned to Uptown/);
    expect(textOf(ofStaff)).toContain("Ask an administrator of your organization.");
    expect(within(ofStaff).queryByRole("link")).toBeNull();
    const calls = link("Calls with failed tools", await opened(failing, "staff", /6 of 10 tool runs failed/));
    expect(calls.getAttribute("href")).toBe("/tenant/calls?range=24hours&toolFailed=true&withoutTests=true");
  });

  test("of a connection leads to where it is mended, and one that is gone says so", async () => {
    const connection = itemOf(4, { kind: "connection", topic: "record_system", callId: null, about: null });
    await openPage(new Items(connection), `?item=${connection.id}`);
    await dialogOpened();
    expect(link("Record systems", dialog()).getAttribute("href")).toBe("/tenant?tab=fhir");
    await openPage(new Items(), `?item=${itemId(5)}`);
    await dialogOpened();
    await reads(dialog, /Failed to load the item/);
  });

  test("leads to the moment of its call", async () => {
    const call = { ...itemOf(6), callId: "d".repeat(40) };
    await asTenant(`/tenant?tab=analytics&call=${call.callId}&moment=${encodeURIComponent(minutes(-50))}`, {
      before(api) {
        new Items().serve(api);
        api.on(tenantDashboard.charts, () => []);
        api.on(tenantCalls.listCalls, () => []);
        const run = (number: number, at: number) => ({
          ...{ id: itemId(number), createdAt: minutes(at), toolName: `tool${number}`, status: "succeeded", code: null, ms: 5 },
          ...{ requestId: `request-${number}`, callId: call.callId },
        });
        api.on(
          tenantCalls.readCall,
          () =>
            ({
              ...{ id: call.callId, platform: "vapi", createdAt: minutes(-60), duration: 600, status: "completed", toolsUsed: [] },
              ...{ resolved: true, forwarded: false, abandoned: false, outcome: null, endedReason: null, officeId: null, agentId: null },
              ...{ direction: null, success: null, needsFollowUp: false, version: 1, platformCallId: null, endedAt: null, cost: null },
              ...{ agentName: null, sentiment: null, latency: null, callerNumber: null, calledNumber: null, forwardedTo: null },
              ...{ analysis: null, scores: [], rating: null, language: null, recordingConsent: null, summary: null, transcript: null },
              ...{
                textsRemovedAt: null,
                intent: null,
                numberEnding: null,
                results: [],
                followUp: null,
                toolRuns: [run(1, -58), run(2, -50), run(3, -41)],
              },
            }) as never,
        );
      },
    });
    await dialogOpened();
    const current = within(dialog())
      .getAllByRole("listitem")
      .filter((one) => one.getAttribute("aria-current") === "true");
    expect(current.map((one) => textOf(one))).toEqual([expect.stringContaining("request-2")]);
    expect(screen.queryAllByRole("alert")).toEqual([]);
  });
});

describe("notices by mail", () => {
  test("are chosen by each person, with quiet hours, and a colleague's device that was faster is told", async () => {
    let kept = { daily: false, dailyAt: "07:30", emergencies: false, quiet: null as { from: string; to: string } | null, version: 1 };
    const { api, user } = await openPage(new Items(), "", (fake) => {
      fake.on(notices.readNotices, () => kept);
      fake.on(notices.changeNotices, ({ body, ifMatch }) =>
        ifMatch === kept.version
          ? (kept = { ...body, version: kept.version + 1 })
          : refusal(409, { error: "It was changed meanwhile.", code: "stale_version" }),
      );
    });
    const part = region("Email notices");
    await user.click(labeled("Immediately: each emergency", part));
    await user.click(labeled("Quiet hours", part));
    fill("Quiet until", "21:00", part);
    await user.click(button("Save notices", part));
    await reads(() => region("Email notices"), "Must not be the time of the start");
    const isTaken = (to: string) =>
      notices.changeNotices.body.safeParse({ daily: false, dailyAt: "07:30", emergencies: true, quiet: { from: "21:00", to } }).success;
    expect(["21:00", "07:00"].map(isTaken)).toEqual([false, true]);
    fill("Quiet until", "07:00", part);
    await user.click(button("Save notices", part));
    await reads(toast, "Notices saved");
    const chosen = { daily: false, dailyAt: "07:30", emergencies: true, quiet: { from: "21:00", to: "07:00" } };
    expect(api.received(notices.changeNotices).map(({ body, ifMatch }) => [body, ifMatch])).toEqual([[chosen, 1]]);
    kept = { ...kept, dailyAt: "06:00", version: 3 };
    await user.click(labeled("Every day: number of open items", part));
    await user.click(button("Save notices", part));
    await reads(() => region("Email notices"), /Someone else has changed this choice.*They changed: At/);
    await settled();
  });
});
