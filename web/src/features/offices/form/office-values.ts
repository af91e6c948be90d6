import {
  type BusinessHours,
  type Language,
  type MessageTemplates,
  type MessageTexts,
  type Office,
  OfficeChange,
  type StaffDestination,
} from "@vitaline/contract";
import * as z from "zod/mini";
import { factsOf, factsValues, type FactsValues } from "../../../lib/forms/facts-values.ts";
import { changedFields } from "../../../lib/forms/use-edit-form.ts";
import { hoursOf, type HoursValues, hoursValues } from "../../../lib/forms/hours-values.ts";
import type { formParts } from "../office-route.ts";

/** `reasons` are separated by commas. */
type DestinationValues = { label: string; phone: string; reasons: string; hours: HoursValues };

export type TextName = keyof MessageTemplates;
/** In English and in Spanish. */
export type TextsName = "messageTemplates" | "spanishMessageTemplates";

/** An unset field is an empty string. */
export type OfficeValues = {
  name: string;
  address: string;
  phone: string;
  email: string;
  isActive: boolean;
  staffCount: string;
  businessHours: HoursValues;
  staffRouting: DestinationValues[];
  /** "": the organization's. */
  language: Language | "";
  facts: FactsValues;
} & Record<TextsName, Record<TextName, string>>;

/** The hours of a new row start with the office's hours in the form, else with the organization's. */
export const newDestination = (office: HoursValues, inherited: BusinessHours): DestinationValues => ({
  ...destinationValues({ label: "", phone: "", reasons: [] }, inherited),
  ...(office.source === "own" ? { hours: { ...structuredClone(office), source: "inherited" } } : {}),
});

/** A destination's form values; `inherited` are the hours that apply without its own. */
const destinationValues = ({ label, phone, reasons, hours }: StaffDestination, holding: BusinessHours): DestinationValues => ({
  label,
  phone,
  reasons: reasons.join(", "),
  hours: hoursValues(hours, holding),
});

/** `inherited` are the organization's hours. */
export const valuesOf = (office: Office | undefined, inherited: BusinessHours): OfficeValues => {
  return {
    name: office?.name ?? "",
    address: office?.address ?? "",
    phone: office?.phone ?? "",
    email: office?.email ?? "",
    isActive: office?.isActive ?? true,
    staffCount: office?.staffCount?.toString() ?? "",
    businessHours: hoursValues(office?.businessHours, inherited),
    staffRouting: (office?.staffRouting ?? []).map((one) => destinationValues(one, office?.businessHours ?? inherited)),
    language: office?.language ?? "",
    messageTemplates: textValues(office?.messageTemplates),
    spanishMessageTemplates: textValues(office?.spanishMessageTemplates),
    facts: factsValues(office?.facts),
  };
};

const textValues = (texts: MessageTexts | undefined): Record<TextName, string> => ({
  appointmentConfirmation: texts?.appointmentConfirmation ?? "",
  appointmentReminder: texts?.appointmentReminder ?? "",
  followUp: texts?.followUp ?? "",
});

const notCount = "Must be a whole number up to 100,000";
const staffCount = z.nullable(z.int(notCount).check(z.gte(0, notCount), z.lte(100_000, notCount)));

const reasonsIn = (text: string): string[] =>
  text
    .split(",")
    .map((reason) => reason.trim())
    .filter((reason) => reason !== "");

const destinationOf = ({ label, phone, reasons, hours }: DestinationValues) => ({
  label,
  phone,
  reasons: reasonsIn(reasons),
  hours: hoursOf(hours),
});

const requestOf = ({ staffCount, businessHours, staffRouting, language, facts, ...rest }: OfficeValues): z.input<typeof OfficeChange> => ({
  ...rest,
  staffCount: staffCount.trim() === "" ? null : Number(staffCount),
  businessHours: hoursOf(businessHours),
  staffRouting: staffRouting.map(destinationOf),
  language: language === "" ? null : language,
  facts: factsOf(facts),
});

/** Validates with the contract's schema. The output is the request. */
export const OfficeForm = z.pipe(
  z.pipe(z.custom<OfficeValues>(), z.transform(requestOf)),
  // The text may not be a number.
  z.extend(OfficeChange, { staffCount }),
);

/** The changed fields and the required name. All fields if the initial values are no longer valid. */
export const changesOf = (before: OfficeValues, after: OfficeChange): OfficeChange => {
  const known = OfficeForm.safeParse(before).data;
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(known?.[name as keyof OfficeChange]);
  return { name: after.name, ...Object.fromEntries(Object.entries(after).filter(isOther)) };
};

const labels: Record<keyof OfficeValues, string> = {
  name: "office name",
  address: "address",
  phone: "phone",
  email: "email",
  isActive: "status",
  staffCount: "number of staff",
  businessHours: "business hours",
  staffRouting: "staff routing",
  language: "language",
  messageTemplates: "messages",
  spanishMessageTemplates: "messages in Spanish",
  facts: "facts for callers",
};

export const differences = (before: OfficeValues, after: OfficeValues): string[] =>
  changedFields(Object.keys(labels) as (keyof OfficeValues)[], before, after).map((name) => labels[name]);

export const partOf = (field: string): (typeof formParts)[number] => {
  if (field.startsWith("businessHours")) return "hours";
  if (field.startsWith("facts")) return "facts";
  if (field.startsWith("staffRouting")) return "routing";
  return ["language", "messageTemplates", "spanishMessageTemplates"].some((one) => field.startsWith(one)) ? "messages" : "details";
};
