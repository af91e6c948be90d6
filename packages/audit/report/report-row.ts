import { startOf } from "@vitaline/calls";
import type { AuditRow, CallRow } from "@vitaline/store";
import { classOf, type AuditClass } from "../log/classification.ts";

/** One line of a report. Empty text where there is nothing to say; no field holds what was said or found. */
export type ReportRow = {
  /** ISO 8601 in UTC. */
  time: string;
  class: AuditClass;
  action: string;
  actorKind: string;
  actorId: string;
  tenantId: string;
  resourceType: string;
  resourceId: string;
  address: string;
  success: boolean;
  code: string;
  requestId: string;
  detail: Record<string, string | number | boolean>;
  /** Sorts rows of one instant. */
  id: string;
};

export const reportOfAudit = (row: AuditRow): ReportRow => ({
  time: row.at,
  class: classOf(row),
  action: row.action,
  actorKind: row.actorKind,
  actorId: row.actorId,
  tenantId: row.tenantId ?? "",
  resourceType: row.resourceType,
  resourceId: row.resourceId ?? "",
  address: row.clientAddress,
  success: row.success,
  code: row.code ?? "",
  requestId: row.requestId,
  detail: row.detail ?? {},
  id: row.id,
});

/** A conversation, by the platform that held it: when, how long, how it ended; never a word of it. */
export const reportOfCall = (tenantId: string, call: CallRow): ReportRow => ({
  time: startOf(call),
  class: "voice_conversation",
  action: "call.conversation",
  actorKind: "voice_platform",
  actorId: call.platform,
  tenantId,
  resourceType: "Call",
  resourceId: call.callKey,
  address: "",
  success: call.status === "completed",
  code: call.status,
  requestId: "",
  detail: {
    ...(call.durationSeconds === undefined ? {} : { durationSeconds: call.durationSeconds }),
    forwarded: call.forwarded,
    ...(call.officeId === undefined ? {} : { officeId: call.officeId }),
  },
  id: call.callKey,
});
