import { expect, test } from "vitest";
import * as z from "zod/mini";
import { MessageTemplates, NewStaffDestination } from "./preferences.ts";

const faultsOf = (schema: z.ZodMiniType, value: unknown): Record<string, string> =>
  Object.fromEntries((z.safeParse(schema, value).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));

test("a text contains only its kind's placeholders; the error names the field and the valid placeholders", () => {
  const whole = "At {office}, {address}, {phone}: {date}, {time}.";
  expect(
    faultsOf(MessageTemplates, { appointmentConfirmation: whole, appointmentReminder: whole, followUp: "{office} {phone} {address}" }),
  ).toEqual({});
  expect(z.parse(MessageTemplates, { followUp: " " })).toEqual({ followUp: undefined });
  const known = "Placeholders are {office}, {address}, {phone}, {date}, {time}, in single braces";
  for (const wrong of ["Hi {name}", "{{date}}", "{ date }", "{Date}", "{first name}", "{date", "date}", "{}"])
    expect(faultsOf(MessageTemplates, { appointmentReminder: wrong }), wrong).toEqual({ appointmentReminder: known });
  expect(faultsOf(MessageTemplates, { followUp: "See you on {date}" })).toEqual({
    followUp: "Placeholders are {office}, {address}, {phone}, in single braces",
  });
});

test("a transfer destination has a phone number that can be dialed as written, and never 911", () => {
  const faults = (phone: string) => faultsOf(NewStaffDestination, { label: "Desk", phone });
  for (const right of ["+16175550145", "(617) 555-0145", "617.555.0145", "617/555 0145", "617-555-0911", "204"])
    expect(faults(right), right).toEqual({});
  for (const wrong of ["front desk", "12", "call 617-555-0145", "sip:desk@x.example", "++1617", "617-555-0145 x12", "*72#", "---"])
    expect(faults(wrong), wrong).toEqual({ phone: "Must be a telephone number, without an extension" });
  for (const emergency of ["911", "9-1-1", "+911"]) expect(faults(emergency)["phone"], emergency).toMatch(/^Must not be 911/);
});
