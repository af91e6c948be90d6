import { keys, schedule, update, type CallRow, type Write } from "@vitaline/store";

/** Higher than the rank of any event. */
const erasedRank = 99;
const keptSeconds = 90 * 86_400;

/** Fields that totals and bills depend on, the list position, and the expiry. */
type KeptField =
  | ("callKey" | "platform" | "rank" | "status" | "startedAt" | "durationSeconds" | "forwarded" | "success" | "endSeenAt" | "officeId")
  | ("day" | "statedResolved" | "helped" | "soughtStaff" | "cutShort" | "hasSignals" | "isTest")
  | ("version" | "erasedAt" | "erasureId" | "gsi1pk" | "gsi1sk" | "expiresAt" | "keptFrom");

/** All other fields; the type makes sure that a new one is added here. */
const content: Record<Exclude<keyof CallRow, KeptField>, true> = {
  platformCallId: true,
  platformStartedAt: true,
  endedAt: true,
  endedReason: true,
  outcome: true,
  agentId: true,
  direction: true,
  costAmount: true,
  costCurrency: true,
  agentName: true,
  sentiment: true,
  latencyP50Ms: true,
  latencyP95Ms: true,
  language: true,
  rating: true,
  recordingConsentType: true,
  recordingConsentAt: true,
  toolsUsed: true,
  toolFailed: true,
  failedTools: true,
  results: true,
  intent: true,
  loggedReasons: true,
  numberHash: true,
  numberEnding: true,
  transcript: true,
  summary: true,
  analysis: true,
  numbers: true,
  liveNumbers: true,
  followUp: true,
  textsUntil: true,
};
const contentNames = Object.keys(content) as (keyof typeof content)[];

export const hasContent = (row: object): boolean => contentNames.some((name) => name in row);

/**
 * Removes the content from a call's row. The row itself stays, so that a late event does not recreate the call and totals do not
 * change. A call without a reported end counts as ended with status `unknown`.
 */
export const eraseCallRow = (
  row: { version?: number; endSeenAt?: string },
  { id, tenantId, callKey, at }: { id: string; tenantId: string; callKey: string; at: string },
): Write =>
  update<CallRow>(
    keys.call(callKey),
    {
      set: {
        rank: erasedRank,
        erasedAt: at,
        erasureId: id,
        gsi1pk: keys.tenantPartitions.erasedCalls(tenantId),
        gsi1sk: callKey,
        version: (row.version ?? 1) + 1,
        ...(row.endSeenAt === undefined ? { status: "unknown" } : {}),
      },
      setOnce: { endSeenAt: at },
      remove: contentNames,
    },
    { exists: true },
  );

/** Schedules functions/events/retry to start or continue an erasure. One write unit. */
export const dueErasure = (tenantId: string, id: string, dueAt: string): Write =>
  schedule({ kind: "erasure", tenantId, id, dueAt, expiresAt: Math.ceil(Date.parse(dueAt) / 1000) + keptSeconds });
