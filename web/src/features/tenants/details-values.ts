import { type Plan, TenantChange, type TenantProfile } from "@vitaline/contract";
import * as z from "zod/mini";

/** A tenant as its form holds it: blank is not set. */
const Typed = z.object({
  name: z.string(),
  organizationType: z.string(),
  contactEmail: z.string(),
  contactPhone: z.string(),
  address: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  /** All of it blank: no plan. */
  plan: z.object({ name: z.string(), monthlyPrice: z.string(), bundledMinutes: z.string() }),
});
export type TypedDetails = z.infer<typeof Typed>;

const isBlank = (plan: TypedDetails["plan"]): boolean => Object.values(plan).every((text) => text.trim() === "");
const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

const saysNumber = (name: "monthlyPrice" | "bundledMinutes", error: string) =>
  z.refine<TypedDetails>(({ plan }) => isBlank(plan) || isNumber(plan[name]), { path: ["plan", name], error });

const asChange = ({ plan, ...rest }: TypedDetails) => ({
  ...rest,
  plan: isBlank(plan) ? null : { name: plan.name, monthlyPrice: Number(plan.monthlyPrice), bundledMinutes: Number(plan.bundledMinutes) },
});

/** The form's rules are the contract's; it gives what is to be sent. */
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

/** What the form needs to know of a tenant. */
export type Facts = Omit<TenantProfile, "createdAt">;

const planValues = (plan: Plan | null): TypedDetails["plan"] => ({
  name: plan?.name ?? "",
  monthlyPrice: plan?.monthlyPrice.toString() ?? "",
  bundledMinutes: plan?.bundledMinutes.toString() ?? "",
});

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
