import * as z from "zod/mini";
import { Email, Id, Instant, line, optionalLine, PageQuery } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";

/** A category without patient data: lists show it unsealed. */
export const LeadReason = z.enum(["new_patient", "appointment", "prescription", "billing", "insurance", "records", "other"]);
export type LeadReason = z.infer<typeof LeadReason>;

/** Contact details; patient data. */
export const LeadContact = z
  .strictObject({
    name: line(200),
    phone: optionalLine(40),
    email: z.optional(
      z.pipe(
        z.nullable(z.union([Email, z.literal("")])),
        z.transform((text) => text || undefined),
      ),
    ),
    note: optionalLine(1000),
  })
  .check(
    z.refine(({ phone, email }) => Boolean(phone ?? email), { path: ["phone"], error: "A phone number or an email address is required" }),
  );
export type LeadContact = z.output<typeof LeadContact>;

export const Lead = z.object({
  id: Id,
  createdAt: Instant,
  reason: LeadReason,
  /** null: recorded by staff. */
  callId: z.nullable(z.string()),
  officeId: z.nullable(Id),
  handledAt: z.nullable(Instant),
  version: z.number(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadDetail = z.extend(Lead, {
  contact: z.object({
    name: z.string(),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
    note: z.nullable(z.string()),
  }),
});
export type LeadDetail = z.infer<typeof LeadDetail>;

export const NewLead = z.strictObject({
  reason: LeadReason,
  officeId: z.optional(
    z.pipe(
      z.nullable(z.union([Id, z.literal("")])),
      z.transform((text) => text || undefined),
    ),
  ),
  contact: LeadContact,
});
export type NewLead = z.output<typeof NewLead>;

/** `text`: RFC 4180 with a header, or a JSON array of LeadDetail. `complete: false`: the limit of one file was reached. */
export const LeadExport = z.object({
  fileName: z.string(),
  contentType: z.string(),
  rows: z.number(),
  complete: z.boolean(),
  text: z.string(),
});
export type LeadExport = z.infer<typeof LeadExport>;

const LeadPath = z.object({ leadId: Id });

export const leads = routes({
  listLeads: {
    method: "GET",
    path: "/api/tenant/leads",
    auth: "tenant_admin",
    summary: "Leads, newest first, without their names; the next page is in Link",
    query: z.extend(PageQuery, { handled: flag }),
    response: z.array(Lead),
  },
  createLead: {
    method: "POST",
    path: "/api/tenant/leads",
    auth: "tenant_admin",
    summary: "Add a lead",
    status: 201,
    noStore: true,
    body: NewLead,
    response: Lead,
  },
  exportLeads: {
    method: "GET",
    path: "/api/tenant/leads/export",
    auth: "tenant_admin",
    summary: "Export leads with contact data, newest first, at most 2,000, as CSV or JSON; audited",
    noStore: true,
    query: z.object({ format: z._default(z.enum(["csv", "json"]), "csv"), handled: flag }),
    response: LeadExport,
  },
  readLead: {
    method: "GET",
    path: "/api/tenant/leads/{leadId}",
    auth: "tenant_admin",
    summary: "One lead, with contact data; audited",
    noStore: true,
    params: LeadPath,
    response: LeadDetail,
  },
  handleLead: {
    method: "PUT",
    path: "/api/tenant/leads/{leadId}",
    auth: "tenant_admin",
    summary: "Mark a lead as handled, or as open",
    params: LeadPath,
    body: z.strictObject({ handled: z.boolean() }),
    response: Lead,
  },
});
