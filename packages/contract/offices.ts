import * as z from "zod/mini";
import { Id, Instant, optionalLine, line } from "./fields.ts";
import { routes } from "./route.ts";

export const Office = z.object({
  id: Id,
  name: z.string(),
  address: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  isActive: z.boolean(),
  createdAt: Instant,
});
export type Office = z.infer<typeof Office>;

export const NewOffice = z.strictObject({
  name: line(200, "Office name is required"),
  address: optionalLine(300),
  phone: optionalLine(40),
  email: optionalLine(254),
  isActive: z._default(z.boolean(), true),
});
export type NewOffice = z.infer<typeof NewOffice>;

export const offices = routes({
  createOffice: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/offices",
    auth: "system_admin",
    summary: "Add an office to a tenant",
    status: 201,
    params: z.object({ tenantId: Id }),
    body: NewOffice,
    response: Office,
  },
});
