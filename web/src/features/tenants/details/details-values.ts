import { type Plan, TenantChange, type TenantProfile } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../../lib/forms/use-edit-form.ts";

export type TenantRecord = Omit<TenantProfile, "createdAt">;

export type DetailsValues = z.infer<typeof Typed>;

/** An unset field is an empty string. */
const Typed = z.object({
  name: z.string(),
  organizationType: z.string(),
  contactEmail: z.string(),
  contactPhone: z.string(),
  address: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  /** No plan if all fields are empty. */
  plan: z.object({ name: z.string(), monthlyPrice: z.string(), bundledMinutes: z.string() }),
});

const labels: Record<keyof DetailsValues, string> = {
  name: "organization name",
  organizationType: "organization type",
  contactEmail: "contact email",
  contactPhone: "contact phone",
  address: "address",
  description: "description",
  isActive: "status",
  plan: "plan",
};

const names = Object.keys(labels) as (keyof DetailsValues)[];

/** Labels of the fields that differ. */
export const differences = (before: TenantRecord, after: TenantRecord): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

export const valuesOf = (tenant: TenantRecord): DetailsValues => ({
  name: tenant.name,
  organizationType: tenant.organizationType,
  contactEmail: tenant.contactEmail,
  contactPhone: tenant.contactPhone ?? "",
  address: tenant.address ?? "",
  description: tenant.description ?? "",
  isActive: tenant.isActive,
  plan: planValues(tenant.plan),
});

const planValues = (plan: Plan | null): DetailsValues["plan"] => ({
  name: plan?.name ?? "",
  monthlyPrice: plan?.monthlyPrice.toString() ?? "",
  bundledMinutes: plan?.bundledMinutes.toString() ?? "",
});

/** The fields that every change has to contain. */
export const requiredFields = ({ name, contactEmail, organizationType, isActive }: TenantRecord): TenantChange => ({
  name,
  contactEmail,
  organizationType,
  isActive,
});

/** The required fields of `now`, and the fields of `typed` that differ from `before`. */
export const changesTo = (before: TenantRecord, now: TenantRecord, typed: TenantChange): TenantChange => ({
  ...requiredFields(now),
  ...Object.fromEntries(changedFields(names, before, typed).map((name) => [name, typed[name]])),
});

const isBlank = (plan: DetailsValues["plan"]): boolean => Object.values(plan).every((text) => text.trim() === "");

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

const checkNumber = (name: "monthlyPrice" | "bundledMinutes", error: string) =>
  z.refine<DetailsValues>(({ plan }) => isBlank(plan) || isNumber(plan[name]), { path: ["plan", name], error });

const toChange = ({ plan, ...rest }: DetailsValues) => ({
  ...rest,
  plan: isBlank(plan) ? null : { name: plan.name, monthlyPrice: Number(plan.monthlyPrice), bundledMinutes: Number(plan.bundledMinutes) },
});

/** Validates with the contract's schema. The output is the request. */
export const DetailsForm: z.ZodMiniType<TenantChange, DetailsValues> = z.pipe(
  z.pipe(
    Typed.check(
      checkNumber("monthlyPrice", "Must be an amount in dollars, such as 499"),
      checkNumber("bundledMinutes", "Must be a whole number of minutes"),
    ),
    z.transform(toChange as (typed: DetailsValues) => z.input<typeof TenantChange>),
  ),
  TenantChange,
);
