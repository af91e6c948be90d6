import type { ContactPreferences } from "@vitaline/contract";
import { expect, test } from "vitest";
import { changesTo, differences, PreferencesForm, valuesOf } from "./preferences-values.ts";

const before: ContactPreferences = {
  defaultMethod: "email",
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York", days: { sunday: null } },
};

test("sends the changed fields, and business hours as a whole", () => {
  const begun = valuesOf(before);
  const after = { ...begun, smsEnabled: false, businessHours: { ...begun.businessHours, end: "18:00" } };
  expect(changesTo(begun, begun, PreferencesForm.parse(begun))).toEqual({});
  expect(changesTo(begun, after, PreferencesForm.parse(after))).toEqual({
    smsEnabled: false,
    businessHours: { start: "09:00", end: "18:00", timezone: "America/New_York", days: { sunday: null } },
  });
});

test("the default method is one that is enabled", () => {
  const { error } = PreferencesForm.safeParse({ ...valuesOf(before), defaultMethod: "sms", smsEnabled: false });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[["defaultMethod"], "Must be a method that is enabled"]]);
});

test("the differences of two versions are labels", () => {
  expect(differences(before, { ...before, phoneEnabled: false, businessHours: { ...before.businessHours, start: "08:00" } })).toEqual([
    "phone",
    "business hours",
  ]);
});
