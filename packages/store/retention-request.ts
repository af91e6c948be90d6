import { due, retentionRun } from "./keys.ts";
import type { DueRow, RetentionRunRow } from "./rows.ts";
import { put, type Write } from "./write.ts";

/** Longer than an instance goes on with the periods that it has read, and than any invocation takes. */
const startsAfterMs = 3 * 60_000;
const soughtSeconds = 365 * 86_400;

/** Due work lies in four partitions; see functions/events/probe. */
const shardOf = (id: string): string => String(Number.parseInt(id.slice(-1), 36) % 4);

/**
 * Writes that have a tenant's periods applied to what is stored already, by functions/events/retain: which request counts, and the
 * minute probe's reminder of it. A later request takes the place of this one. `id` is one of newId's. Two write units.
 */
export function retentionRequest(tenantId: string, id: string, now: Date): [run: Write & { verb: "put" }, reminder: Write] {
  const dueAt = new Date(now.getTime() + startsAfterMs).toISOString();
  const expiresAt = Math.floor(now.getTime() / 1000) + soughtSeconds;
  return [
    { verb: "put", key: retentionRun(), row: { id, at: now.toISOString() } satisfies RetentionRunRow },
    put<DueRow>(due(shardOf(id), dueAt, "retention", id), { kind: "retention", tenantId, id, dueAt, expiresAt }),
  ];
}
