import { keyedHash, keyedHashes } from "@vitaline/core";

/** As staff type it, with or without a label such as "MRN", and as charts have it. */
const normalize = (recordNumber: string): string =>
  recordNumber
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/^(?:MEDICALRECORD(?:NUMBER)?|MRN|MR)(?=\d)/, "");

/** Keyed, because medical record numbers are few enough to guess. */
export const patientHash = (tenantId: string, recordNumber: string): string =>
  keyedHash("proxied-patient", [tenantId, normalize(recordNumber)]);

/** The current one, then as it was stored before a rotation of the key. */
export const patientHashes = (tenantId: string, recordNumber: string): string[] =>
  keyedHashes("proxied-patient", [tenantId, normalize(recordNumber)]);

/** Of one person: another record system of the tenant may have the same number for another one. `birthDate`: yyyy-mm-dd. */
export const chartHash = (tenantId: string, recordNumber: string, birthDate: string): string =>
  keyedHash("proxied-chart", [tenantId, normalize(recordNumber), birthDate]);

/** Audit rows keep theirs from before a rotation of the key. */
export const chartHashes = (tenantId: string, recordNumber: string, birthDate: string): string[] =>
  keyedHashes("proxied-chart", [tenantId, normalize(recordNumber), birthDate]);
