import * as z from "zod/mini";
import { Usage } from "../calls/metrics.ts";
import { changedLine, Id, Instant, line, optionalLine } from "../http/fields.ts";
import { flag, optionally } from "../http/query.ts";
import { Language } from "../language.ts";
import { routes } from "../http/route.ts";
import { ApiKey, ApiKeyId } from "./api-keys.ts";
import { TimeZone } from "./business-hours.ts";
import { OfficeFacts, OfficeFactsChange } from "./office-facts.ts";
import { Policies, PoliciesChange } from "./policies.ts";
import { ContactPreferences, ContactPreferencesChange, MessageTexts, MessageTemplates } from "./preferences.ts";

export const OrganizationType = z.enum(["hospital", "clinic", "private_practice", "urgent_care", "specialty_center", "telehealth"]);
export type OrganizationType = z.infer<typeof OrganizationType>;

/** US dollars and cents. */
const Money = z.number().check(
  z.gte(0, "Must not be negative"),
  z.lte(1_000_000, "Must be at most 1,000,000"),
  z.refine((dollars) => Math.round(dollars * 100) / 100 === dollars, "Must be an amount in dollars and cents"),
);

/** Subscription: US dollars a month with bundled call minutes. */
export const Plan = z.strictObject({
  name: line(100),
  monthlyPrice: Money,
  bundledMinutes: z.int().check(z.gte(0, "Must not be negative"), z.lte(10_000_000)),
});
export type Plan = z.infer<typeof Plan>;

export const Tenant = z.object({
  id: Id,
  name: z.string(),
  organizationType: OrganizationType,
  contactEmail: z.string(),
  contactPhone: z.nullable(z.string()),
  address: z.nullable(z.string()),
  description: z.nullable(z.string()),
  isActive: z.boolean(),
  createdAt: Instant,
  version: z.number(),
});
export type Tenant = z.infer<typeof Tenant>;

/** The response to a tenant's creation, with its API key, which is shown only once. */
export const TenantWithKey = z.extend(Tenant, { apiKey: z.string() });
export type TenantWithKey = z.infer<typeof TenantWithKey>;

/** A tenant's own settings and agreements; null: not set. */
const settings = {
  contactPreferences: ContactPreferences,
  /** Time zone of the business hours; voice agents use it where the called office has no hours of its own. */
  timeZone: z.string(),
  plan: z.nullable(Plan),
  hourlyWage: z.nullable(z.number()),
  averageVisitValue: z.nullable(z.number()),
  messageTemplates: MessageTexts,
  spanishMessageTemplates: MessageTexts,
  /** Where the caller's or patient's is not known, and the office names none; null: English. */
  language: z.nullable(Language),
  /** Of all offices, except for what an office sets for itself. */
  facts: OfficeFacts,
  policies: Policies,
};
export const TenantSettings = z.object({ ...settings, version: z.number() });
export type TenantSettings = z.infer<typeof TenantSettings>;

/** All of a tenant except its key. */
export const TenantProfile = z.extend(Tenant, settings);
export type TenantProfile = z.infer<typeof TenantProfile>;

export const TenantDetail = z.extend(TenantProfile, {
  /** null: not requested. */
  apiKey: z.nullable(z.string()),
  /** null: unknown. */
  createdAt: z.nullable(Instant),
  defaultFhirProvider: z.nullable(z.object({ id: Id, name: z.string() })),
});
export type TenantDetail = z.infer<typeof TenantDetail>;

/** Blank is treated as missing, with the form's own message. */
const contactEmail = (message: string) =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, { error: message, abort: true }),
      z.toLowerCase(),
      z.maxLength(254),
      z.email("Must be a valid email address"),
    );

const details = (message: string) => ({
  name: line(200, message),
  contactEmail: contactEmail(message),
});

export const NewTenant = z.strictObject({
  ...details("Organization name and contact email are required"),
  contactPhone: optionalLine(40),
  address: optionalLine(300),
  description: optionalLine(2000),
  organizationType: z._default(OrganizationType, "clinic"),
});
export type NewTenant = z.infer<typeof NewTenant>;

/** Absent keeps the value, also of each policy; null and blank text clear it. */
export const TenantChange = z.strictObject({
  ...details("Name and contact email are required"),
  contactPhone: changedLine(40),
  address: changedLine(300),
  description: changedLine(2000),
  organizationType: OrganizationType,
  isActive: z.boolean("Is required"),
  plan: z.optional(z.nullable(Plan)),
  hourlyWage: z.optional(z.nullable(Money)),
  averageVisitValue: z.optional(z.nullable(Money)),
  policies: z.optional(PoliciesChange),
  facts: z.optional(z.nullable(OfficeFactsChange)),
  language: z.optional(z.nullable(Language)),
  timeZone: z.optional(TimeZone),
});
export type TenantChange = z.infer<typeof TenantChange>;

export const TenantSettingsChange = z.strictObject({
  hourlyWage: z.optional(z.nullable(Money)),
  averageVisitValue: z.optional(z.nullable(Money)),
  messageTemplates: z.optional(z.nullable(MessageTemplates)),
  spanishMessageTemplates: z.optional(z.nullable(MessageTemplates)),
  language: z.optional(z.nullable(Language)),
  facts: z.optional(z.nullable(OfficeFactsChange)),
});
export type TenantSettingsChange = z.infer<typeof TenantSettingsChange>;

export const TenantInfo = z.object({
  tenantId: Id,
  organizationName: z.string(),
  /** null: not requested. */
  apiKey: z.nullable(z.string()),
  isActive: z.boolean(),
  /** null: unknown. */
  createdAt: z.nullable(Instant),
});
export type TenantInfo = z.infer<typeof TenantInfo>;

/** Of a reading of the key that does not show it. */
export const KeyPurpose = z.enum(["test_call"]);
export type KeyPurpose = z.infer<typeof KeyPurpose>;

/** Seconds for which the old key stays valid; 0 revokes it immediately. */
export const KeyRotation = z.strictObject({ overlapSeconds: z.optional(z.number().check(z.int(), z.gte(0), z.lte(604_800))) });
const NewKey = z.object({ apiKey: z.string() });

const TenantPage = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});
const OfTenant = z.object({ tenantId: Id });

export const tenants = routes({
  listTenants: {
    method: "GET",
    path: "/api/admin/tenants",
    auth: "system_admin",
    summary: "List tenants, oldest first",
    query: TenantPage,
    response: z.array(Tenant),
  },
  createTenant: {
    method: "POST",
    path: "/api/admin/tenants",
    auth: "system_admin",
    summary: "Create a tenant with its first API key",
    status: 201,
    noStore: true,
    body: NewTenant,
    response: TenantWithKey,
  },
  getTenant: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}",
    auth: "system_admin",
    summary: "A tenant with its settings and API key; reading the key is audited. withKey=false: without the key",
    noStore: true,
    params: OfTenant,
    query: z.object({ withKey: flag }),
    response: TenantDetail,
  },
  tenantUsage: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/usage",
    auth: "system_admin",
    summary: "A tenant's minutes of this month against its plan",
    params: OfTenant,
    response: Usage,
  },
  updateTenant: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}",
    auth: "system_admin",
    summary: "Change a tenant; omitted fields stay, blank and null clear them. An inactive tenant can neither sign in nor use its key",
    params: OfTenant,
    body: TenantChange,
    response: TenantProfile,
  },
  updateTenantContactPreferences: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/contact-preferences",
    auth: "system_admin",
    summary: "Change a tenant's notification preferences and business hours; omitted fields stay",
    params: OfTenant,
    body: ContactPreferencesChange,
    response: TenantProfile,
  },
  regenerateTenantApiKey: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/regenerate-api-key",
    auth: "system_admin",
    summary: "Replace a tenant's API key",
    noStore: true,
    params: OfTenant,
    body: KeyRotation,
    response: NewKey,
  },
  listTenantApiKeys: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/api-keys",
    auth: "system_admin",
    summary: "A tenant's API keys, newest first, without the keys themselves",
    params: OfTenant,
    response: z.array(ApiKey),
  },
  revokeTenantApiKey: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/api-keys/{keyId}/revoke",
    auth: "system_admin",
    summary: "Revoke a tenant's former API key early",
    params: z.extend(OfTenant, ApiKeyId.shape),
    response: ApiKey,
  },
});

export const tenant = routes({
  tenantInfo: {
    method: "GET",
    path: "/api/tenant/info",
    auth: "tenant_admin",
    summary: "The signed-in tenant and its API key; reading the key is audited, with its purpose. withKey=false: without the key",
    noStore: true,
    query: z.object({ withKey: flag, purpose: optionally(KeyPurpose) }),
    response: TenantInfo,
  },
  regenerateApiKey: {
    method: "POST",
    path: "/api/tenant/regenerate-api-key",
    auth: "tenant_admin",
    summary: "Replace the tenant's API key",
    noStore: true,
    body: KeyRotation,
    response: NewKey,
  },
  tenantSettings: {
    method: "GET",
    path: "/api/tenant/settings",
    auth: "tenant_admin",
    summary: "The tenant's own settings, and its plan",
    response: TenantSettings,
  },
  updateTenantSettings: {
    method: "PUT",
    path: "/api/tenant/settings",
    auth: "tenant_admin",
    summary: "Change the wage and visit value for estimates, the texts to patients, and the offices' common facts",
    body: TenantSettingsChange,
    response: TenantSettings,
  },
  updateContactPreferences: {
    method: "PUT",
    path: "/api/tenant/contact-preferences",
    auth: "tenant_admin",
    summary: "Change the tenant's notification preferences and business hours; omitted fields stay",
    body: ContactPreferencesChange,
    response: TenantSettings,
  },
});
