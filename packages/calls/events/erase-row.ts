import { keys, put, update, type CallRow, type DueRow, type Write } from "@vitaline/store";

/** Above that of anything a platform can say of a call. */
const erasedRank = 99;
const keptSeconds = 90 * 86_400;

/** What totals and bills were made of, its place, and its end. */
type Kept =
  | ("callKey" | "platform" | "rank" | "status" | "startedAt" | "durationSeconds" | "forwarded" | "success" | "countedAt" | "officeId")
  | ("version" | "erasedAt" | "erasureId" | "gsi1pk" | "gsi1sk" | "expiresAt" | "keptFrom");

/** Everything else of a call's row, whatever stands there when it is erased. */
const content: Record<Exclude<keyof CallRow, Kept>, true> = {
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
  toolsUsed: true,
  transcript: true,
  summary: true,
  analysis: true,
  numbers: true,
  arrival: true,
  followUp: true,
  textsUntil: true,
};
const contentNames = Object.keys(content) as (keyof typeof content)[];

/** Whether anything of the content of a call stands in its row. */
export const hasContent = (row: object): boolean => contentNames.some((name) => name in row);

/**
 * Takes the content out of a call's row. The row stays, so that a late event does not bring the call back and no total changes; a call
 * whose end was never told counts as ended for an unknown reason.
 */
export const eraseCallRow = (
  row: { version?: number; countedAt?: string },
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
        ...(row.countedAt === undefined ? { status: "unknown" } : {}),
      },
      setOnce: { countedAt: at },
      remove: contentNames,
    },
    { exists: true },
  );

const shardOf = (id: string): string => String(Number.parseInt(id.slice(-1), 36) % 4);

/** Has functions/events/probe begin an erasure, or go on with it, at that time. One write unit. */
export const dueErasure = (tenantId: string, id: string, dueAt: string): Write =>
  put<DueRow>(keys.due(shardOf(id), dueAt, "erasure", id), {
    kind: "erasure",
    tenantId,
    id,
    dueAt,
    expiresAt: Math.ceil(Date.parse(dueAt) / 1000) + keptSeconds,
  });
