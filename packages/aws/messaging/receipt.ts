import * as z from "zod/mini";

/** Which message a mail or text is, so that its receipts say so themselves: our own ids, and nothing of a person. */
export type MessageRef = { tenantId: string; messageId: string };

/** What AWS says of a mail or text after it took it. */
export type Receipt = {
  ref: MessageRef;
  channel: "email" | "sms";
  to: string;
  outcome: "delayed" | "delivered" | "undeliverable" | "bounced" | "complained";
};
type Outcome = Receipt["outcome"];

const Ref = z.object({ tenantId: z.string(), messageId: z.string() });
/** Source: "Contents of event data that Amazon SES publishes to Amazon SNS" in the Amazon SES Developer Guide. Values of a tag come as a list. */
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
      // Of another type it is a full mailbox, a server that was not there, or an automatic answer.
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

/** Source: "Event types for SMS, MMS, and voice" in the same guide. What is on its way, or what the carrier never answered to, is no news. */
const outcomesOfText: Partial<Record<string, Outcome>> = {
  TEXT_DELIVERED: "delivered",
  // Where carriers tell no more than that they took it, it stands for the other.
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
 * The receipt that an SNS message of SES, or of AWS End User Messaging, brings; undefined for what concerns no message that was sent
 * with a ref, and for what AWS says beside receipts. Never throws.
 */
export function receiptOf(message: string): Receipt | undefined {
  const event = parsed(message);
  return receiptOfMail(event) ?? receiptOfText(event);
}

/** SES greets a new topic with a sentence. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
