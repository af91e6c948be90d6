import { type BusinessHours, type MessageTemplates, type Office, OfficeChange } from "@vitaline/contract";
import * as z from "zod/mini";
import { hoursOf, hoursValues, type HoursValues } from "../../lib/forms/hours-values.ts";
import { destinationOf, type DestinationValues, destinationValues } from "./destination-values.ts";
import type { formParts } from "./use-office-place.ts";

export type TextName = keyof MessageTemplates;

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

const requestOf = ({ staffCount, businessHours, staffRouting, ...rest }: OfficeValues): z.input<typeof OfficeChange> => ({
  ...rest,
  staffCount: staffCount.trim() === "" ? null : Number(staffCount),
  businessHours: hoursOf(businessHours),
  staffRouting: staffRouting.map(destinationOf),
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
