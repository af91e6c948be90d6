import { keys } from "@vitaline/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elevenLabs } from "./adapter.ts";

const unknownCallSpeech = "I can't tell which call this is, so I can't do that right now.";
const usual: Record<string, string> = {
  "x-conversation-id": "conv_a",
  "x-caller-id": "+16175550142",
  "x-agent-id": "agent_1",
  "x-called-number": "+16175550100",
};
const asked = (body: unknown, headers = usual, toolName: string | undefined = "scheduleAppointment") =>
  elevenLabs.decodeToolCalls(body, { ...(toolName === undefined ? {} : { toolName }), header: (name) => headers[name] });
const args = { action: "find", date: "2026-11-23" };
const refused = { calls: [], refused: [{ toolCallId: "", name: "scheduleAppointment", speech: unknownCallSpeech }], single: true };

describe("ElevenLabs' webhook tools", () => {
  it("are named by the path, of the conversation that the headers name, with the body as their arguments", () => {
    expect(asked(args)).toEqual({
      calls: [
        {
          platform: "elevenlabs",
          callId: "conv_a",
          callKey: keys.callKeyOf("elevenlabs", "conv_a"),
          agentId: "agent_1",
          callerNumber: "+16175550142",
          calledNumber: "+16175550100",
          name: "scheduleAppointment",
          args,
        },
      ],
      refused: [],
      single: true,
    });
  });

  it("without a name in the path are none", () => {
    expect(elevenLabs.decodeToolCalls(args, { header: (name) => usual[name] })).toBeUndefined();
  });

  it("with an invalid name are called unknown, which is no tool", () => {
    for (const odd of ["a b", "", "x".repeat(65), "../x", "ä"]) expect(asked(args, usual, odd)?.calls[0]?.name).toBe("unknown");
  });

  it("are in the language of a header, if the tenant sets one", () => {
    expect(asked(args, { ...usual, "x-language": "es" })?.calls[0]?.language).toBe("es");
    expect(asked(args, { ...usual, "x-language": "{{language}}" })?.calls[0]?.language).toBeUndefined();
  });

  it("outside a conversation run nothing", () => {
    for (const id of [undefined, "", "  ", "x".repeat(1001)])
      expect(
        asked(args, { ...usual, ...(id === undefined ? { "x-conversation-id": undefined as never } : { "x-conversation-id": id }) }),
      ).toEqual(refused);
  });

  it("whose variable was never filled in are of no conversation, as all callers would be one", () => {
    for (const id of ["{{system__conversation_id}}", "system__conversation_id", "{{ conversation }}", "None", "null", "undefined"])
      expect(asked(args, { ...usual, "x-conversation-id": id })).toEqual(refused);
    const unnamed = asked(args, {
      "x-conversation-id": "conv_a",
      "x-caller-id": "{{system__caller_id}}",
      "x-agent-id": "None",
      "x-called-number": "",
    });
    expect(unnamed?.calls[0]).toMatchObject({ callId: "conv_a", agentId: undefined, callerNumber: undefined, calledNumber: undefined });
  });

  it("never take the conversation, the caller or the agent from the body, which a caller may have talked the model into", () => {
    const body = {
      conversation_id: "conv_b",
      "x-conversation-id": "conv_b",
      call: { id: "conv_b" },
      system__conversation_id: "conv_b",
      agent_id: "agent_2",
      caller_id: "+16175550199",
      __proto__: { conversation_id: "conv_b" },
    };
    expect(asked(body)?.calls[0]).toMatchObject({ callId: "conv_a", agentId: "agent_1", callerNumber: "+16175550142", args: body });
    expect(asked(body, {})?.calls).toEqual([]);
  });

  it("of any body and headers are one tool call or one refusal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(usual)), fc.string()), fc.string(), (...given) => {
        const { calls, refused: none } = asked(...given)!;
        expect(calls.length + none.length).toBe(1);
      }),
    );
  });
});

describe("ElevenLabs' tool results", () => {
  const request = asked(args)!;
  it("contain the sentence to say and the data", () => {
    expect(elevenLabs.encodeResults(request, [{ ok: true, speech: "You're booked.", output: { result: "booked" } }])).toEqual({
      ok: true,
      speech: "You're booked.",
      data: { result: "booked" },
    });
    expect(elevenLabs.encodeResults(request, [{ ok: true, speech: "Done." }])).toEqual({ ok: true, speech: "Done." });
  });

  it("contain an error sentence and the missing arguments after a failure", () => {
    const failed = { ok: false, code: "invalid_arguments", speech: "I still need the action.", fields: { action: "is missing" } } as const;
    expect(elevenLabs.encodeResults(request, [failed])).toEqual({
      error: "I still need the action.",
      data: { fields: { action: "is missing" } },
    });
    expect(elevenLabs.encodeResults(asked(args, {})!, [])).toEqual({ error: unknownCallSpeech });
  });
});
