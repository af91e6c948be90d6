import type { CallEvent } from "@vitaline/calls";
import { AppError } from "@vitaline/core";
import { contract } from "@vitaline/contract";
import * as z from "zod/mini";
import type { Answering, IncomingCall, Reach } from "../port.ts";
import { controlCall, type CallVerb } from "./api.ts";
import { text } from "../decoding/fields.ts";

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
  const order = (verb: CallVerb, body: object) => controlCall(connection, callId, verb, body);
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

const Settings = z.object({ instructions: text });

/** Said where the provider's settings hold no `instructions` of the tenant's own. */
const usualInstructions = (name: string): string =>
  [
    `You answer the telephone for ${name}. Be brief, friendly and clear, and ask for one thing at a time.`,
    "Before anything about a patient is said or done, verify the caller with verifyPatientIdentity.",
    "Use the tools for every fact and every change, and tell the caller what a tool's answer holds in `speech`. Never make up an answer.",
  ].join(" ");

const toolsAddress = (origin: string, { tenant, office }: Answering): string => {
  const { path } = office ? contract.mcp.mcpOffice : contract.mcp.mcpTenant;
  return origin + path.replace("{tenantId}", tenant.id).replace("{officeId}", office?.id ?? "");
};

/**
 * With what a call is accepted: the provider's model and voice, and our tools, opened by the call's own token.
 * Source: openai 7.55.0 CallAcceptParams.
 */
export function sessionFor(answering: Answering, { origin, callToken }: { origin: string; callToken: string }) {
  const { agent, provider, tenant, office } = answering;
  const { data: settings } = z.safeParse(Settings, JSON.parse(provider.settings));
  return {
    type: "realtime" as const,
    model: provider.model ?? agent.externalAgentId,
    instructions: settings?.instructions ?? usualInstructions(office?.name ?? tenant.name),
    ...(provider.voice ? { audio: { output: { voice: provider.voice } } } : {}),
    tools: [
      {
        type: "mcp" as const,
        server_label: "vitaline",
        server_url: toolsAddress(origin, answering),
        authorization: callToken,
        require_approval: "never" as const,
      },
    ],
  };
}

/** All that is known of a call when it comes in; how far it is, is for whoever answers it to say. */
export const callEvent = ({ callId = "", callerNumber, calledNumber }: IncomingCall, answering: Answering | undefined): CallEvent => ({
  platform: "openai",
  callId,
  direction: "inbound",
  callerNumber,
  calledNumber,
  agentId: answering?.agent.externalAgentId,
  agentName: answering?.agent.agentName,
  officeId: answering?.office?.id,
});

/** Its first word: without numbers, as those are put into a file, for which the caller does not wait. */
export const ringing = (call: CallEvent): CallEvent => ({ ...call, status: "ringing", callerNumber: undefined, calledNumber: undefined });
