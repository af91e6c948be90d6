import * as z from "zod/mini";
import { Id, Instant, line, Nothing, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** `representative`: by a court or a power of attorney. */
export const ProxyRelationship = z.enum(["parent", "guardian", "representative", "spouse", "relative", "caregiver"]);
export type ProxyRelationship = z.infer<typeof ProxyRelationship>;

/** What a proxy may know and do: everything as the patient, everything but the medical record, or appointments alone. */
export const ProxyScope = z.enum(["all", "no_clinical", "appointments"]);
export type ProxyScope = z.infer<typeof ProxyScope>;

const Day = z.iso.date("Must be a date");

/** The proxy and the patient as on the chart; patient data. */
export const ProxyPeople = z.strictObject({
  name: line(200),
  phone: line(40).check(z.refine((text) => text.replace(/\D/g, "").length >= 10, "Must be a phone number with its area code")),
  patientFirstName: line(100),
  patientLastName: line(100),
  patientBirthDate: Day,
  medicalRecordNumber: line(60),
});
export type ProxyPeople = z.infer<typeof ProxyPeople>;

const rules = {
  relationship: ProxyRelationship,
  scope: ProxyScope,
  /** The last day; at most five years ahead. */
  validUntil: Day,
  /** Custody or legal authority is in dispute: staff take the call. */
  onHold: z.boolean(),
};

/**
 * Someone whom the clinic's staff approved to speak for a patient. An approval given before the patient's eighteenth birthday ends on
 * that day.
 */
export const ApprovedProxy = z.object({
  id: Id,
  createdAt: Instant,
  /** Id of the user who approved it. */
  approvedBy: z.string(),
  ...rules,
  version: z.number(),
});
export type ApprovedProxy = z.infer<typeof ApprovedProxy>;

export const ApprovedProxyDetail = z.extend(ApprovedProxy, { people: z.object(ProxyPeople.shape) });
export type ApprovedProxyDetail = z.infer<typeof ApprovedProxyDetail>;

export const NewProxy = z.strictObject({
  people: ProxyPeople,
  relationship: ProxyRelationship,
  scope: ProxyScope,
  validUntil: Day,
});
export type NewProxy = z.output<typeof NewProxy>;

/** Absent keeps a field. */
export const ProxyChange = z.partial(z.strictObject({ scope: ProxyScope, validUntil: Day, onHold: z.boolean() }));
export type ProxyChange = z.output<typeof ProxyChange>;

const ProxyPath = z.object({ proxyId: Id });

export const proxies = routes({
  listProxies: {
    method: "GET",
    path: "/api/tenant/proxies",
    auth: "tenant_admin",
    summary: "People approved to speak for a patient, newest first, without names; the next page is in Link",
    query: PageQuery,
    response: z.array(ApprovedProxy),
  },
  approveProxy: {
    method: "POST",
    path: "/api/tenant/proxies",
    auth: "tenant_admin",
    summary: "Approve someone to speak for a patient",
    status: 201,
    noStore: true,
    body: NewProxy,
    response: ApprovedProxy,
  },
  readProxy: {
    method: "GET",
    path: "/api/tenant/proxies/{proxyId}",
    auth: "tenant_admin",
    summary: "One proxy, with names; audited",
    noStore: true,
    params: ProxyPath,
    response: ApprovedProxyDetail,
  },
  changeProxy: {
    method: "PUT",
    path: "/api/tenant/proxies/{proxyId}",
    auth: "tenant_admin",
    summary: "Change what a proxy may do, and until when; put them on hold or end a hold",
    params: ProxyPath,
    body: ProxyChange,
    response: ApprovedProxy,
  },
  revokeProxy: {
    method: "DELETE",
    path: "/api/tenant/proxies/{proxyId}",
    auth: "tenant_admin",
    summary: "Revoke a proxy at once",
    status: 204,
    params: ProxyPath,
    response: Nothing,
  },
});
