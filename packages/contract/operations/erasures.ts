import * as z from "zod/mini";
import { Id, Instant, line, PageQuery } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";

export const ErasureKind = z.enum(["call", "patient", "tenant"]);
export type ErasureKind = z.infer<typeof ErasureKind>;

/** A fixed list, so that no patient data gets into permanent records. */
export const ErasureReason = z.enum(["contract_ended", "patient_request", "recorded_in_error", "legal_order", "other"]);
export type ErasureReason = z.infer<typeof ErasureReason>;

/**
 * waiting: for a second administrator's approval or the end of the waiting time. exporting: a copy of the data is being written.
 * erasing: rows and files are being deleted. done: the certificate exists.
 */
export const ErasureStatus = z.enum(["waiting", "exporting", "erasing", "done", "cancelled"]);
export type ErasureStatus = z.infer<typeof ErasureStatus>;

/** Days from request to erasure without a second administrator's approval. */
export const erasureWaitDays: Record<ErasureKind, number> = { call: 1, patient: 1, tenant: 30 };
/** Days until the table's point-in-time backups and old file versions are gone. */
export const backupDays = 35;
/** Days for which the copy can be downloaded. */
export const erasureExportDays = 7;

const reason = { reason: ErasureReason };
/** A FHIR id, so that no name gets into permanent records. */
export const FhirId = z
  .string("Is required")
  .check(z.trim(), z.regex(/^[A-Za-z0-9.-]{1,64}$/, "Must be the patient's id in the record system"));

export const NewErasure = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("call"), callId: z.string().check(z.regex(/^[0-9a-f]{40}$/, "Must be the id of a call")), ...reason }),
  /**
   * The EHR's id of the patient. With the medical record number and the birth date, approvals to speak for the patient are erased also
   * where the patient never called; both are kept as a keyed hash alone.
   */
  z.strictObject({
    ...{ kind: z.literal("patient"), fhirProviderId: Id, patientId: FhirId },
    ...{ medicalRecordNumber: z.optional(line(60)), birthDate: z.optional(z.iso.date("Must be a date")) },
    ...reason,
  }),
  z.strictObject({
    kind: z.literal("tenant"),
    /** The organization's name, to confirm. */
    confirmName: line(200),
    ...reason,
  }),
]);
export type NewErasure = z.infer<typeof NewErasure>;

/** Destroyed items by kind. `files`: sealed texts of calls; `others`: rows of any other kind. */
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
  /** For a call; null in the list. */
  callId: z.nullable(z.string()),
  /** For a patient: the EHR connection, and the EHR's patient id, which is null in the list. */
  fhirProviderId: z.nullable(Id),
  patientId: z.nullable(z.string()),
  reason: ErasureReason,
  status: ErasureStatus,
  requestedBy: z.string(),
  /** null: the account no longer exists. */
  requestedByName: z.nullable(z.string()),
  requestedAt: Instant,
  approvedBy: z.nullable(z.string()),
  approvedByName: z.nullable(z.string()),
  approvedAt: z.nullable(Instant),
  /** When it begins without a second administrator's approval. */
  startsAt: Instant,
  /** The copy made before the erasure; null until it is written. */
  copy: z.nullable(z.object({ files: z.int(), lines: z.int(), bytes: z.int(), expiresAt: Instant })),
  /** Progress, then the final counts; null before the start. */
  erased: z.nullable(ErasedCounts),
  finishedAt: z.nullable(Instant),
  /** When the backups are gone; null before the erasure is done. */
  backupsGoneAt: z.nullable(Instant),
});
export type Erasure = z.infer<typeof Erasure>;

export const ErasureCertificate = z.object({
  /** A signed JWT (RS256, RFC 7515) whose claims are the finished erasure. */
  jws: z.string(),
  /** The public key as a JWK. */
  key: z.object({ kty: z.literal("RSA"), n: z.string(), e: z.string() }),
});
export type ErasureCertificate = z.infer<typeof ErasureCertificate>;

export const ErasureDetail = z.extend(Erasure, {
  /** Download links for the copy's files, valid for ten minutes without authentication; null if not requested or without a copy. */
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
    summary: "Approve an erasure that another administrator requested; it starts at once",
    noStore: true,
    params: OfErasure,
    response: Erasure,
  },
  cancelErasure: {
    method: "POST",
    path: "/api/admin/erasures/{erasureId}/cancel",
    auth: "system_admin",
    summary: "Cancel an erasure that has not started",
    noStore: true,
    params: OfErasure,
    response: Erasure,
  },
});
