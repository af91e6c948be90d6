import { type BusinessHours, type MessageTemplates, type Office, OfficeChange, type StaffDestination } from "@vitaline/contract";
import * as z from "zod/mini";
import type { formParts } from "./use-office-place.ts";
import { hoursOf, hoursValues, type HoursValues } from "./hours-values.ts";

export type TextName = keyof MessageTemplates;

/** Where calls are put through to, as the form holds it; `reasons` are separated by commas. */
export type DestinationValues = { label: string; phone: string; reasons: string; hours: HoursValues };

/** An office as its form holds it: blank is not set. */
export type OfficeValues = {
  name: string;
  address: string;
  phone: string;
  email: string;
  isActive: boolean;
  staffCount: string;
  businessHours: HoursValues;
  staffRouting: DestinationValues[];
  messageTemplates: Record<TextName, string>;
};

const destinationValues = ({ label, phone, reasons, hours }: StaffDestination, holding: BusinessHours): DestinationValues => ({
  label,
  phone,
  reasons: reasons.join(", "),
  hours: hoursValues(hours, holding),
});

/** A row of the form for a destination that is to be filled in; hours of its own begin with the office's, as its form has them now, else with the organization's. */
export const newDestination = (office: HoursValues, inherited: BusinessHours): DestinationValues => ({
  ...destinationValues({ label: "", phone: "", reasons: [] }, inherited),
  ...(office.source === "own" ? { hours: { ...structuredClone(office), source: "inherited" } } : {}),
});

/** What the form begins with; `inherited` are the organization's hours. */
export const valuesOf = (office: Office | undefined, inherited: BusinessHours): OfficeValues => {
  const texts = office?.messageTemplates;
  return {
    name: office?.name ?? "",
    address: office?.address ?? "",
    phone: office?.phone ?? "",
    email: office?.email ?? "",
    isActive: office?.isActive ?? true,
    staffCount: office?.staffCount?.toString() ?? "",
    businessHours: hoursValues(office?.businessHours, inherited),
    staffRouting: (office?.staffRouting ?? []).map((one) => destinationValues(one, office?.businessHours ?? inherited)),
    messageTemplates: {
      appointmentConfirmation: texts?.appointmentConfirmation ?? "",
      appointmentReminder: texts?.appointmentReminder ?? "",
      followUp: texts?.followUp ?? "",
    },
  };
};

const reasonsIn = (text: string): string[] =>
  text
    .split(",")
    .map((reason) => reason.trim())
    .filter((reason) => reason !== "");

const requestOf = ({ staffCount, businessHours, staffRouting, ...rest }: OfficeValues): z.input<typeof OfficeChange> => ({
  ...rest,
  staffCount: staffCount.trim() === "" ? null : Number(staffCount),
  businessHours: hoursOf(businessHours),
  staffRouting: staffRouting.map(({ label, phone, reasons, hours }) => ({
    label,
    phone,
    reasons: reasonsIn(reasons),
    hours: hoursOf(hours),
  })),
});

const notCount = "Must be a whole number up to 100,000";
const staffCount = z.nullable(z.int(notCount).check(z.gte(0, notCount), z.lte(100_000, notCount)));

/** The form's rules are the contract's; it gives what is to be sent. */
export const OfficeForm = z.pipe(
  z.pipe(z.custom<OfficeValues>(), z.transform(requestOf)),
  // What is typed may be no number at all.
  z.extend(OfficeChange, { staffCount }),
);

/** What differs, and the name, which every change has to give. All of it where the form began with what is no longer allowed. */
export const changesOf = (before: OfficeValues, after: OfficeChange): OfficeChange => {
  const known = OfficeForm.safeParse(before).data;
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(known?.[name as keyof OfficeChange]);
  return { name: after.name, ...Object.fromEntries(Object.entries(after).filter(isOther)) };
};

/** The parts of the form, and which of its fields stand in which. */
export const partOf = (field: string): (typeof formParts)[number] => {
  if (field.startsWith("businessHours")) return "hours";
  if (field.startsWith("staffRouting")) return "routing";
  return field.startsWith("messageTemplates") ? "messages" : "details";
};
