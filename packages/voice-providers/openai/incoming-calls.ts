import type { CallEvent } from "@vitaline/calls";
import { AppError, errorFields } from "@vitaline/core";
import type { AnsweringAgent, IncomingCall, PlatformAccess } from "../voice-platform.ts";
import { controlCall, greet, isLiveSession, type CallVerb } from "./api.ts";
import { liveSessionFor, sessionFor } from "./sessions.ts";

/** Decline (RFC 3261 21.6.2). */
const decline = { status_code: 603 };
/** Temporarily Unavailable (RFC 3261 21.4.18): a carrier may try another route. */
const unavailable = { status_code: 480 };

/**
 * Accepts and greets the call, or rejects it if no agent answers, and records it, because OpenAI sends no further events. If OpenAI refuses
 * the model or voice, the call is rejected and recorded as failed. A first webhook of a call that is gone records it as cancelled: the
 * caller has hung up. A repeated one completes the record of an answer that could not be stored.
 * AppErrors of ListAgents make OpenAI repeat the webhook. Source: openai 7.55.0 realtime.calls, live.sessions.
 */
export async function answerIncoming(
  incoming: IncomingCall,
  answering: AnsweringAgent | undefined,
  access: PlatformAccess,
): Promise<unknown> {
  const { callId = "" } = incoming;
  const call = callEvent(incoming, answering);
  const isFirst = (await access.record(ringingEvent(call))) === "recorded";
  const connection = await access.connection();
  const control = (verb: CallVerb, body: object) => controlCall(connection, callId, verb, body);
  const session = isLiveSession(callId) ? liveSessionFor : sessionFor;
  const result = await (answering
    ? control("accept", session(answering, { origin: access.origin, callToken: access.callToken({ ...incoming, callId }, answering) }))
    : control("reject", decline));
  const rejected = result === "refused" && answering ? await control("reject", unavailable) : undefined;
  if (result === "refused" && rejected !== "done") {
    // For a repeated webhook of a running call OpenAI refuses both commands; nothing changes.
    if (isFirst && rejected !== "gone")
      throw new AppError(
        "voice_platform_invalid",
        "The voice platform does not accept the call with this provider's settings. Please check them.",
      );
    return {};
  }
  await access.record({ ...call, ...(result === "gone" && isFirst ? hungUp : outcomeOf(result, answering)) });
  // A Live model speaks first as its instructions say.
  if (result === "done" && answering && !isLiveSession(callId))
    await greet(connection, callId).catch((error: unknown) => access.log("warn", "openai.not_greeted", errorFields(error)));
  return {};
}

/** Ended, so that the same webhook delivered again does not change it. */
const hungUp = { status: "cancelled", endedReason: "caller-hung-up" } as const;

const outcomeOf = (
  result: "done" | "gone" | "refused",
  answering: AnsweringAgent | undefined,
): Pick<CallEvent, "status" | "endedReason"> => {
  if (result === "refused") return { status: "failed", endedReason: "session-refused" };
  return answering ? { status: "in_progress" } : { status: "cancelled", endedReason: "nobody-answers" };
};

export const callEvent = ({ callId = "", callerNumber, calledNumber }: IncomingCall, answering: AnsweringAgent | undefined): CallEvent => ({
  platform: "openai",
  callId,
  direction: "inbound",
  callerNumber,
  calledNumber,
  agentId: answering?.agent.externalAgentId,
  agentName: answering?.agent.agentName,
  officeId: answering?.office?.id,
});

/** Without numbers, which are stored in a separate file: the caller should not wait for that write. */
export const ringingEvent = (call: CallEvent): CallEvent => ({
  ...call,
  status: "ringing",
  callerNumber: undefined,
  calledNumber: undefined,
});
