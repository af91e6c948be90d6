import { maxModelCharacters } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelAnswer } from "./model-answer.ts";

const slot = (nth: number) => ({
  slotId: `eXAMPLE-slot-${nth}-of-a-server-with-long-ids`,
  start: "2026-12-01T09:00:00-05:00",
  end: "2026-12-01T09:30:00-05:00",
  practitioner: `Dr. Bartholomew Marlstead-Featherstonehaugh the ${nth}th`,
  location: "Sampleton Main Clinic, East Building",
  service: "Cardiology follow-up",
});

describe("V02: the answer before an agent's model", () => {
  it("has the sentence in one line and the data", () => {
    expect(modelAnswer({ ok: true, speech: "I have\nnine.", output: { slots: [slot(1)] } })).toEqual({
      speech: "I have nine.",
      data: { slots: [slot(1)] },
    });
    expect(modelAnswer({ ok: false, speech: "No.", fields: { date: "is missing" } })).toEqual({
      speech: "No.",
      data: { fields: { date: "is missing" } },
    });
    expect(modelAnswer({ ok: false, speech: "No." })).toEqual({ speech: "No." });
  });

  it("has every slot id of three offers with long names", () => {
    const slots = [1, 2, 3].map(slot);
    expect(modelAnswer({ ok: true, speech: "x".repeat(300), output: { result: "found", slots, otherDays: false } }).data).toMatchObject({
      slots: slots.map(({ slotId }) => ({ slotId })),
    });
  });

  it("is at most 1,200 characters for any data, and says when a list was cut", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), (speech, output) => {
        const answer = modelAnswer({ ok: true, speech, output });
        expect(JSON.stringify(answer).length).toBeLessThanOrEqual(maxModelCharacters);
        if (answer.data !== undefined && !answer.isPartial) expect(answer.data).toEqual(output);
      }),
    );
    const long = modelAnswer({ ok: true, speech: "Yes.", output: { medications: Array.from({ length: 60 }, (_, nth) => slot(nth)) } });
    expect(long.isPartial).toBe(true);
    expect((long.data as { medications: object[] }).medications.slice(0, 2)).toEqual([slot(0), slot(1)]);
  });
});
