import { newId } from "@vitaline/core";
import { create, keys, put, type OfficeRow, type TenantRow } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { recordCalendarChanges, readEntries, type CalendarChange } from "./entries.ts";
import { deleteCalendarFeed, renewCalendarFeed, readCalendarFeed } from "./feed.ts";
import { readCalendar } from "./ical.ts";

let it: TestAws;
let tenants: [TenantRow, TenantRow];
beforeAll(async () => {
  it = await startTestAws();
  tenants = [await addTenantRow(it.platform(), it.tenants[0], "One"), await addTenantRow(it.platform(), it.tenants[1], "Two")];
});
afterAll(() => it.close());

const configured = { category: "configuration_change", action: "test", resourceType: "Office" } as const;
const addOffice = async (which: 0 | 1, name: string): Promise<OfficeRow> => {
  const office = { id: newId(), name, address: "1 Main Street", isActive: true, createdAt: new Date().toISOString() };
  await it.inTenant(it.tenants[which]).store.commit([create(keys.office(office.id), office)], configured);
  return office;
};
const one = () => it.inTenant(it.tenants[0]);
const secretIn = (url: string): string => /\/api\/calendar\/([\w-]{43})\.ics$/.exec(url)?.[1] ?? "";
const calendar = (url: string) => readCalendar(it.platform({ kind: "nobody", id: "anonymous" }), secretIn(url));
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const made = (officeId: string, appointmentId: string, start: string, end?: string): CalendarChange => ({
  kind: "booked",
  tenantId: it.tenants[0],
  providerId: "provider",
  appointmentId,
  officeId,
  start,
  ...(end ? { end } : {}),
  at: inDays(0),
});
const givenUp = (appointmentId: string, start?: string): CalendarChange => ({
  kind: "cancelled",
  tenantId: it.tenants[0],
  providerId: "provider",
  appointmentId,
  ...(start ? { start } : {}),
  at: inDays(0),
});
const note = (...changes: CalendarChange[]) => recordCalendarChanges(it.platform({ kind: "system", id: "project" }), changes);
/** Unfolds lines (RFC 5545). */
const eventsIn = (text: string): Record<string, string>[] =>
  text
    .replaceAll(/\r?\n /g, "")
    .split("BEGIN:VEVENT")
    .slice(1)
    .map((event) =>
      Object.fromEntries(event.split(/\r?\n/).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)])),
    );
const compact = (instant: string): string => `${instant.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

test("an office's calendar shows its current appointments of the last month and the future, without any patient", async () => {
  const [office, other] = [await addOffice(0, "Harbor"), await addOffice(0, "Hill")];
  const [past, old, next, later] = [inDays(-29), inDays(-31), inDays(2), inDays(3)];
  await note(
    made(office.id, "a-past", past),
    made(office.id, "a-old", old),
    made(office.id, "a-next", next, inDays(2.01)),
    made(office.id, "a-moved", next),
    givenUp("a-moved", next),
    made(office.id, "a-instead", later),
    made(other.id, "a-elsewhere", next),
    givenUp("not-ours", next),
  );
  const { url } = await renewCalendarFeed(one(), office.id);
  const { text, etag } = await calendar(url);
  const events = eventsIn(text);
  const wanted = [
    [past, "CONFIRMED"],
    [next, "CONFIRMED"],
    [next, "CANCELLED"],
    [later, "CONFIRMED"],
  ].map(([start = "", status]) => `${compact(start)} ${status}`);
  expect(events.map(({ DTSTART, STATUS }) => `${DTSTART} ${STATUS}`).toSorted()).toEqual(wanted.toSorted());
  for (const event of events) expect(event).toMatchObject({ SUMMARY: "Appointment" });
  expect(new Set(events.map(({ UID }) => UID)).size).toBe(4);
  // A missing end is half an hour after the start.
  const { DTSTART = "", DTEND = "" } = events[0] ?? {};
  const parse = (word: string) => Date.parse(word.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, "$1-$2-$3T$4:$5:$6"));
  expect(parse(DTEND) - parse(DTSTART)).toBe(30 * 60_000);
  expect(text).not.toMatch(/a-next|a-past|patient|provider/);
  expect(await calendar(url)).toEqual({ text, etag });
  await note(givenUp("a-instead", later));
  expect((await calendar(url)).etag).not.toBe(etag);
});

test("D11: an appointment of a call without an office goes to the tenant's only office, and to none of several", async () => {
  const tenantId = newId();
  const ctx = it.inTenant(tenantId);
  await addTenantRow(it.platform(), tenantId, "Small");
  const add = async (name: string): Promise<string> => {
    const office = { id: newId(), name, address: "1 Main Street", isActive: true, createdAt: new Date().toISOString() };
    await ctx.store.commit([create(keys.office(office.id), office)], configured);
    return office.id;
  };
  const ofNoOffice = (appointmentId: string): CalendarChange => ({
    kind: "booked",
    tenantId,
    providerId: "provider",
    appointmentId,
    start: inDays(4),
    at: inDays(0),
  });
  const only = await add("Only");
  const { url } = await renewCalendarFeed(ctx, only);
  await note(ofNoOffice("of-one"));
  expect(eventsIn((await calendar(url)).text)).toHaveLength(1);
  await add("Second");
  await note(ofNoOffice("of-two"));
  expect(eventsIn((await calendar(url)).text)).toHaveLength(1);
});

test("a cancelled appointment stays cancelled, in any order and with any repetition of its events", async () => {
  const office = await addOffice(0, "Order");
  const { url } = await renewCalendarFeed(one(), office.id);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("booked", "cancelled", "cancelled without start"), { minLength: 1, maxLength: 6 }),
      async (heard) => {
        const id = `order-${++runs}`;
        const start = inDays(runs);
        for (const kind of heard)
          await note(kind === "booked" ? made(office.id, id, start) : givenUp(id, kind === "cancelled" ? start : undefined));
        const shown = eventsIn((await calendar(url)).text).filter(({ DTSTART }) => DTSTART === compact(start));
        const status = heard.some((kind) => kind !== "booked") ? "CANCELLED" : "CONFIRMED";
        expect(shown.map(({ STATUS }) => STATUS)).toEqual(heard.includes("booked") ? [status] : []);
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test("a full calendar prefers upcoming entries to past ones, the nearest first", async () => {
  const office = await addOffice(0, "Full");
  const days = [-3, -2, -1, 1, 2, 3];
  await note(...days.map((day) => made(office.id, `full-${day}`, inDays(day))));
  const { store, tenantId } = one();
  const shown = async (most: number) =>
    (await readEntries(store, { tenantId, officeId: office.id }, new Date(), most)).map(({ start }) =>
      Math.round((Date.parse(start) - Date.now()) / 86_400_000),
    );
  expect(await shown(2)).toEqual([1, 2]);
  expect(await shown(3)).toEqual([1, 2, 3]);
  expect(await shown(5)).toEqual([-2, -1, 1, 2, 3]);
  expect(await shown(9)).toEqual(days);
});

test("punctuation in an office's name is escaped", async () => {
  const { id } = await addOffice(0, "Ear, Nose; Throat");
  const { text } = await calendar((await renewCalendarFeed(one(), id)).url);
  expect(text).toContain("NAME:Appointments booked through Ear\\, Nose\\; Throat");
});

test("a feed address is shown once and not stored; a new one replaces it, and it can be deleted", async () => {
  const office = await addOffice(0, "Secret");
  expect(await readCalendarFeed(one(), office.id)).toEqual({ isOn: false, createdAt: null });
  const first = await renewCalendarFeed(one(), office.id);
  expect(first.url).toMatch(/^http:\/\/localhost\/api\/calendar\/[\w-]{43}\.ics$/);
  expect(await readCalendarFeed(one(), office.id)).toEqual({ isOn: true, createdAt: first.createdAt });
  const second = await renewCalendarFeed(one(), office.id);
  await expect(calendar(first.url)).rejects.toMatchObject({ code: "not_found" });
  await calendar(second.url);
  await deleteCalendarFeed(one(), office.id);
  await deleteCalendarFeed(one(), office.id);
  await expect(calendar(second.url)).rejects.toMatchObject({ code: "not_found" });
  expect(await readCalendarFeed(one(), office.id)).toEqual({ isOn: false, createdAt: null });
  const outcomes = await Promise.allSettled([renewCalendarFeed(one(), office.id), renewCalendarFeed(one(), office.id)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
});

test("another tenant's office is not found", async () => {
  const theirs = await addOffice(1, "Theirs");
  for (const officeId of [theirs.id, newId()])
    for (const verb of [readCalendarFeed, renewCalendarFeed, deleteCalendarFeed])
      await expect(verb(one(), officeId)).rejects.toMatchObject({ code: "not_found" });
});

test("an unknown address and one of an inactive office or tenant are not found", async () => {
  const office = await addOffice(0, "Closing");
  const { url } = await renewCalendarFeed(one(), office.id);
  await calendar(url);
  for (const wrong of ["", "x".repeat(43), secretIn(url).slice(1), `${secretIn(url)}x`])
    await expect(readCalendar(it.platform(), wrong)).rejects.toMatchObject({ code: "not_found" });
  await one().store.commit([put(keys.office(office.id), { ...office, isActive: false })], configured);
  await expect(calendar(url)).rejects.toMatchObject({ code: "not_found" });
  await one().store.commit([put(keys.office(office.id), office)], configured);
  await one().store.commit([put(keys.tenantConfig(), { ...tenants[0], isActive: false })], configured);
  await expect(calendar(url)).rejects.toMatchObject({ code: "not_found" });
  await one().store.commit([put(keys.tenantConfig(), tenants[0])], configured);
  await calendar(url);
});
