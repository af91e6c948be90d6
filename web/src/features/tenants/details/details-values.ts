import { type Plan, TenantChange, type TenantProfile } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../../lib/forms/use-edit-form.ts";

export type Facts = Omit<TenantProfile, "createdAt">;

export type TypedDetails = z.infer<typeof Typed>;

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

/** Labels of the fields that differ. */
export const differences = (before: Facts, after: Facts): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

export const valuesOf = (tenant: Facts): TypedDetails => ({
  name: tenant.name,
  organizationType: tenant.organizationType,
  contactEmail: tenant.contactEmail,
  contactPhone: tenant.contactPhone ?? "",
  address: tenant.address ?? "",
  description: tenant.description ?? "",
  isActive: tenant.isActive,
  plan: planValues(tenant.plan),
});

const planValues = (plan: Plan | null): TypedDetails["plan"] => ({
  name: plan?.name ?? "",
  monthlyPrice: plan?.monthlyPrice.toString() ?? "",
  bundledMinutes: plan?.bundledMinutes.toString() ?? "",
});

/** The fields that every change has to contain. */
export const required = ({ name, contactEmail, organizationType, isActive }: Facts): TenantChange => ({
  name,
  contactEmail,
  organizationType,
  isActive,
});

/** The required fields of `now`, and the fields of `typed` that differ from `before`. */
export const changesTo = (before: Facts, now: Facts, typed: TenantChange): TenantChange => ({
  ...required(now),
  ...Object.fromEntries(changedFields(names, before, typed).map((name) => [name, typed[name]])),
});

const isBlank = (plan: TypedDetails["plan"]): boolean => Object.values(plan).every((text) => text.trim() === "");

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

const saysNumber = (name: "monthlyPrice" | "bundledMinutes", error: string) =>
  z.refine<TypedDetails>(({ plan }) => isBlank(plan) || isNumber(plan[name]), { path: ["plan", name], error });

const asChange = ({ plan, ...rest }: TypedDetails) => ({
  ...rest,
  plan: isBlank(plan) ? null : { name: plan.name, monthlyPrice: Number(plan.monthlyPrice), bundledMinutes: Number(plan.bundledMinutes) },
});

/** Validates with the contract's schema. The output is the request. */
export const DetailsForm: z.ZodMiniType<TenantChange, TypedDetails> = z.pipe(
  z.pipe(
    Typed.check(
      saysNumber("monthlyPrice", "Must be an amount in dollars, such as 499"),
      saysNumber("bundledMinutes", "Must be a whole number of minutes"),
    ),
    z.transform(asChange as (typed: TypedDetails) => z.input<typeof TenantChange>),
  ),
  TenantChange,
);
