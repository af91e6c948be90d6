import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReceipt } from "./receipt.ts";

const ref = { tenantId: "t1", messageId: "m1" };

/** An event as SES publishes it. */
const mailEvent = (eventType: string, more: object = {}, tags: object = { tenantId: ["t1"], messageId: ["m1"] }) => ({
  eventType,
  mail: {
    timestamp: "2026-06-01T16:00:00.000Z",
    source: "Vitaline <no-reply@vitaline.example>",
    sourceArn: "arn:aws:ses:us-east-1:000000000000:identity/vitaline.example",
    sendingAccountId: "000000000000",
    messageId: "0100018f-7c6d-0000-0000-000000000000",
    destination: ["ann@example.com"],
    headersTruncated: false,
    headers: [{ name: "To", value: "ann@example.com" }],
    commonHeaders: { to: ["ann@example.com"], subject: "A message" },
    tags: { "ses:configuration-set": ["receipts"], "ses:from-domain": ["vitaline.example"], ...tags },
  },
  ...more,
});
const bounce = (bounceType: string, bounceSubType = "General") =>
  mailEvent("Bounce", {
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: "ann@example.com", action: "failed", status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1" }],
      timestamp: "2026-06-01T16:00:02.000Z",
      feedbackId: "f1",
      reportingMTA: "dsn; mta.example.com",
    },
  });
const complaint = (complaintFeedbackType?: string) =>
  mailEvent("Complaint", {
    complaint: { complainedRecipients: [{ emailAddress: "ann@example.com" }], feedbackId: "f1", complaintFeedbackType },
  });
/** An event as AWS End User Messaging publishes it. */
const textEvent = (status: string, more: object = {}) => ({
  eventType: `TEXT_${status}`,
  eventVersion: "1.0",
  eventTimestamp: 1_780_329_600_000,
  isFinal: true,
  originationPhoneNumber: "+12065550152",
  destinationPhoneNumber: "+16175550142",
  isoCountryCode: "US",
  messageId: "862a8790-60c0-4430-9b2b-658bd0000000",
  messageRequestTimestamp: 1_780_329_599_000,
  messageEncoding: "GSM",
  messageType: "TRANSACTIONAL",
  messageStatus: status,
  messageStatusDescription: "Told by the carrier",
  context: ref,
  totalMessageParts: 1,
  totalMessagePrice: 0.00581,
  totalCarrierFee: 0.003,
  ...more,
});
const read = (event: unknown) => parseReceipt(JSON.stringify(event));

describe("a mail's receipt", () => {
  test.each<[what: string, event: object, outcome: string]>([
    ["delivered", mailEvent("Delivery", { delivery: { recipients: ["ann@example.com"] } }), "delivered"],
    ["on its way still", mailEvent("DeliveryDelay", { deliveryDelay: { delayType: "TransientCommunicationFailure" } }), "delayed"],
    ["sent to an unknown recipient", bounce("Permanent"), "bounced"],
    ["held back, as mails to its receiver came back before", bounce("Permanent", "OnAccountSuppressionList"), "bounced"],
    ["given up for now", bounce("Transient", "MailboxFull"), "undeliverable"],
    ["bounced for an undetermined reason", bounce("Undetermined"), "undeliverable"],
    ["come back without a type", mailEvent("Bounce"), "undeliverable"],
    ["refused by SES", mailEvent("Reject", { reject: { reason: "Bad content" } }), "undeliverable"],
    ["not rendered", mailEvent("Rendering Failure", { failure: {} }), "undeliverable"],
    ["marked as unwanted", complaint("abuse"), "complained"],
    ["marked as unwanted, without a type", complaint(), "complained"],
  ])("says of one that was %s which message it is, to whom and what became of it", (_what, event, outcome) => {
    expect(read(event)).toEqual({ ref, channel: "email", to: "ann@example.com", outcome });
  });

  test("is undefined for a withdrawn complaint and for other events of SES", () => {
    for (const event of [complaint("not-spam"), mailEvent("Send"), mailEvent("Open"), mailEvent("Subscription"), mailEvent("Later")])
      expect(read(event)).toBeUndefined();
  });

  test("is undefined for a mail without a ref", () => {
    for (const tags of [{}, { tenantId: ["t1"] }, { messageId: ["m1"], tenantId: [] }, { tenantId: "t1", messageId: "m1" }])
      expect(read(mailEvent("Delivery", {}, tags))).toBeUndefined();
  });
});

describe("a text's receipt", () => {
  test.each<[status: string, outcome: string]>([
    ["DELIVERED", "delivered"],
    ["SUCCESSFUL", "delivered"],
    ["INVALID", "bounced"],
    ...[
      "INVALID_MESSAGE",
      "UNREACHABLE",
      "CARRIER_UNREACHABLE",
      "BLOCKED",
      "CARRIER_BLOCKED",
      "SPAM",
      "TTL_EXPIRED",
      "PROTECT_BLOCKED",
    ].map((status): [string, string] => [status, "undeliverable"]),
  ])("of TEXT_%s says which message it is, to whom and what became of it", (status, outcome) => {
    expect(read(textEvent(status))).toEqual({ ref, channel: "sms", to: "+16175550142", outcome });
  });

  test("is a delay while the carrier will retry", () => {
    expect(read(textEvent("CARRIER_UNREACHABLE", { isFinal: false }))).toMatchObject({ outcome: "delayed" });
    expect(read(textEvent("SUCCESSFUL", { isFinal: false }))).toMatchObject({ outcome: "delivered" });
  });

  test("is undefined for pending and unknown states, and for a text without a ref", () => {
    for (const event of [
      ...["QUEUED", "PENDING", "SENT", "UNKNOWN", "toString"].map((status) => textEvent(status)),
      textEvent("DELIVERED", { context: {} }),
    ])
      expect(read(event)).toBeUndefined();
    expect(read({ ...textEvent("DELIVERED"), eventType: "constructor" })).toBeUndefined();
  });
});

test("any message on the topic is a receipt or undefined, and never an error", () => {
  expect(parseReceipt("Successfully validated SNS topic for Amazon SES event publishing.")).toBeUndefined();
  const odd = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  const changed = (event: object) => fc.dictionary(fc.constantFrom(...Object.keys(event)), odd).map((more) => ({ ...event, ...more }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.oneof(changed(bounce("Permanent")), changed(textEvent("INVALID"))).map((event) => JSON.stringify(event)),
      ),
      (text) => {
        const receipt = parseReceipt(text);
        if (receipt) expect(Object.values(receipt.ref).every((id) => typeof id === "string")).toBe(true);
      },
    ),
  );
});
