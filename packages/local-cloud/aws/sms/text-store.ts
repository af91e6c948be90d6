import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openJsonFile, readJsonFiles, writeAtomically } from "../json-file.ts";
import type { ConfigurationSets, ServiceEvent } from "../sns/configuration-sets.ts";

type TextFate = "delivered" | "undeliverable";

/** Source: "Test with the SMS simulator" in the AWS End User Messaging SMS User Guide: the US number to which sending fails. */
const failingNumber = "+14254147167";

export const textFate = (number: string): TextFate => (number === failingNumber ? "undeliverable" : "delivered");

/** Events for one message, in order. Source: "Example AWS End User Messaging SMS event data" in the same guide. */
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

export type StoredText = { id: string; at: string; from: string; to: string; text: string; fate?: TextFate };

/** Messages (oldest first) and opt-out lists in files with mode 0600. Without a folder: in memory only. */
export function openTextStore(folder: string | undefined) {
  const texts = folder === undefined ? [] : readJsonFiles<StoredText>(join(folder, "sent"));
  const sets: ConfigurationSets = new Map();
  const optedOut = openJsonFile<Record<string, string>>(folder && join(folder, "opted-out.json"), {});
  return {
    texts,
    optedOut,
    sets,
    reset() {
      texts.length = 0;
      sets.clear();
      for (const number of Object.keys(optedOut.value)) delete optedOut.value[number];
    },
    /** Flushed to disk before the caller gets an answer. */
    add(text: Omit<StoredText, "id" | "at">): StoredText {
      const stored = { id: randomUUID(), at: new Date().toISOString(), ...text };
      if (folder !== undefined)
        writeAtomically(join(folder, "sent", `${stored.at.replaceAll(":", "")}-${stored.id}.json`), JSON.stringify(stored));
      texts.push(stored);
      return stored;
    },
  };
}

export type TextStore = ReturnType<typeof openTextStore>;
