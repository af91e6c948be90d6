import { keys, put, update, type CallRow, type DueRow, type Write } from "@vitaline/store";

/** Above that of anything a platform can say of a call. */
const erasedRank = 99;
const keptSeconds = 90 * 86_400;

/** What totals and bills were made of, and its place; everything else of a call's row goes. */
const kept = new Set<string>([
  "pk",
  "sk",
  "callKey",
  "platform",
  "rank",
  "status",
  "startedAt",
  "durationSeconds",
  "forwarded",
  "success",
  "countedAt",
  "officeId",
  "version",
  "erasedAt",
  "erasureId",
  "gsi1pk",
  "gsi1sk",
  "expiresAt",
  "keptFrom",
] satisfies (keyof CallRow | "pk" | "sk")[]);

/** Takes the content out of a call's row. The row stays, so that a late event does not bring the call back and no total changes. */
export const eraseCallRow = (
  row: { version?: number },
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
      },
      remove: Object.keys(row).filter((name) => !kept.has(name)) as (keyof CallRow)[],
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
