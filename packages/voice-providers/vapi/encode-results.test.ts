import type { Vapi } from "@vapi-ai/server-sdk";
import { VapiToolResults } from "@vitaline/contract";
import type { ToolAnswer } from "@vitaline/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { vapi } from "./index.ts";

const request = (ids: string[], call: object | undefined = { id: "call-a" }) =>
  vapi.decodeToolCalls({ message: { type: "tool-calls", call, toolCallList: ids.map((id) => ({ id, name: "getPatientInfo" })) } })!;

describe("Vapi's tool results", () => {
  it("name each tool call once, in the order asked, as Vapi's own types have it", () => {
    const answers: ToolAnswer[] = [
      { ok: true, speech: "You are booked.", output: { appointmentId: "a-1" } },
      { ok: false, code: "ehr_unavailable", speech: "I can't reach the schedule." },
    ];
    const expected: Vapi.ServerMessageResponseToolCalls = {
      results: [
        { toolCallId: "t1", name: "getPatientInfo", result: "You are booked.", metadata: { appointmentId: "a-1" } },
        { toolCallId: "t2", name: "getPatientInfo", error: "I can't reach the schedule." },
      ],
    };
    expect(vapi.encodeResults(request(["t1", "t2"]), answers)).toEqual(expected);
  });

  it("are one line each, whatever the tool said", () => {
    const speech = fc
      .array(fc.constantFrom("Monday", " ", "\n", "\r\n", "\t", "\u2028", "\u0085", "{", "é"))
      .map((parts) => parts.join(""));
    const output = fc.constantFrom<unknown>(undefined, null, "text", ["list"], { slots: [] });
    fc.assert(
      fc.property(fc.array(fc.record({ ok: fc.boolean(), speech, output }), { minLength: 1, maxLength: 5 }), (answers) => {
        const ids = answers.map((_, index) => `t${index}`);
        const { results } = z.parse(VapiToolResults, vapi.encodeResults(request(ids), answers));
        expect(results.map(({ toolCallId }) => toolCallId)).toEqual(ids);
        expect(results.map(({ result }) => result !== undefined)).toEqual(answers.map(({ ok }) => ok));
        for (const { result, error } of results) expect(result ?? error).not.toMatch(/[\n\r\u2028]/u);
      }),
    );
  });

  it("say why nothing was done for a request that names no call", () => {
    expect(vapi.encodeResults(request(["t1"], {}), [])).toEqual({
      results: [
        {
          toolCallId: "t1",
          name: "getPatientInfo",
          error: "I can't tell which call this request belongs to, so I can't do that right now.",
        },
      ],
    });
  });

  it("are one plain result in the older form, also when the tool failed", () => {
    const older = vapi.decodeToolCalls({
      message: { type: "function-call", call: { id: "call-a" }, functionCall: { name: "getPatientInfo", parameters: {} } },
    })!;
    expect(vapi.encodeResults(older, [{ ok: true, speech: "Done." }])).toEqual({ result: "Done." });
    expect(vapi.encodeResults(older, [{ ok: false, speech: "I can't do that." }])).toEqual({ result: "I can't do that." });
  });
});
