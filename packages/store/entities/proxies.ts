import type { ProxyRelationship, ProxyScope } from "@vitaline/contract";
import { tenantPartitions } from "./partitions.ts";
import { tenantEntity } from "./entity.ts";

/** Someone whom staff approved to speak for a patient. */
export type ProxyRow = {
  id: string;
  at: string;
  /** The user who approved it. */
  approvedBy: string;
  relationship: ProxyRelationship;
  scope: ProxyScope;
  /** The last day, yyyy-mm-dd. */
  validUntil: string;
  /** Custody or legal authority is in dispute: staff take the call. */
  onHold: boolean;
  /** The keys of proxiesOfPatient. */
  patientHash: string;
  /** JSON of the contract's ProxyPeople. */
  sealed: string;
  version: number;
  expiresAt: number;
};
export const proxy = tenantEntity<ProxyRow, [id: string]>({
  entity: "proxy",
  writeKind: "audited",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.proxies(tenantId), sk: id }),
});

/** The proxies of one patient. `patient`: keyed hash of the medical record number. */
export type ProxiesOfPatientRow = { ids: Set<string>; expiresAt: number };
export const proxiesOfPatient = tenantEntity<ProxiesOfPatientRow, [patient: string]>({
  entity: "proxiesOfPatient",
  writeKind: "audited",
  lifetime: "expires",
  primaryKey: (tenantId, patient) => ({ pk: tenantPartitions.proxiesOfPatients(tenantId), sk: patient }),
});
