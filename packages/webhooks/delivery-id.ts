import { idFrom } from "@vitaline/core";
import type { DeliveryType } from "@vitaline/contract";
import type { EventSource } from "@vitaline/store";

/**
 * The id of an event's delivery to a webhook: the same each time it is asked for, so that however often the event is told of there
 * is one delivery, and sorted by when it happened, as all our ids are.
 */
export function deliveryIdOf(webhookId: string, { at, type, source }: { at: string; type: DeliveryType; source: EventSource }): string {
  const told = source.kind === "call" ? source.callKey : source.id;
  return idFrom(Date.parse(at), "webhook-delivery", webhookId, type, told);
}
