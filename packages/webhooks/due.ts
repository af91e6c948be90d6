import { keys, type DeliveryRow } from "@vitaline/store";

/** What puts a delivery among those that are due at an instant. */
export const dueAt = (tenantId: string, id: string, nextAttemptAt: string): Pick<DeliveryRow, "nextAttemptAt" | "gsi1pk" | "gsi1sk"> => ({
  nextAttemptAt,
  gsi1pk: keys.tenantPartitions.dueDeliveries(tenantId),
  gsi1sk: `${nextAttemptAt}#${id}`,
});
/** And what takes it away from there. */
export const dueNoMore = ["nextAttemptAt", "gsi1pk", "gsi1sk"] as const satisfies (keyof DeliveryRow)[];

const keptSeconds = 30 * 86_400;
/** Longer than all attempts together take. */
export const expiryOf = (ms: number): number => Math.floor(ms / 1000) + keptSeconds;
