import { isAppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolAnswer } from "@vitaline/tools";
import fc from "fast-check";
import type Retell from "retell-sdk";
import { describe, expect, it } from "vitest";
import { retellAi } from "./adapter.ts";

const request = retellAi.decodeToolCalls({ name: "getPatientInfo", call: { call_id: "call-a" }, args: {} }, { header: () => undefined })!;
const encoded = (answer: ToolAnswer) => retellAi.encodeResults(request, [answer]);

describe("Retell's tool results", () => {
  it("contain the sentence to say and the data", () => {
    expect(encoded({ ok: true, speech: "You are booked.", output: { appointmentId: "a-1" } })).toEqual({
      ok: true,
      speech: "You are booked.",
      data: { appointmentId: "a-1" },
    });
    expect(encoded({ ok: true, speech: "Done." })).toEqual({ ok: true, speech: "Done." });
  });

  it("after a failure is the sentence, and which arguments were wrong", () => {
    expect(encoded({ ok: false, code: "ehr_unavailable", speech: "I can't reach the schedule." })).toEqual({
      ok: false,
      error: "I can't reach the schedule.",
    });
    expect(encoded({ ok: false, code: "invalid_request", speech: "I need the action.", fields: { action: "is missing" } })).toEqual({
      ok: false,
      error: "I need the action.",
      data: { fields: { action: "is missing" } },
    });
    expect(retellAi.encodeResults(request, [])).toEqual({ ok: false, error: "I couldn't do that right now." });
  });

  it("never exceeds Retell's limit, and cuts lists before it drops the data", () => {
    const speech = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc
        .tuple(fc.constantFrom("a", "\u0000", "\ud800", '"', "é", "\u{1f600}"), fc.nat(20_000))
        .map(([letter, times]) => letter.repeat(times)),
    );
    const output = fc.oneof(
      fc.jsonValue(),
      fc.nat(20_000).map((size) => ({ notes: "x".repeat(size) })),
    );
    fc.assert(
      fc.property(fc.boolean(), speech, output, (ok, said, found) => {
        const result = encoded({ ok, speech: said, output: found });
        expect(JSON.stringify(result).length).toBeLessThanOrEqual(15_000);
        const line = "speech" in result ? result.speech : result.error;
        expect(said.replaceAll(/\s+/gu, " ").trim().startsWith(line)).toBe(true);
        if (said.length <= 300) expect(line).toBe(said.replaceAll(/\s+/gu, " ").trim());
        if (JSON.stringify([said, found]).length < 1000 && found !== null) expect(result.data).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});

const call: Retell.PhoneCallResponse = {
  call_id: "call-a",
  call_type: "phone_call",
  call_status: "ongoing",
  agent_id: "agent-1",
  agent_version: 3,
  direction: "inbound",
  from_number: "+14155550101",
  to_number: "+16175550100",
};
const args = { action: "find", date: "2026-11-23" };
const headers = (given: Record<string, string> = {}) => ({ header: (name: string) => given[name] });
const decoded = (body: unknown, toolName?: string, given?: Record<string, string>) =>
  retellAi.decodeToolCalls(body, { ...headers(given), ...(toolName === undefined ? {} : { toolName }) });
const only = (...asked: Parameters<typeof decoded>) => decoded(...asked)?.calls[0];

const expected = {
  platform: "retellai",
  callId: "call-a",
  callKey: keys.callKeyOf("retellai", "call-a"),
  agentId: "agent-1",
  callerNumber: "+14155550101",
  calledNumber: "+16175550100",
  name: "scheduleAppointment",
  args,
};

describe("Retell's custom functions", () => {
  it("are read from an envelope with the call object of Retell's own types", () => {
    for (const toolName of [undefined, "scheduleAppointment"])
      expect(decoded({ name: "scheduleAppointment", call, args }, toolName)).toEqual({ calls: [expected], refused: [], single: true });
  });

  it("are read from the arguments alone, with the call in a header, and the name in the path", () => {
    expect(only(args, "scheduleAppointment", { "x-retell-call-id": "call-a" })).toEqual({
      ...expected,
      agentId: undefined,
      callerNumber: undefined,
      calledNumber: undefined,
    });
    expect(only({}, "getPatientInfo", { "x-retell-call-id": "call-a" })).toMatchObject({ name: "getPatientInfo", args: {} });
  });

  it("ignore a call among bare arguments, because the model fills these in", () => {
    for (const said of [{ call_id: "call-b" }, { ...call, call_id: "call-b" }]) {
      expect(decoded({ ...args, call: said }, "scheduleAppointment")).toMatchObject({
        calls: [],
        refused: [{ name: "scheduleAppointment" }],
      });
      expect(only({ ...args, call: { ...said, from_number: "+1" } }, "scheduleAppointment", { "x-retell-call-id": "call-a" })).toEqual({
        ...expected,
        agentId: undefined,
        callerNumber: undefined,
        calledNumber: undefined,
      });
    }
  });

  it("may have an argument that is called name", () => {
    for (const body of [{ name: "Dr. Larkmere" }, { name: "getFhirProviders", call, args: { name: "Dr. Larkmere" } }])
      expect(only(body, "getFhirProviders", { "x-retell-call-id": "call-a" })).toMatchObject({
        name: "getFhirProviders",
        args: { name: "Dr. Larkmere" },
      });
  });

  it("use the tool named in the path, independent of the function's name at Retell", () => {
    expect(only({ name: "book_a_visit", call, args }, "scheduleAppointment")).toEqual(expected);
  });

  it("hand over their arguments as they come", () => {
    for (const given of [args, JSON.stringify(args), '{"slotId": ', null, undefined, 7])
      expect(only({ name: "scheduleAppointment", call, args: given })).toEqual({ ...expected, args: given });
  });

  it("have no id of their own, so that the same words again are the same request", () => {
    expect(only({ name: "scheduleAppointment", call, args })).not.toHaveProperty("toolCallId");
  });

  it("know the person's number and the office's, also where the agent has dialled", () => {
    const outbound: Retell.PhoneCallResponse = { ...call, direction: "outbound", from_number: "+16175550100", to_number: "+14155550101" };
    expect(only({ name: "scheduleAppointment", call: outbound, args })).toEqual(expected);
    const web: Retell.WebCallResponse = {
      call_id: "call-a",
      call_type: "web_call",
      call_status: "ongoing",
      agent_id: "agent-1",
      agent_version: 3,
      access_token: "token",
    };
    expect(only({ name: "scheduleAppointment", call: web, args })).toEqual({
      ...expected,
      callerNumber: undefined,
      calledNumber: undefined,
    });
  });

  it("know the language from a variable of that name, collected in the call before one set for it, or from a header", () => {
    const variables = (set: string, collected?: string): Retell.PhoneCallResponse => ({
      ...call,
      retell_llm_dynamic_variables: { language: set },
      ...(collected ? { collected_dynamic_variables: { language: collected } } : {}),
    });
    const languageOf = (of: Retell.PhoneCallResponse, headers = {}) =>
      only({ name: "scheduleAppointment", call: of, args }, undefined, headers)?.language;
    expect(languageOf(variables("es-419"))).toBe("es");
    expect(languageOf(variables("English", "Spanish"))).toBe("es");
    expect(languageOf(call, { "x-language": "es" })).toBe("es");
    expect(languageOf(call, { "x-language": "{{language}}" })).toBeUndefined();
  });

  it("without a call are refused with a sentence, not run", () => {
    for (const [where, header] of [
      [undefined, undefined],
      [{}, undefined],
      [{ call_id: null }, undefined],
      [7, undefined],
      [null, ""],
      // An unfilled template variable is the same for every caller.
      [undefined, "{{call_id}}"],
      [undefined, "null"],
      [undefined, "x".repeat(1001)],
      // Contradicting ids.
      [{ call_id: "call-a" }, "call-b"],
    ] as const) {
      const request = decoded(
        { name: "getPatientInfo", call: where, args },
        undefined,
        header === undefined ? {} : { "x-retell-call-id": header },
      )!;
      expect(request.calls).toEqual([]);
      expect(retellAi.encodeResults(request, [])).toEqual({
        ok: false,
        error: "I can't tell which call this is, so I can't do that right now.",
      });
    }
    expect(only({ name: "getPatientInfo", call, args }, undefined, { "x-retell-call-id": "call-a" })?.callId).toBe("call-a");
  });

  it("with an invalid call id are refused as invalid_request", () => {
    for (const callId of ["x".repeat(1001), " ", "", 7]) {
      expect(() => decoded({ name: "getPatientInfo", call: { call_id: callId }, args })).toThrow(
        expect.objectContaining({ code: "invalid_request", fields: { "call.call_id": expect.any(String) } }),
      );
      expect(decoded({ ...args, call: { call_id: callId } }, "getPatientInfo")?.calls).toEqual([]);
    }
  });

  it("with an invalid or missing name are called unknown", () => {
    for (const name of [undefined, "", 7, "x".repeat(65), "drop table", "Ada Lovelace"])
      expect(only({ name, call, args })?.name).toBe("unknown");
    expect(only(args, "drop table", { "x-retell-call-id": "call-a" })?.name).toBe("unknown");
  });

  it("are distinguished from webhooks, and for any JSON decoding fails only because of the call id", () => {
    for (const body of [{ event: "call_started", call }, { event: "call_inbound", call_inbound: {} }, null, 7, "x", [], undefined])
      expect(decoded(body)).toBeUndefined();
    const inCall = { "x-retell-call-id": "call-a" };
    expect(only({ event: "call_started" }, "getPatientInfo", inCall)).toMatchObject({ args: { event: "call_started" } });
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          name: fc.jsonValue(),
          args: fc.jsonValue(),
          event: fc.jsonValue(),
          call: fc.oneof(
            fc.jsonValue(),
            fc.constant(call),
            fc.record({ call_id: fc.jsonValue(), agent_id: fc.jsonValue(), from_number: fc.jsonValue() }),
          ),
        },
        { requiredKeys: [] },
      ),
    );
    const toolName = fc.option(fc.string(), { nil: undefined });
    const header = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(body, toolName, header, (given, path, id) => {
        try {
          const request = decoded(given, path, id === undefined ? {} : { "x-retell-call-id": id });
          if (path !== undefined) expect(request).toBeDefined();
          if (request) expect(request.calls.length + request.refused.length).toBe(1);
          for (const { name } of [...(request?.calls ?? []), ...(request?.refused ?? [])]) expect(name).toMatch(/^[\w-]{1,64}$/);
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
          expect(Object.keys(error.fields ?? {})).toEqual(["call.call_id"]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
