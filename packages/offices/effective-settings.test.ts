import { suggestedTimeZones, weekdays, type BusinessHours } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationsFor, effectiveFacts, hoursOf, isOpen, templateOf, defaultLanguageOf } from "./index.ts";

const tenant = { timeZone: "America/New_York" };
const nineToFive: BusinessHours = { start: "09:00", end: "17:00", timezone: "America/New_York" };

const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
const clock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const opening = fc
  .tuple(minutes, minutes)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ start: clock(Math.min(one, other)), end: clock(Math.max(one, other)) }));
const zones = fc.constantFrom(...suggestedTimeZones, "Asia/Kolkata", "Pacific/Auckland", "Europe/London", "UTC");
const anyHours: fc.Arbitrary<BusinessHours> = fc
  .tuple(opening, zones, fc.dictionary(fc.constantFrom(...weekdays), fc.option(opening)))
  .map(([range, timezone, days]) => ({ ...range, timezone, days }));
const instants = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });

describe("hours", () => {
  test("are the office's own, else the tenant's, else the usual ones in the tenant's zone", () => {
    const own = { ...nineToFive, start: "07:00" };
    const ofTenant = { ...nineToFive, start: "08:00" };
    const preferences = {
      defaultMethod: "email" as const,
      emailEnabled: true,
      smsEnabled: true,
      phoneEnabled: true,
      businessHours: ofTenant,
    };
    expect(hoursOf({ ...tenant, contactPreferences: preferences }, { businessHours: own })).toEqual(own);
    expect(hoursOf({ ...tenant, contactPreferences: preferences }, {})).toEqual(ofTenant);
    expect(hoursOf({ timeZone: "America/Denver" })).toEqual({ ...nineToFive, timezone: "America/Denver" });
  });

  test("begin with their first minute and end before their last, by the clock of their own zone, in summer and in winter", () => {
    const at = (instant: string) => isOpen(nineToFive, new Date(instant));
    expect([at("2026-01-14T13:59:59Z"), at("2026-01-14T14:00:00Z"), at("2026-01-14T21:59:59Z"), at("2026-01-14T22:00:00Z")]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([at("2026-07-15T12:59:59Z"), at("2026-07-15T13:00:00Z"), at("2026-07-15T20:59:59Z"), at("2026-07-15T21:00:00Z")]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test("of a day stand before those of all days, and a day that is null is closed", () => {
    const hours: BusinessHours = { ...nineToFive, days: { sunday: null, saturday: { start: "10:00", end: "12:00" } } };
    const at = (instant: string) => isOpen(hours, new Date(instant));
    // Friday 10 p.m. in New York is Saturday in UTC.
    expect([at("2026-01-17T15:30:00Z"), at("2026-01-17T18:00:00Z"), at("2026-01-18T15:30:00Z"), at("2026-01-19T18:00:00Z")]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(
      isOpen({ start: "21:00", end: "23:00", timezone: "America/New_York", days: { saturday: null } }, new Date("2026-01-17T03:00:00Z")),
    ).toBe(true);
  });

  test("agree for any zone, hours and instant with a clock that is read another way", () => {
    fc.assert(
      fc.property(anyHours, instants, (hours, at) => {
        // sv-SE writes "2026-01-17 09:05:00"; parsed as UTC it gives the zone's weekday.
        const wall = new Date(`${at.toLocaleString("sv-SE", { timeZone: hours.timezone }).replace(" ", "T")}Z`);
        const day = weekdays[(wall.getUTCDay() + 6) % 7];
        const own = day && hours.days?.[day];
        const today = own === undefined ? hours : own;
        const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
        const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
        // 23:59 stands for the end of the day.
        const endOf = (text: string) => (text === "23:59" ? 24 * 60 : minuteOf(text));
        expect(isOpen(hours, at)).toBe(today !== null && minuteOf(today.start) <= minute && minute < endOf(today.end));
      }),
      { examples: [[{ start: "00:00", end: "23:59", timezone: "Europe/London" }, new Date("2034-12-31T23:59:00.000Z")]] },
    );
  });
});

describe("staff routing", () => {
  const desk = { label: "Desk", phone: "555 1", reasons: [] };
  const nurse = { label: "Nurse", phone: "555 2", reasons: ["Prescription", "clinical"] };
  const night = { label: "Night", phone: "555 3", reasons: [], hours: { start: "17:00", end: "23:59", timezone: "America/New_York" } };
  const office = { isActive: true, staffRouting: [night, nurse, desk] };
  const [noon, evening] = [new Date("2026-01-14T17:00:00Z"), new Date("2026-01-15T00:00:00Z")];
  const labels = (reason: string | undefined, at: Date, change: object = {}) =>
    destinationsFor(tenant, { ...office, ...change }, reason, at).map(({ label }) => label);

  test("returns the staff on duty for the reason, in the office's order", () => {
    expect(labels("prescription", noon)).toEqual(["Nurse", "Desk"]);
    expect(labels("billing", noon)).toEqual(["Desk"]);
    expect(labels(undefined, noon)).toEqual(["Desk"]);
    expect(labels("prescription", evening)).toEqual(["Night"]);
  });

  test("uses the office's hours for a destination without its own, and is empty for an inactive office or one without destinations", () => {
    expect(labels("billing", evening, { businessHours: { ...nineToFive, end: "20:00" } })).toEqual(["Night", "Desk"]);
    expect(labels("prescription", noon, { isActive: false })).toEqual([]);
    expect(labels("prescription", noon, { staffRouting: undefined })).toEqual([]);
  });

  test("has no one on duty in the office's breaks but who has hours of their own", () => {
    const lunch = { businessHours: { ...nineToFive, breaks: [{ start: "12:00", end: "13:00" }] } };
    expect(labels("prescription", noon, lunch)).toEqual([]);
    expect(labels("prescription", new Date("2026-01-14T18:00:00Z"), lunch)).toEqual(["Nurse", "Desk"]);
    expect(labels("billing", noon, { ...lunch, staffRouting: [desk, { ...night, hours: nineToFive }] })).toEqual(["Night"]);
  });

  test("never gives a destination that it was not told, nor changes the order", () => {
    const destination = fc.record({
      label: fc.string(),
      phone: fc.string(),
      reasons: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
      hours: fc.option(anyHours),
    });
    fc.assert(
      fc.property(
        fc.array(destination, { maxLength: 6 }),
        fc.constantFrom("a", "B", "z", undefined),
        anyHours,
        instants,
        (staffRouting, reason, businessHours, at) => {
          const given = destinationsFor(tenant, { isActive: true, businessHours, staffRouting }, reason, at);
          expect(given).toEqual(staffRouting.filter((each) => given.includes(each)));
          for (const { reasons, hours } of given) {
            expect(isOpen(hours ?? businessHours, at)).toBe(true);
            expect(reasons.length === 0 || reasons.includes(reason?.toLowerCase() ?? "")).toBe(true);
          }
        },
      ),
    );
  });
});

test("a text is the office's, else the tenant's, else the built-in one", () => {
  const mine = { messageTemplates: { appointmentConfirmation: undefined, appointmentReminder: undefined, followUp: "From the office" } };
  const ours = {
    messageTemplates: { appointmentConfirmation: undefined, appointmentReminder: "From the tenant", followUp: "From the tenant" },
  };
  expect(templateOf(ours, mine, "followUp")).toBe("From the office");
  expect(templateOf(ours, mine, "appointmentReminder")).toBe("From the tenant");
  expect(templateOf(ours, undefined, "followUp")).toBe("From the tenant");
  expect(templateOf(ours, mine, "appointmentConfirmation")).toContain("{date}");
  const spanish = { ...mine, spanishMessageTemplates: { followUp: "Del consultorio" } };
  expect(templateOf(ours, spanish, "followUp", "es")).toBe("Del consultorio");
  expect(
    templateOf({ ...ours, spanishMessageTemplates: { appointmentReminder: "De la clínica" } }, spanish, "appointmentReminder", "es"),
  ).toBe("De la clínica");
  expect(templateOf(ours, mine, "followUp", "es")).toContain("Gracias por llamar a {office}.");
});

test("each fact is the office's, else the tenant's, and holidays belong to the hours", () => {
  const ofTenant = { parking: "In the lot", insurance: ["Aetna"], holidays: [{ date: "2026-12-25", name: "Christmas Day" }] };
  const office = { businessHours: nineToFive, facts: { insurance: ["Cigna"], parking: undefined } };
  expect(effectiveFacts({ facts: ofTenant }, office)).toEqual({ ...ofTenant, insurance: ["Cigna"] });
  expect(effectiveFacts({ facts: ofTenant })).toEqual(ofTenant);
  expect(effectiveFacts({}, {})).toEqual({});
  expect(hoursOf({ ...tenant, facts: ofTenant }, office)).toEqual({ ...nineToFive, holidays: ofTenant.holidays });
  const own = [{ date: "2026-12-24", name: "Christmas Eve" }];
  expect(hoursOf({ ...tenant, facts: ofTenant }, { ...office, facts: { holidays: own } })).toEqual({ ...nineToFive, holidays: own });
});

test("the usual language is the office's, else its tenant's, else English", () => {
  expect([
    defaultLanguageOf({ language: "es" }, { language: "en" }),
    defaultLanguageOf({ language: "es" }, {}),
    defaultLanguageOf({ language: "es" }),
    defaultLanguageOf({}, { language: "es" }),
    defaultLanguageOf({}, {}),
    defaultLanguageOf(undefined),
  ]).toEqual(["en", "es", "es", "es", "en", "en"]);
});
