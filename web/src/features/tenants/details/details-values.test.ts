import { type TenantProfile, defaultRetention } from "@vitaline/contract";
import { expect, test } from "vitest";
import { changesTo, DetailsForm, differences, valuesOf } from "./details-values.ts";

const before: TenantProfile = {
  id: "0".repeat(26),
  name: "Clinic",
  organizationType: "clinic",
  contactEmail: "front@desk.example",
  contactPhone: "555 0100",
  address: null,
  description: null,
  isActive: true,
  createdAt: "2026-05-01T09:00:00.000Z",
  version: 1,
  contactPreferences: {
    defaultMethod: "email",
    emailEnabled: true,
    smsEnabled: true,
    phoneEnabled: true,
    businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" },
  },
  timeZone: "America/New_York",
  plan: { name: "Growth", monthlyPrice: 499.5, bundledMinutes: 2500 },
  hourlyWage: null,
  averageVisitValue: null,
  messageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: null },
  language: null,
  spanishMessageTemplates: { appointmentConfirmation: null, appointmentReminder: null, followUp: null },
  facts: {
    ...{ directions: null, parking: null, telehealth: null, afterHours: null },
    ...{ insurance: [], selfPayPrices: [], whatToBring: [], languages: [], holidays: [], questions: [] },
  },
  policies: {
    requireTotp: false,
    ownFhirProviders: false,
    ownVoiceProviders: false,
    messageAnyContact: false,
    messageFreeText: false,
    textCountries: null,
    toolLevels: {},
    toolRunsPerMinute: 3000,
    minors: { guardians: true, contacts: false, confidentialFrom: 12 },
    retention: defaultRetention,
  },
};
const typed = (change: object) => DetailsForm.parse({ ...valuesOf(before), ...change });

test("sends the changed fields, and the current values of the required ones", () => {
  const now = { ...before, name: "Renamed meanwhile", version: 2 };
  const required = { name: "Renamed meanwhile", contactEmail: "front@desk.example", organizationType: "clinic", isActive: true };
  expect(changesTo(before, now, typed({}))).toEqual(required);
  expect(changesTo(before, now, typed({ contactPhone: " ", address: "1 Main St" }))).toEqual({
    ...required,
    contactPhone: null,
    address: "1 Main St",
  });
  expect(changesTo(before, now, typed({ name: "Mine" }))).toEqual({ ...required, name: "Mine" });
});

test("a plan is all of it or none", () => {
  expect(typed({ plan: { name: "", monthlyPrice: " ", bundledMinutes: "" } }).plan).toBeNull();
  const { error } = DetailsForm.safeParse({ ...valuesOf(before), plan: { name: "Growth", monthlyPrice: "much", bundledMinutes: "" } });
  expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
    ["plan.monthlyPrice", "Must be an amount in dollars, such as 499"],
    ["plan.bundledMinutes", "Must be a whole number of minutes"],
  ]);
});

test("the differences of two versions are labels", () => {
  expect(differences(before, { ...before, plan: null, organizationType: "hospital", version: 2 })).toEqual(["organization type", "plan"]);
});
