import { keyedHash } from "@vitaline/core";

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
