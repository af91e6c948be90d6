import type { ErasedCounts, ErasureKind, ErasureReason, ErasureStatus } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions } from "./partitions.ts";
import { platformEntity } from "./entity.ts";

/** An erasure request, with its signed certificate once done. Permanent: it contains ids and counts only. */
export type ErasureRow = {
  id: string;
  kind: ErasureKind;
  tenantId: string;
  tenantName: string;
  callKey?: string;
  /** The patient's id in the EHR, and our id of the EHR connection. */
  patientId?: string;
  fhirProviderId?: string;
  /** Keyed hash of the medical record number and birth date, by which approvals to speak for the patient are found. */
  chartHash?: string;
  reason: ErasureReason;
  status: ErasureStatus;
  requestedBy: string;
  requestedAt: string;
  approvedBy?: string;
  approvedAt?: string;
  /** When it begins. */
  startsAt: string;
  /** The copy of the erased data in the files bucket. */
  copy?: { files: ErasureCopyFile[]; expiresAt: string };
  /** Progress while the copy is written. */
  copying?: ErasureCopyPosition;
  startedAt?: string;
  erased?: ErasedCounts;
  finishedAt?: string;
  backupsGoneAt?: string;
  /** A JWT over the finished erasure, and the public key to verify it. */
  certificate?: { jws: string; key: { kty: "RSA"; n: string; e: string } };
  version: number;
};
export type ErasureCopyFile = { name: string; lines: number; bytes: number; sha256: string };
/** `stage`: the kind of rows; `after`: the key of the last written row. */
export type ErasureCopyPosition = { stage: number; after: string };
export const erasure = platformEntity<ErasureRow, [id: string]>({
  entity: "erasure",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (id) => ({ pk: partitions.erasures, sk: id }),
});

export type ErasureSubjectRow = { erasureId: string };
/** Allows one erasure at a time for a call, patient or tenant. */
export const erasureSubject = platformEntity<ErasureSubjectRow, [tenantId: string, subject: string]>({
  entity: "erasureSubject",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, subject) => ({ pk: partitions.erasure(sha256In("erasure-subject", tenantId, subject)), sk: "SUBJECT" }),
});

/** `continuesAt`: when the due row is due that the last run left; other due rows of the erasure are then not needed. */
export type ErasureRunRow = { runId: string; untilMs: number; continuesAt?: string; searched?: ErasureSearch; expiresAt: number };
/** What the audit before a month says of the patient: rows of months that are over do not change. */
export type ErasureSearch = { before: string; found: Record<"calls" | "messageIds" | "appointmentIds" | "proxyIds" | "charts", string[]> };
/** The active run of functions/events/erase, so that two runs do not count the same rows. */
export const erasureRun = platformEntity<ErasureRunRow, [id: string]>({
  entity: "erasureRun",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (id) => ({ pk: partitions.erasure(id), sk: "RUN" }),
});
