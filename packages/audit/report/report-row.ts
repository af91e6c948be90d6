import { startOf } from "@vitaline/calls";
import type { AuditRow, CallRow } from "@vitaline/store";
import type { DisplayNames } from "../log/display-names.ts";
import { classify, type AuditClass } from "../log/classification.ts";

/** One line of a report; absent values are empty strings. Contains no content of calls or records. */
export type ReportRow = {
  /** ISO 8601 in UTC. */
  time: string;
  class: AuditClass;
  action: string;
  actorKind: string;
  actorId: string;
  /** Current names; empty for a deleted account, and for the system. */
  actorName: string;
  tenantId: string;
  tenantName: string;
  resourceType: string;
  resourceId: string;
  address: string;
  success: boolean;
  code: string;
  requestId: string;
  detail: Record<string, string | number | boolean>;
  /** Tie-breaker for rows with the same time. */
  id: string;
};

export const auditReportRow = (row: AuditRow, names: DisplayNames): ReportRow => ({
  time: row.at,
  class: classify(row),
  action: row.action,
  actorKind: row.actorKind,
  actorId: row.actorId,
  actorName: names.actorName(row) ?? "",
  tenantId: row.tenantId ?? "",
  tenantName: names.tenantName(row) ?? "",
  resourceType: row.resourceType,
  resourceId: row.resourceId ?? "",
  address: row.clientAddress,
  success: row.success,
  code: row.code ?? "",
  requestId: row.requestId,
  detail: row.detail ?? {},
  id: row.id,
});

export const callReportRow = (tenantId: string, tenantName: string, call: CallRow): ReportRow => ({
  time: startOf(call),
  class: "voice_conversation",
  action: "call.conversation",
  actorKind: "voice_platform",
  actorId: call.platform,
  actorName: call.agentName ?? "",
  tenantId,
  tenantName,
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
