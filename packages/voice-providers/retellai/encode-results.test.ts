import type { ToolAnswer } from "@vitaline/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retell } from "./index.ts";

const request = retell.decodeToolCalls({ name: "getPatientInfo", call: { call_id: "call-a" }, args: {} }, { header: () => undefined })!;
const encoded = (answer: ToolAnswer) => retell.encodeResults(request, [answer]);

describe("what Retell's agent reads", () => {
  it("is what to say and what was found", () => {
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
    expect(retell.encodeResults(request, [])).toEqual({ ok: false, error: "I couldn't do that right now." });
  });

  it("never has more characters than Retell takes, and loses what was found before a word of what to say", () => {
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
        expect(said.startsWith(line)).toBe(true);
        if (JSON.stringify(said).length < 14_900) expect(line).toBe(said);
        if (JSON.stringify([said, found]).length < 14_900 && found !== null) expect(result.data).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});
