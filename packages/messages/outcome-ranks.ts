import type { DeliveryOutcome } from "@vitaline/contract";

/**
 * The higher rank wins, regardless of the order of receipts. A delivered mail may still bounce or be marked as spam; an automatic
 * reply to it looks like a failed delivery, and is not one.
 */
export const outcomeRanks: Record<DeliveryOutcome, number> = { delayed: 1, undeliverable: 2, delivered: 3, bounced: 4, complained: 5 };
