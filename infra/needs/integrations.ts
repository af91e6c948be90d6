import type { FunctionName } from "../config/functions.ts";
import { callResults, ehr, ehrAccess, messages, sending } from "./shared.ts";
import type { Needs } from "./types.ts";

/** Tool runs authenticated by a tenant's key. */
const toolsByKey = {
  ...ehrAccess,
  ...sending,
  http: true,
  audits: true,
  reads: [
    "KEY#*",
    "TENANT#*#CONFIG",
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    ...callResults.reads,
    ...ehr.reads,
    ...messages.reads,
  ],
  writes: [
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    "TENANT#*#KEYUSE",
    "PLATFORM#DUE#*",
    ...callResults.writes,
    ...ehr.writes,
    ...messages.writes,
  ],
  deletes: ["TENANT#*#IDEM#*", ...ehr.deletes, ...messages.deletes],
} as const satisfies Needs;

/** Functions that voice platforms, EHRs and calendars call. */
export const integrationNeeds = {
  voice: {
    ...toolsByKey,
    // Verifies signatures with the voice provider's secret; accepts OpenAI calls with its API key.
    reads: [...toolsByKey.reads, "REF#*", "TENANT#*#VAULT"],
    opens: [...toolsByKey.opens, "webhook", "voice-provider-key"],
    // Events that cannot be recorded become dead letters.
    writes: [...toolsByKey.writes, "TENANT#*#INBOX", "PLATFORM#KEPT"],
    files: true,
  },
  // Call tokens require that their voice provider is still active.
  mcp: { ...toolsByKey, reads: [...toolsByKey.reads, "REF#*"] },
  // Unauthenticated: it reads offices and times, no patient data.
  calendar: { http: true, reads: ["CALENDAR#*", "TENANT#*#CONFIG", "TENANT#*#CALENDAR#*"], callIndex: true },
  wellknown: { http: true, reads: ["PLATFORM#KEYS"] },
  public: {},
} satisfies Partial<Record<FunctionName, Needs>>;
