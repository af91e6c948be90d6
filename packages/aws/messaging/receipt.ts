import * as z from "zod/mini";

/** Identifies a message in its receipts; no personal data. */
export type MessageRef = { tenantId: string; messageId: string };

/** A delivery receipt of a mail or text. */
export type Receipt = {
  ref: MessageRef;
  channel: "email" | "sms";
  to: string;
  outcome: "delayed" | "delivered" | "undeliverable" | "bounced" | "complained";
};
type Outcome = Receipt["outcome"];

const Ref = z.object({ tenantId: z.string(), messageId: z.string() });
/** Source: "Contents of event data that Amazon SES publishes to Amazon SNS" in the Amazon SES Developer Guide. A tag's values are a list. */
const MailEvent = z.object({
  eventType: z.string(),
  mail: z.object({
    destination: z.tuple([z.string()], z.string()),
    tags: z.object({ tenantId: z.tuple([z.string()]), messageId: z.tuple([z.string()]) }),
  }),
  bounce: z.catch(z.optional(z.object({ bounceType: z.catch(z.string(), "") })), undefined),
  complaint: z.catch(z.optional(z.object({ complaintFeedbackType: z.catch(z.string(), "") })), undefined),
});

function outcomeOfMail({ eventType, bounce, complaint }: z.output<typeof MailEvent>): Outcome | undefined {
  switch (eventType) {
    case "Delivery":
      return "delivered";
    case "DeliveryDelay":
      return "delayed";
    case "Reject":
    case "Rendering Failure":
      return "undeliverable";
    case "Bounce":
      // Other types: a full mailbox, an unreachable server, or an automatic reply.
      return bounce?.bounceType === "Permanent" ? "bounced" : "undeliverable";
    case "Complaint":
      return complaint?.complaintFeedbackType === "not-spam" ? undefined : "complained";
    default:
      return undefined;
  }
}

function receiptOfMail(event: unknown): Receipt | undefined {
  const { data } = z.safeParse(MailEvent, event);
  const outcome = data && outcomeOfMail(data);
  if (!outcome) return undefined;
  const { tags, destination } = data.mail;
  const ref = { tenantId: tags.tenantId[0], messageId: tags.messageId[0] };
  return { ref, channel: "email", to: destination[0], outcome };
}

/** Source: "Example AWS End User Messaging SMS event data" in the AWS End User Messaging SMS User Guide. */
const TextEvent = z.object({
  eventType: z.string(),
  isFinal: z.catch(z.boolean(), true),
  destinationPhoneNumber: z.string(),
  context: Ref,
});

/** Source: "Event types for SMS, MMS, and voice" in the same guide. Pending and unknown states are not reported. */
const outcomesOfText: Partial<Record<string, Outcome>> = {
  TEXT_DELIVERED: "delivered",
  // The final state where carriers send no delivery receipt.
  TEXT_SUCCESSFUL: "delivered",
  TEXT_INVALID: "bounced",
  TEXT_INVALID_MESSAGE: "undeliverable",
  TEXT_UNREACHABLE: "undeliverable",
  TEXT_CARRIER_UNREACHABLE: "undeliverable",
  TEXT_BLOCKED: "undeliverable",
  TEXT_CARRIER_BLOCKED: "undeliverable",
  TEXT_SPAM: "undeliverable",
  TEXT_TTL_EXPIRED: "undeliverable",
  TEXT_PROTECT_BLOCKED: "undeliverable",
};

function receiptOfText(event: unknown): Receipt | undefined {
  const { data } = z.safeParse(TextEvent, event);
  const outcome = data && Object.hasOwn(outcomesOfText, data.eventType) ? outcomesOfText[data.eventType] : undefined;
  if (!data || !outcome) return undefined;
  const { context: ref, destinationPhoneNumber: to, isFinal } = data;
  return { ref, channel: "sms", to, outcome: isFinal || outcome === "delivered" ? outcome : "delayed" };
}

/**
 * The receipt in an SNS message from SES or AWS End User Messaging; undefined for other notifications and messages without a ref.
 * Never throws.
 */
export function parseReceipt(message: string): Receipt | undefined {
  const event = parsed(message);
  return receiptOfMail(event) ?? receiptOfText(event);
}

/** SES sends a plain sentence to a new topic. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
