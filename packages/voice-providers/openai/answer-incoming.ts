import type { CallEvent } from "@vitaline/calls";
import { AppError } from "@vitaline/core";
import { outboundFetch } from "@vitaline/outbound";
import { tell } from "../ask.ts";
import type { Answering, IncomingCall, Reach } from "../port.ts";
import { apiRoot } from "./api-root.ts";
import { callEvent, ringing } from "./call-event.ts";
import { sessionFor } from "./session.ts";

/** Decline (RFC 3261 21.6.2): nobody here will answer. */
const decline = { status_code: 603 };
/** Temporarily Unavailable (RFC 3261 21.4.18): a carrier may try another way. */
const unavailable = { status_code: 480 };

/**
 * Accepts the call, or rejects it where nobody answers, and records it, as OpenAI tells nothing of a call afterwards: it rings, then
 * it is under way or cancelled. Where OpenAI does not take the provider's model or voice, the call is rejected and has failed. A call
 * that is gone, of which we were told before, was answered then and only not recorded; else its caller has hung up, and it stays as it is.
 * AppErrors of ListAgents: then OpenAI tells us of the call again. Source: openai 7.55.0 realtime.calls.
 */
export async function answerIncoming(incoming: IncomingCall, answering: Answering | undefined, reach: Reach): Promise<unknown> {
  const { callId = "" } = incoming;
  const call = callEvent(incoming, answering);
  const isFirst = (await reach.record(ringing(call))) === "recorded";
  const connection = await reach.connection();
  const order = (verb: "accept" | "reject", body: object) =>
    tell(connection, outboundFetch, `${apiRoot(connection.baseUrl)}/realtime/calls/${encodeURIComponent(callId)}/${verb}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${connection.apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const said = await (answering
    ? order("accept", sessionFor(answering, { origin: reach.origin, callToken: reach.callToken({ ...incoming, callId }, answering) }))
    : order("reject", decline));
  const rejected = said === "refused" && answering ? await order("reject", unavailable) : undefined;
  if (said === "refused" && rejected !== "done") {
    // Told again of a call that is under way, OpenAI refuses both orders, and nothing of it is changed.
    if (isFirst && rejected !== "gone")
      throw new AppError("voice_platform_invalid", "The voice platform does not take the call as this provider is set up.");
    return {};
  }
  await reach.record({ ...call, ...(said === "gone" && isFirst ? { status: "ringing" } : cameTo(said, answering)) });
  return {};
}

const cameTo = (said: "done" | "gone" | "refused", answering: Answering | undefined): Pick<CallEvent, "status" | "endedReason"> => {
  if (said === "refused") return { status: "failed", endedReason: "session-refused" };
  return answering ? { status: "in_progress" } : { status: "cancelled", endedReason: "nobody-answers" };
};
