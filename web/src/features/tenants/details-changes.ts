import type { TenantChange } from "@vitaline/contract";
import { type Facts, type TypedDetails, valuesOf } from "./details-values.ts";

const labels: Record<keyof TypedDetails, string> = {
  name: "organization name",
  organizationType: "organization type",
  contactEmail: "contact email",
  contactPhone: "contact phone",
  address: "address",
  description: "description",
  isActive: "status",
  plan: "plan",
};
const names = Object.keys(labels) as (keyof TypedDetails)[];

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** In words, what differs between two versions. */
export const differences = (before: Facts, after: Facts): string[] => {
  const [one, other] = [valuesOf(before), valuesOf(after)];
  return names.filter((name) => !isSame(one[name], other[name])).map((name) => labels[name]);
};

/** What every change has to name, as it is now. */
export const required = ({ name, contactEmail, organizationType, isActive }: Facts): TenantChange => ({
  name,
  contactEmail,
  organizationType,
  isActive,
});

/** Of what stands in the form, what is not as it was when it began: the rest is left to who else changes it. */
export const changesTo = (before: Facts, now: Facts, typed: TenantChange): TenantChange => ({
  ...required(now),
  ...Object.fromEntries(names.filter((name) => !isSame(before[name], typed[name])).map((name) => [name, typed[name]])),
});
