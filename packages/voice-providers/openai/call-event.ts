import type { CallEvent } from "@vitaline/calls";
import type { Answering, IncomingCall } from "../port.ts";

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
