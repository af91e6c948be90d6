import type { LeadReason, TaskFinding, TaskKind } from "@vitaline/contract";
import { tenantPartitions } from "./partitions.ts";
import { tenantEntity, type QuotaUnits } from "./entity.ts";

/** A possible patient who wants to be contacted, recorded by a call's tool or by staff. */
export type LeadRow = {
  id: string;
  at: string;
  /** Absent: recorded by staff. */
  callKey?: string;
  officeId?: string;
  reason: LeadReason;
  /** JSON of the contract's LeadContact. */
  sealed: string;
  handledAt?: string;
  version?: number;
  expiresAt: number;
};
export const lead = tenantEntity<LeadRow, [id: string]>({
  entity: "lead",
  writes: "retained",
  lifetime: "expires",
  at: (tenantId, id) => ({ pk: tenantPartitions.leads(tenantId), sk: id }),
});

/** The leads of a call: one per request, however often it is repeated. */
export type LeadsOfCallRow = { expiresAt: number } & QuotaUnits<"lead">;
export const leadsOfCall = tenantEntity<LeadsOfCallRow, [callKey: string]>({
  entity: "leadsOfCall",
  writes: "bookkeeping",
  lifetime: "expires",
  at: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "LEADS" }),
});

/** A promise to a caller that the clinic's staff must keep. */
export type TaskRow = {
  id: string;
  at: string;
  kind: TaskKind;
  callKey?: string | undefined;
  officeId?: string | undefined;
  dueAt: string;
  /** JSON of the contract's TaskAbout. */
  sealed: string;
  finding?: TaskFinding | undefined;
  closedAt?: string | undefined;
  version: number;
  expiresAt: number;
};
export const task = tenantEntity<TaskRow, [id: string]>({
  entity: "task",
  writes: "retained",
  lifetime: "expires",
  at: (tenantId, id) => ({ pk: tenantPartitions.tasks(tenantId), sk: id }),
});
