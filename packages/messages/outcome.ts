import type { DeliveryOutcome } from "@vitaline/contract";

/**
 * Which word about a delivery is the last, in whatever order they arrive. A mail that was delivered may still come back, or be marked
 * as unwanted; an automatic answer to it looks like one that was given up, and is none.
 */
export const outcomeRanks: Record<DeliveryOutcome, number> = { delayed: 1, undeliverable: 2, delivered: 3, bounced: 4, complained: 5 };
