import { readMessage } from "./message.ts";

/** Said where there is nobody to put a call through to. */
export const noTransfer = "I can't transfer this call right now.";

/**
 * Messages that want something back besides tool results, and what leaves the call unharmed while nobody has decided it.
 * A handoff needs a destination by its schema: an empty one, next to the reason why there is none.
 * Source: Vapi server SDK 2.0.1 ServerMessageResponse*.
 */
const wanted: Readonly<Record<string, object>> = {
  "transfer-destination-request": { error: noTransfer },
  "handoff-destination-request": { destination: {}, error: noTransfer },
  "knowledge-base-request": { documents: [] },
  "call.endpointing.request": { timeoutSeconds: 0.5 },
  "campaign.predial": { eligible: false },
};

/** The answer to a Vapi message that asks for no tool; `{}` to those that want none and to those we do not know. */
export function safeAnswer(body: unknown): object {
  const type = readMessage(body)?.type ?? "";
  return Object.hasOwn(wanted, type) ? (wanted[type] ?? {}) : {};
}
