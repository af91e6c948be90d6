import * as z from "zod/mini";
import { Id, Instant, line, PageQuery } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";

export const ErasureKind = z.enum(["call", "patient", "tenant"]);
export type ErasureKind = z.infer<typeof ErasureKind>;

/** A fixed list, so that no patient data is typed into what stays for good. */
export const ErasureReason = z.enum(["contract_ended", "patient_request", "recorded_in_error", "legal_order", "other"]);
export type ErasureReason = z.infer<typeof ErasureReason>;

/**
 * waiting: until a second administrator approves, or the waiting time is over. exporting: a copy of what will be erased is being
 * written. erasing: rows and files are being deleted. done: the certificate is there.
 */
export const ErasureStatus = z.enum(["waiting", "exporting", "erasing", "done", "cancelled"]);
export type ErasureStatus = z.infer<typeof ErasureStatus>;

/** Days from the request to the erasure where no second administrator approves it. */
export const erasureWaitDays: Record<ErasureKind, number> = { call: 1, patient: 1, tenant: 30 };
/** Days until the point-in-time backups of the table and the former versions of files are gone, too. */
export const backupDays = 35;
/** Days that the copy made before an erasure can be downloaded. */
export const erasureExportDays = 7;

const reason = { reason: ErasureReason };
/** As FHIR has ids, so that no name is typed into what stays for good. */
const FhirId = z.string("Is required").check(z.trim(), z.regex(/^[A-Za-z0-9.-]{1,64}$/, "Must be the patient's id in the record system"));

export const NewErasure = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("call"), callId: z.string().check(z.regex(/^[0-9a-f]{40}$/, "Must be the id of a call")), ...reason }),
  /** As the record system names the patient. */
  z.strictObject({ kind: z.literal("patient"), fhirProviderId: Id, patientId: FhirId, ...reason }),
  z.strictObject({
    kind: z.literal("tenant"),
    /** The organization's name, typed again. */
    confirmName: line(200),
    ...reason,
  }),
]);
export type NewErasure = z.infer<typeof NewErasure>;

/** How many of each were destroyed. `files`: sealed texts of calls; `others`: rows of any other kind. */
export const ErasedCounts = z.object({
  calls: z.int(),
  toolRuns: z.int(),
  files: z.int(),
  leads: z.int(),
  tasks: z.int(),
  messages: z.int(),
  users: z.int(),
  others: z.int(),
});
export type ErasedCounts = z.infer<typeof ErasedCounts>;

export const Erasure = z.object({
  id: Id,
  kind: ErasureKind,
  tenantId: Id,
  tenantName: z.string(),
  /** Of a call; null in the list. */
  callId: z.nullable(z.string()),
  /** Of a patient: the connection to the record system, and the record system's own id, which is null in the list. */
  fhirProviderId: z.nullable(Id),
  patientId: z.nullable(z.string()),
  reason: ErasureReason,
  status: ErasureStatus,
  requestedBy: z.string(),
  /** null where the account is gone. */
  requestedByName: z.nullable(z.string()),
  requestedAt: Instant,
  approvedBy: z.nullable(z.string()),
  approvedByName: z.nullable(z.string()),
  approvedAt: z.nullable(Instant),
  /** When it begins without a second administrator's approval. */
  startsAt: Instant,
  /** The copy made before the erasure, in one file or several; null until it is written. */
  copy: z.nullable(z.object({ files: z.int(), lines: z.int(), bytes: z.int(), expiresAt: Instant })),
  /** Counted as they are destroyed; null before that. */
  erased: z.nullable(ErasedCounts),
  finishedAt: z.nullable(Instant),
  /** When the backups are gone, too; null before the erasure is done. */
  backupsGoneAt: z.nullable(Instant),
});
export type Erasure = z.infer<typeof Erasure>;

export const ErasureCertificate = z.object({
  /** A signed JWT (RS256, RFC 7515) whose claims are the erasure as it ended. */
  jws: z.string(),
  /** The public half of the key that signed it, as a JWK. */
  key: z.object({ kty: z.literal("RSA"), n: z.string(), e: z.string() }),
});
export type ErasureCertificate = z.infer<typeof ErasureCertificate>;

export const ErasureDetail = z.extend(Erasure, {
  /** Each hands a file of the copy to anyone who holds it, for ten minutes; null where they were not asked for, or there is no copy. */
  copyUrls: z.nullable(z.array(z.string())),
  certificate: z.nullable(ErasureCertificate),
});
export type ErasureDetail = z.infer<typeof ErasureDetail>;

const OfErasure = z.object({ erasureId: Id });

export const erasures = routes({
  requestErasure: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/erasures",
    auth: "system_admin",
    summary:
      "Ask for the erasure of a call, of a patient's traces or of a whole tenant. A second administrator's approval or the end of the waiting time starts it; a copy is written first",
    status: 202,
    noStore: true,
    params: z.object({ tenantId: Id }),
    body: NewErasure,
    response: Erasure,
  },
  listErasures: {
    method: "GET",
    path: "/api/admin/erasures",
    auth: "system_admin",
    summary: "Erasures of all tenants, or of one, newest first; the next page is in Link",
    noStore: true,
    query: z.extend(PageQuery, { tenantId: z.optional(Id) }),
    response: z.array(Erasure),
  },
  getErasure: {
    method: "GET",
    path: "/api/admin/erasures/{erasureId}",
    auth: "system_admin",
    summary:
      "One erasure: how far it is, and its certificate once it is done. withSubject=true: with the ids of whom it is about; withCopy=true: with links to the copy that work for ten minutes; both are audited",
    noStore: true,
    params: OfErasure,
    query: z.object({ withSubject: flag, withCopy: flag }),
    response: ErasureDetail,
  },
  approveErasure: {
    method: "POST",
    path: "/api/admin/erasures/{erasureId}/approve",
    auth: "system_admin",
    summary: "Approve an erasure that another administrator asked for: it begins at once",
    noStore: true,
    params: OfErasure,
    response: Erasure,
  },
  cancelErasure: {
    method: "POST",
    path: "/api/admin/erasures/{erasureId}/cancel",
    auth: "system_admin",
    summary: "Cancel an erasure that has not begun",
    noStore: true,
    params: OfErasure,
    response: Erasure,
  },
});
