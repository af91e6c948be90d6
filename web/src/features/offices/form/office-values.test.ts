import type { BusinessHours, Office } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { hoursOf, hoursValues } from "../../../lib/forms/hours-values.ts";
import { changesOf, newDestination, OfficeForm, partOf, valuesOf } from "./office-values.ts";

const nineToFive: BusinessHours = { start: "09:00", end: "17:00", timezone: "America/New_York" };
const office: Office = {
  id: "0".repeat(26),
  name: "Main Street",
  address: "1 Main Street",
  phone: null,
  email: null,
  isActive: true,
  staffCount: 4,
  businessHours: { ...nineToFive, days: { saturday: { start: "10:00", end: "12:00" }, sunday: null } },
  staffRouting: [{ label: "Desk", phone: "617 555 0100", reasons: ["billing", "records"], hours: null }],
  messageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: "Thank you." },
  spanishMessageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: null },
  language: null,
  facts: {
    ...{ directions: null, parking: "Behind the building.", telehealth: null, afterHours: null },
    ...{ insurance: ["Aetna"], selfPayPrices: [], whatToBring: [], languages: [] },
    ...{ holidays: [{ date: "2026-12-25", name: "Christmas Day" }], questions: [] },
  },
  fhirProviderId: null,
  createdAt: "2026-05-01T09:00:00.000Z",
  version: 3,
};
const values = valuesOf(office, nineToFive);

describe("hours in a form", () => {
  test("come back as they went in, single days and breaks too", () => {
    const breaks = [{ start: "12:00", end: "13:00" }];
    const withBreaks: BusinessHours = { ...nineToFive, breaks, days: { friday: { start: "08:00", end: "16:00", breaks } } };
    for (const hours of [nineToFive, office.businessHours!, withBreaks])
      expect(hoursOf(hoursValues(hours, nineToFive))).toEqual({ ...hours, days: hours.days ?? null });
  });

  test("that lose their breaks say so", () => {
    const saved = hoursValues({ ...nineToFive, breaks: [{ start: "12:00", end: "13:00" }] }, nineToFive);
    expect(hoursOf({ ...saved, breaks: [] })).toEqual({ ...nineToFive, breaks: null, days: null });
  });

  test("that are inherited are none, and begin as the inherited ones when they become an office's own", () => {
    const inherited = hoursValues(null, office.businessHours!);
    expect(hoursOf(inherited)).toBeNull();
    expect(hoursOf({ ...inherited, source: "own" })).toEqual(office.businessHours);
  });
});

describe("a new destination", () => {
  const elsewhere = hoursValues({ ...nineToFive, start: "07:00", timezone: "America/Denver" }, nineToFive);

  test("is on duty as the office is, and hours of its own begin with the office's", () => {
    const { hours } = newDestination(elsewhere, nineToFive);
    expect(hoursOf(hours)).toBeNull();
    expect(hoursOf({ ...hours, source: "own" })).toMatchObject({ start: "07:00", timezone: "America/Denver" });
  });

  test("begins with the organization's where the office inherits them", () => {
    const { hours } = newDestination({ ...elsewhere, source: "inherited" }, nineToFive);
    expect(hoursOf({ ...hours, source: "own" })).toMatchObject({ start: "09:00", timezone: "America/New_York" });
  });
});

describe("an office's form", () => {
  test("that is unchanged sends only the name", () => {
    expect(changesOf(values, OfficeForm.parse(values))).toEqual({ name: "Main Street" });
  });

  test("sends the changed fields, an empty one as null", () => {
    const after = OfficeForm.parse({ ...values, address: " ", staffCount: "", isActive: false });
    expect(changesOf(values, after)).toEqual({ name: "Main Street", address: null, staffCount: null, isActive: false });
  });

  test("sends the texts of each language apart", () => {
    const spanishMessageTemplates = { ...values.spanishMessageTemplates, followUp: "Gracias." };
    const after = OfficeForm.parse({ ...values, language: "es", spanishMessageTemplates });
    expect(changesOf(values, after)).toEqual({ name: "Main Street", language: "es", spanishMessageTemplates: { followUp: "Gracias." } });
  });

  test("reports errors of the contract's schema at their fields", () => {
    const wrong = {
      ...values,
      name: " ",
      staffCount: "many",
      businessHours: { ...values.businessHours, end: "08:00" },
      staffRouting: [{ ...values.staffRouting[0]!, phone: "911" }],
      messageTemplates: { ...values.messageTemplates, followUp: "Dear {patient}" },
    };
    const told = OfficeForm.safeParse(wrong).error?.issues ?? [];
    expect(told.map(({ path }) => path.join(".")).toSorted()).toEqual([
      "businessHours.end",
      "messageTemplates.followUp",
      "name",
      "staffCount",
      "staffRouting.0.phone",
    ]);
  });

  test("knows in which of its parts a field stands", () => {
    expect(["name", "businessHours", "staffRouting", "messageTemplates"].map(partOf)).toEqual(["details", "hours", "routing", "messages"]);
    expect(["language", "spanishMessageTemplates.followUp"].map(partOf)).toEqual(["messages", "messages"]);
  });
});
