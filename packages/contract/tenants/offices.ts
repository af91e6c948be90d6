import * as z from "zod/mini";
import { changedLine, Id, Instant, line, optionalLine, phoneNumber } from "../http/fields.ts";
import { OfficeFacts, OfficeFactsChange } from "./office-facts.ts";
import { BusinessHours, HoursChange } from "./business-hours.ts";
import { MessageTemplates, MessageTexts, NewStaffDestination, StaffDestination } from "./preferences.ts";
import { routes } from "../http/route.ts";
import { Language } from "../language.ts";

/** An office. Null hours, routing, texts and language, and facts that are not set, are inherited from the tenant. */
export const Office = z.object({
  id: Id,
  name: z.string(),
  address: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  isActive: z.boolean(),
  staffCount: z.nullable(z.number()),
  businessHours: z.nullable(BusinessHours),
  staffRouting: z.array(StaffDestination),
  messageTemplates: MessageTexts,
  spanishMessageTemplates: MessageTexts,
  /** Where the caller's or patient's is not known; null: the tenant's. */
  language: z.nullable(Language),
  facts: OfficeFacts,
  fhirProviderId: z.nullable(Id),
  createdAt: Instant,
  version: z.number(),
});
export type Office = z.infer<typeof Office>;

/** An office with its effective settings, inherited or its own. */
export const OfficeDetail = z.extend(Office, {
  effective: z.object({
    businessHours: BusinessHours,
    isOpen: z.boolean(),
    messageTemplates: MessageTexts,
    spanishMessageTemplates: MessageTexts,
    language: Language,
    facts: OfficeFacts,
  }),
  voiceAgentCount: z.number(),
  fhirEnabled: z.boolean(),
});
export type OfficeDetail = z.infer<typeof OfficeDetail>;

/** An office's card. `businessHours`: the effective ones. Only active agents count. */
export const OfficeCard = z.object({
  id: Id,
  name: z.string(),
  isActive: z.boolean(),
  address: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  staffCount: z.nullable(z.number()),
  businessHours: BusinessHours,
  voiceAgentCount: z.number(),
  /** An active EHR connection exists: the office's own, or else the tenant's. */
  fhirEnabled: z.boolean(),
  version: z.number(),
});
export type OfficeCard = z.infer<typeof OfficeCard>;

const details = {
  name: line(200, "Office name is required").check(z.overwrite((name) => name.replaceAll(/\p{Zs}+/gu, " "))),
  staffCount: z.optional(z.nullable(z.int().check(z.gte(0, "Must not be negative"), z.lte(100_000)))),
  /** Partial hours are completed from the office's, or else the tenant's. */
  businessHours: z.optional(z.nullable(HoursChange)),
  /** In dialing order. */
  staffRouting: z.optional(z.nullable(z.array(NewStaffDestination).check(z.maxLength(20, "Must be at most 20 destinations")))),
  messageTemplates: z.optional(z.nullable(MessageTemplates)),
  spanishMessageTemplates: z.optional(z.nullable(MessageTemplates)),
  language: z.optional(z.nullable(Language)),
  facts: z.optional(z.nullable(OfficeFactsChange)),
};

export const NewOffice = z.strictObject({
  ...details,
  address: optionalLine(300),
  phone: optionalLine(40, phoneNumber),
  email: optionalLine(254),
  isActive: z._default(z.boolean(), true),
});
export type NewOffice = z.infer<typeof NewOffice>;

/** Absent keeps the value; null and blank text clear it. */
export const OfficeChange = z.strictObject({
  ...details,
  address: changedLine(300),
  phone: changedLine(40, phoneNumber),
  email: changedLine(254),
  isActive: z.optional(z.boolean()),
});
export type OfficeChange = z.infer<typeof OfficeChange>;

const OfTenant = z.object({ tenantId: Id });
const OfOffice = z.object({ officeId: Id });

export const offices = routes({
  listOffices: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/offices",
    auth: "system_admin",
    summary: "List a tenant's offices, oldest first",
    params: OfTenant,
    response: z.array(Office),
  },
  createOffice: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/offices",
    auth: "system_admin",
    summary: "Add an office to a tenant",
    status: 201,
    params: OfTenant,
    body: NewOffice,
    response: Office,
  },
  getOffice: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/offices/{officeId}",
    auth: "system_admin",
    summary: "A tenant's office, with its effective settings",
    params: z.extend(OfTenant, OfOffice.shape),
    response: OfficeDetail,
  },
  updateOffice: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/offices/{officeId}",
    auth: "system_admin",
    summary: "Change a tenant's office; omitted fields stay, blank and null clear them",
    params: z.extend(OfTenant, OfOffice.shape),
    body: OfficeChange,
    response: Office,
  },
});

export const tenantOffices = routes({
  officeCards: {
    method: "GET",
    path: "/api/tenant/dashboard/offices",
    auth: "tenant_admin",
    summary: "The tenant's offices, oldest first",
    response: z.array(OfficeCard),
  },
  createOwnOffice: {
    method: "POST",
    path: "/api/tenant/offices",
    auth: "tenant_admin",
    summary: "Add an office",
    status: 201,
    body: NewOffice,
    response: Office,
  },
  getOwnOffice: {
    method: "GET",
    path: "/api/tenant/offices/{officeId}",
    auth: "tenant_admin",
    summary: "An office, with its effective settings",
    params: OfOffice,
    response: OfficeDetail,
  },
  updateOwnOffice: {
    method: "PUT",
    path: "/api/tenant/offices/{officeId}",
    auth: "tenant_admin",
    summary: "Change an office; omitted fields stay, blank and null clear them",
    params: OfOffice,
    body: OfficeChange,
    response: Office,
  },
});
