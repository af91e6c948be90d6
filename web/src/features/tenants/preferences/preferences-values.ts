import { type ContactPreferences, ContactPreferencesChange } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../../lib/forms/use-edit-form.ts";
import { hoursOf, hoursValues, type HoursValues } from "../../../lib/forms/hours-values.ts";

export type PreferenceValues = Omit<ContactPreferences, "businessHours"> & { businessHours: HoursValues };

export const methods = [
  { value: "email", label: "Email" },
  { value: "sms", label: "SMS" },
  { value: "phone", label: "Phone" },
] as const;

export const valuesOf = ({ businessHours, ...rest }: ContactPreferences): PreferenceValues => ({
  ...rest,
  businessHours: hoursValues(businessHours, businessHours),
});

const isEnabled = z.refine<PreferenceValues>((values) => values[`${values.defaultMethod}Enabled`], {
  path: ["defaultMethod"],
  error: "Must be a method that is enabled",
});

const requestOf = ({ businessHours, ...rest }: PreferenceValues) => ({ ...rest, businessHours: hoursOf(businessHours) ?? undefined });

/** Validates with the contract's schema. The output is the request. */
export const PreferencesForm: z.ZodMiniType<ContactPreferencesChange, PreferenceValues> = z.pipe(
  z.pipe(
    z.custom<PreferenceValues>().check(isEnabled),
    z.transform(requestOf as (values: PreferenceValues) => z.input<typeof ContactPreferencesChange>),
  ),
  ContactPreferencesChange,
);

const labels: Record<keyof ContactPreferences, string> = {
  defaultMethod: "default method",
  emailEnabled: "email",
  smsEnabled: "SMS",
  phoneEnabled: "phone",
  businessHours: "business hours",
};
const names = Object.keys(labels) as (keyof ContactPreferences)[];

/** Labels of the fields that differ. */
export const differences = (before: ContactPreferences, after: ContactPreferences): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

/** The fields of `sent` that were changed in the form. */
export const changesTo = (begun: PreferenceValues, typed: PreferenceValues, sent: ContactPreferencesChange): ContactPreferencesChange =>
  Object.fromEntries(changedFields(names, begun, typed).map((name) => [name, sent[name]]));
