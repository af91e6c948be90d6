import * as z from "zod/mini";
import { Email, Id, Instant, line, optionalLine } from "./fields.ts";
import { routes } from "./route.ts";

export const OrganizationType = z.enum(["hospital", "clinic", "private_practice", "urgent_care", "specialty_center", "telehealth"]);
export type OrganizationType = z.infer<typeof OrganizationType>;

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
});
export type Tenant = z.infer<typeof Tenant>;

/** A tenant as its creator sees it once, with the API key that voice platforms present. */
export const TenantWithKey = z.extend(Tenant, { apiKey: z.string() });
export type TenantWithKey = z.infer<typeof TenantWithKey>;

export const NewTenant = z.strictObject({
  name: line(200, "Organization name and contact email are required"),
  organizationType: z._default(OrganizationType, "clinic"),
  contactEmail: Email,
  contactPhone: optionalLine(40),
  address: optionalLine(300),
  description: optionalLine(2000),
});
export type NewTenant = z.infer<typeof NewTenant>;

export const TenantInfo = z.object({
  tenantId: Id,
  organizationName: z.string(),
  apiKey: z.string(),
  isActive: z.boolean(),
  createdAt: Instant,
});
export type TenantInfo = z.infer<typeof TenantInfo>;

export const tenants = routes({
  listTenants: { method: "GET", path: "/api/admin/tenants", auth: "system_admin", summary: "List tenants", response: z.array(Tenant) },
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
});

/** Seconds that the old key goes on working beside the new one; 0 ends it now. */
export const KeyRotation = z.strictObject({ overlapSeconds: z.optional(z.number().check(z.int(), z.gte(0), z.lte(604_800))) });

export const tenant = routes({
  tenantInfo: {
    method: "GET",
    path: "/api/tenant/info",
    auth: "tenant_admin",
    summary: "The signed-in tenant and its API key",
    noStore: true,
    response: TenantInfo,
  },
  regenerateApiKey: {
    method: "POST",
    path: "/api/tenant/regenerate-api-key",
    auth: "tenant_admin",
    summary: "Replace the tenant's API key",
    noStore: true,
    body: KeyRotation,
    response: z.object({ apiKey: z.string() }),
  },
});
