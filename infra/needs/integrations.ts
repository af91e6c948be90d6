import { partitionPatterns } from "@vitaline/store/partitions.ts";
import type { FunctionName } from "../config/functions.ts";
import { callResults, ehr, ehrAccess, messages, sending } from "./shared.ts";
import type { Needs } from "./types.ts";

const { platform, tenant } = partitionPatterns();

/** Running tools for clients with a tenant's key. */
const toolsByKey = {
  ...ehrAccess,
  ...sending,
  http: true,
  audits: true,
  reads: [
    platform.apiKey,
    tenant.config,
    tenant.callItems,
    tenant.idempotency,
    tenant.counters,
    ...callResults.reads,
    ...ehr.reads,
    ...messages.reads,
  ],
  writes: [
    tenant.callItems,
    tenant.idempotency,
    tenant.counters,
    tenant.keyUse,
    platform.due,
    ...callResults.writes,
    ...ehr.writes,
    ...messages.writes,
  ],
  deletes: [tenant.idempotency, ...ehr.deletes, ...messages.deletes],
} as const satisfies Needs;

/** Functions that voice platforms, EHRs and calendars call. */
export const integrationNeeds = {
  voice: {
    ...toolsByKey,
    secrets: ["tokens", "hashes"],
    // A signed request names the voice provider whose secret signs it; OpenAI is told with the provider's key who answers.
    reads: [...toolsByKey.reads, platform.ref, tenant.vault],
    opens: [...toolsByKey.opens, "webhook", "voice-provider-key"],
    // What cannot be recorded is kept.
    writes: [...toolsByKey.writes, tenant.keptEventContent, platform.keptEvents],
    files: true,
  },
  mcp: {
    ...toolsByKey,
    secrets: ["tokens", "hashes"],
    // A call's token names its voice provider, which must still be active, and with whose key OpenAI transfers and ends the call.
    reads: [...toolsByKey.reads, platform.ref, tenant.vault],
    opens: [...toolsByKey.opens, "voice-provider-key"],
    files: true,
  },
  // An address that anybody may ask: it knows offices and times, and nothing of patients.
  calendar: { http: true, reads: [platform.calendarToken, tenant.config, tenant.calendar], callIndex: true },
  wellknown: { http: true, reads: [platform.platformKeys] },
  public: {},
} satisfies Partial<Record<FunctionName, Needs>>;
