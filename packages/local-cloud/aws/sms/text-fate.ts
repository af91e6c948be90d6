import type { ServiceEvent } from "../sns/configuration-sets.ts";
import type { StoredText } from "./text-store.ts";

/** What becomes of a text, as its sender is told at last. */
export type TextFate = "delivered" | "undeliverable";

/** Source: "Test with the SMS simulator" in the AWS End User Messaging SMS User Guide: the number in the United States where sending fails. */
const failingNumber = "+14254147167";

export const textFate = (number: string): TextFate => (number === failingNumber ? "undeliverable" : "delivered");

/** What AWS End User Messaging tells of a text, in order. Source: "Example AWS End User Messaging SMS event data" in the same guide. */
export function textEvents({ id, at, from, to }: StoredText, context: Record<string, string>): ServiceEvent[] {
  const event = (messageStatus: string, messageStatusDescription: string, isFinal: boolean): ServiceEvent => ({
    type: `TEXT_${messageStatus}`,
    body: {
      eventType: `TEXT_${messageStatus}`,
      eventVersion: "1.0",
      eventTimestamp: Date.now(),
      isFinal,
      originationPhoneNumber: from,
      destinationPhoneNumber: to,
      isoCountryCode: "US",
      messageId: id,
      messageRequestTimestamp: Date.parse(at),
      messageEncoding: "GSM",
      messageType: "TRANSACTIONAL",
      messageStatus,
      messageStatusDescription,
      context,
      totalMessageParts: 1,
      totalMessagePrice: 0,
      totalCarrierFee: 0,
    },
  });
  const queued = event("QUEUED", "Message is queued", false);
  return textFate(to) === "delivered"
    ? [queued, event("DELIVERED", "Message has been accepted by phone", true)]
    : [queued, event("UNREACHABLE", "Phone is currently unreachable or unavailable", true)];
}
