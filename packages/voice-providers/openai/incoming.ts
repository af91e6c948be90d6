import * as z from "zod/mini";
import { readCallId } from "../call-id.ts";
import { list, object, unknown, verbatim, word } from "../fields.ts";
import type { IncomingCall } from "../port.ts";
import { sipNumber } from "./sip-number.ts";

const Event = z.object({
  type: z.literal("realtime.call.incoming"),
  data: object({ call_id: unknown, sip_headers: list(object({ name: word, value: verbatim })) }),
});

/**
 * A call that rings at OpenAI's SIP address. undefined for other events, among them `live.transport.incoming`, which tells of the
 * same call for an API of its own: whoever accepts first has it. AppError `invalid_request` for what cannot be a call's id.
 * Source: openai 7.55.0 RealtimeCallIncomingWebhookEvent.
 */
export function decodeIncoming(body: unknown): (IncomingCall & { callId: string }) | undefined {
  const { data } = z.safeParse(Event, body);
  const callId = readCallId("data.call_id", data?.data?.call_id);
  if (callId === undefined) return undefined;
  /** Of a header that comes twice the first. */
  const numberIn = (name: string) => sipNumber(data?.data?.sip_headers?.find((header) => header?.name === name)?.value);
  const [callerNumber, calledNumber] = [numberIn("from"), numberIn("to")];
  return { platform: "openai", callId, ...(callerNumber ? { callerNumber } : {}), ...(calledNumber ? { calledNumber } : {}) };
}
