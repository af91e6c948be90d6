import { keys, put, type DueRow, type Write } from "@vitaline/store";

const firstLookSeconds = 45;
/** Nothing is looked for longer than its idempotency row lives. */
export const keptSeconds = 24 * 3600;

/** The minute probe's reminder to find out what became of a write. */
export function dueWork(tenantId: string, idempotencyId: string, now: Date): Write {
  const dueAt = new Date(now.getTime() + firstLookSeconds * 1000).toISOString();
  const shard = String(Number.parseInt(idempotencyId.slice(0, 2), 16) % 4);
  const expiresAt = Math.floor(now.getTime() / 1000) + keptSeconds;
  return put<DueRow>(keys.due(shard, dueAt, "idempotency", idempotencyId), {
    kind: "idempotency",
    tenantId,
    id: idempotencyId,
    dueAt,
    expiresAt,
  });
}
