import { Vapi } from "@vapi-ai/server-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vapi } from "./index.ts";

const answerTo = (type: string) => vapi.acknowledge({ message: { type, call: { id: "call-a" } } });

const noTransfer: Vapi.ServerMessageResponseTransferDestinationRequest = { error: "I can't transfer this call right now." };
const noHandoff: Vapi.ServerMessageResponseHandoffDestinationRequest = { destination: {}, error: "I can't transfer this call right now." };
const noDocuments: Vapi.ServerMessageResponseKnowledgeBaseRequest = { documents: [] };
const usualPause: Vapi.ServerMessageResponseCallEndpointingRequest = { timeoutSeconds: 0.5 };
const noDialling: Vapi.ServerMessageResponseCampaignPredial = { eligible: false };

describe("Vapi's messages that ask for no tool", () => {
  it.each<[string, object]>([
    ["transfer-destination-request", noTransfer],
    ["handoff-destination-request", noHandoff],
    ["knowledge-base-request", noDocuments],
    ["call.endpointing.request", usualPause],
    ["campaign.predial", noDialling],
  ])("that want an answer get one that leaves the call unharmed: %s", (type, answer) => {
    expect(answerTo(type)).toEqual(answer);
  });

  it.each([
    ...Object.values(Vapi.AssistantServerMessagesItem).filter(
      (type) => !["tool-calls", "function-call", "transfer-destination-request", "handoff-destination-request"].includes(type),
    ),
    "voice-request",
    "user-interrupted",
    "call.artifact.upload",
    "invented-next-year",
    "__proto__",
    "constructor",
    "",
  ])("that want none get an empty one: %s", (type) => {
    expect(answerTo(type)).toEqual({});
  });

  it("of any shape are answered", () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(vapi.acknowledge(body)).toEqual({})));
  });
});
