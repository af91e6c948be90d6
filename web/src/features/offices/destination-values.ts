import type { BusinessHours, StaffDestination } from "@vitaline/contract";
import { hoursOf, hoursValues, type HoursValues } from "../../lib/forms/hours-values.ts";

/** Where calls are put through to, as the form holds it; `reasons` are separated by commas. */
export type DestinationValues = { label: string; phone: string; reasons: string; hours: HoursValues };

/** A destination as the form holds it; `holding` are the hours that hold where it has none of its own. */
export const destinationValues = ({ label, phone, reasons, hours }: StaffDestination, holding: BusinessHours): DestinationValues => ({
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

const reasonsIn = (text: string): string[] =>
  text
    .split(",")
    .map((reason) => reason.trim())
    .filter((reason) => reason !== "");

/** The destination that a row of the form says. */
export const destinationOf = ({ label, phone, reasons, hours }: DestinationValues) => ({
  label,
  phone,
  reasons: reasonsIn(reasons),
  hours: hoursOf(hours),
});
