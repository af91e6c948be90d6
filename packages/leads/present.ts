import type { Lead } from "@vitaline/contract";
import type { LeadRow } from "@vitaline/store";

export const asLead = ({ id, at, reason, callKey, officeId, handledAt, version }: LeadRow): Lead => ({
  id,
  createdAt: at,
  reason,
  callId: callKey ?? null,
  officeId: officeId ?? null,
  handledAt: handledAt ?? null,
  version: version ?? 1,
});
