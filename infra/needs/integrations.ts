import type { FunctionName } from "../config/functions.ts";
import { besideCalls, ehr, ehrAccess, messages, messaging } from "./shared.ts";
import type { Needs } from "./types.ts";

/** Running tools for whoever holds a tenant's key. */
const toolsByKey = {
  ...ehrAccess,
  ...messaging,
  http: true,
  audits: true,
  reads: [
    "KEY#*",
    "TENANT#*#CONFIG",
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    ...besideCalls.reads,
    ...ehr.reads,
    ...messages.reads,
  ],
  writes: [
    "TENANT#*#CALL#*",
    "TENANT#*#IDEM#*",
    "TENANT#*#TRY#*",
    "TENANT#*#KEYUSE",
    "PLATFORM#DUE#*",
    ...besideCalls.writes,
    ...ehr.writes,
    ...messages.writes,
  ],
  deletes: ["TENANT#*#IDEM#*", ...ehr.deletes, ...messages.deletes],
} as const satisfies Needs;

/** Functions that voice platforms, EHRs and calendars call. */
export const integrationNeeds = {
  voice: {
    ...toolsByKey,
    // What is signed names a voice provider, whose secret it must be; OpenAI is told with the provider's key who answers.
    reads: [...toolsByKey.reads, "REF#*", "TENANT#*#VAULT"],
    opens: [...toolsByKey.opens, "webhook", "voice-provider-key"],
    // What cannot be recorded is kept.
    writes: [...toolsByKey.writes, "TENANT#*#INBOX", "PLATFORM#KEPT"],
    files: true,
  },
  // A call's token names its voice provider, which must still be active.
  mcp: { ...toolsByKey, reads: [...toolsByKey.reads, "REF#*"] },
  // An address that anybody may ask: it knows offices and times, and nothing of patients.
  calendar: { http: true, reads: ["CALENDAR#*", "TENANT#*#CONFIG", "TENANT#*#CALENDAR#*"], callIndex: true },
  wellknown: { http: true, reads: ["PLATFORM#KEYS"] },
  public: {},
} satisfies Partial<Record<FunctionName, Needs>>;
