import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readJsonFiles, writeAtomically } from "../json-file.ts";
import type { ConfigurationSets, ServiceEvent } from "../sns/configuration-sets.ts";
import type { Caller } from "../iam/authorize.ts";

type MailFate = "delivered" | "bounced" | "complained";
type Simulated = "success" | "bounce" | "ooto" | "complaint" | "suppressionlist";

/** Source: "Using the mailbox simulator" in the Amazon SES Developer Guide; a label may follow the name, as in bounce+one@. */
const simulator = /^(success|bounce|ooto|complaint|suppressionlist)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;
const simulatedBy = (address: string): Simulated => (simulator.exec(address)?.[1]?.toLowerCase() as Simulated | undefined) ?? "success";

export function mailFate(address: string): MailFate {
  const simulated = simulatedBy(address);
  if (simulated === "complaint") return "complained";
  return simulated === "bounce" || simulated === "suppressionlist" ? "bounced" : "delivered";
}

type Sending = { mail: StoredMail; to: string; tags: Record<string, string>; set: string; caller: Caller };

/** SES events for one recipient, in order. Source: "Contents of event data that Amazon SES publishes to Amazon SNS". */
export function mailEvents(sending: Sending): ServiceEvent[] {
  const { to } = sending;
  const event = (type: string, eventType: string, part: object): ServiceEvent => ({
    type,
    body: { eventType, mail: mailPart(sending), [eventType.toLowerCase()]: { timestamp: new Date().toISOString(), ...part } },
  });
  const send: ServiceEvent = { type: "send", body: { eventType: "Send", mail: mailPart(sending), send: {} } };
  const delivery = event("delivery", "Delivery", { processingTimeMillis: 1, recipients: [to], smtpResponse: "250 2.0.0 OK", reportingMTA });
  const bounce = (bounceType: string, bounceSubType: string, more: object = {}) =>
    event("bounce", "Bounce", {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: to, ...more }],
      feedbackId: randomUUID(),
      reportingMTA,
    });
  const complaint = event("complaint", "Complaint", {
    complainedRecipients: [{ emailAddress: to }],
    feedbackId: randomUUID(),
    complaintFeedbackType: "abuse",
  });
  switch (simulatedBy(to)) {
    case "success":
      return [send, delivery];
    case "bounce":
      return [send, bounce("Permanent", "General", { action: "failed", status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1 user unknown" })];
    case "suppressionlist":
      return [send, bounce("Permanent", "OnAccountSuppressionList")];
    case "ooto":
      return [send, delivery, bounce("Transient", "General")];
    case "complaint":
      return [send, delivery, complaint];
  }
}

const reportingMTA = "a1-1.smtp-out.amazonses.com";

function mailPart({ mail, tags, set, caller: { account, principal } }: Sending): object {
  const { id, at, from, to, cc, bcc, subject } = mail;
  return {
    timestamp: at,
    source: from,
    sendingAccountId: account,
    messageId: id,
    destination: [...to, ...cc, ...bcc],
    headersTruncated: false,
    headers: Object.entries({ From: from, To: to.join(", "), Subject: subject }).map(([name, value]) => ({ name, value })),
    commonHeaders: { from: [from], to, messageId: id, subject },
    tags: {
      "ses:operation": ["SendEmail"],
      "ses:configuration-set": [set],
      "ses:outgoing-ip": ["192.0.2.20"],
      "ses:caller-identity": [principal.arn.split("/").at(-1) ?? ""],
      ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
    },
  };
}

export type StoredMail = {
  id: string;
  at: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  text?: string;
  html?: string;
  attachments?: { fileName: string; contentType: string; content: string }[];
  fate?: MailFate;
};

export function openMailStore(folder: string | undefined) {
  const mails = folder === undefined ? [] : readJsonFiles<StoredMail>(folder);
  const identities = new Set<string>();
  const sets: ConfigurationSets = new Map();
  return {
    mails,
    identities,
    sets,
    reset() {
      mails.length = 0;
      identities.clear();
      sets.clear();
    },
    /** Flushed to disk before the caller gets an answer. */
    add(mail: Omit<StoredMail, "id" | "at">): StoredMail {
      const stored = { id: randomUUID(), at: new Date().toISOString(), ...mail };
      if (folder !== undefined) writeAtomically(join(folder, `${stored.at.replaceAll(":", "")}-${stored.id}.json`), JSON.stringify(stored));
      mails.push(stored);
      return stored;
    },
  };
}

export type MailStore = ReturnType<typeof openMailStore>;
