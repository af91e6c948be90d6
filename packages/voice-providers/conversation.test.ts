import { maxModelCharacters } from "@vitaline/contract";
import type { ToolAnswer } from "@vitaline/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { elevenLabs } from "./elevenlabs/adapter.ts";
import { retellAi } from "./retellai/adapter.ts";
import { vapi } from "./vapi/adapter.ts";

const VapiAnswer = z.object({ results: z.array(z.object({ result: z.optional(z.string()), error: z.optional(z.string()) })) });

/** What enters the conversation, by the README's table. */
const platforms: [name: string, sees: (answer: ToolAnswer) => string][] = [
  [
    "Vapi",
    (answer) => {
      const body = {
        message: { type: "tool-calls", call: { id: "call-a" }, toolCallList: [{ id: "t1", name: "scheduleAppointment" }] },
      };
      const { results } = z.parse(VapiAnswer, vapi.encodeResults(vapi.decodeToolCalls(body)!, [answer]));
      return results.map(({ result, error }) => result ?? error ?? "").join("");
    },
  ],
  [
    "Retell AI",
    (answer) => {
      const body = { name: "scheduleAppointment", call: { call_id: "call-a" }, args: {} };
      const request = retellAi.decodeToolCalls(body, { header: () => undefined })!;
      return JSON.stringify(retellAi.encodeResults(request, [answer])).slice(0, 15_000);
    },
  ],
  [
    "ElevenLabs",
    (answer) => {
      const header = (name: string) => (name === "x-conversation-id" ? "conv-a" : undefined);
      const request = elevenLabs.decodeToolCalls({}, { toolName: "scheduleAppointment", header })!;
      return JSON.stringify(elevenLabs.encodeResults(request, [answer]));
    },
  ],
];

const slots = Array.from({ length: 3 }, (_, nth) => ({ slotId: `slot-${nth}`, start: "2026-12-01T09:00:00-05:00" }));

test.each(platforms)("V12 before %s's model is the sentence with the offers' ids, and what was wrong", (_name, sees) => {
  const offered = sees({ ok: true, speech: "I have nine, ten or eleven.", output: { result: "found", slots } });
  for (const part of ["I have nine, ten or eleven.", ...slots.map(({ slotId }) => slotId)]) expect(offered).toContain(part);
  const refused = sees({ ok: false, code: "invalid_arguments", speech: "For which day?", fields: { date: "is missing" } });
  for (const part of ["For which day?", '"date":"is missing"']) expect(refused).toContain(part);
});

test.each(platforms)("V12 what enters %s's conversation is one line of at most 1,200 characters for any data", (_name, sees) => {
  const isShort = (answer: ToolAnswer): void => {
    const seen = sees(answer);
    expect(seen.length).toBeLessThanOrEqual(maxModelCharacters);
    expect(seen).not.toMatch(/[\n\r]/);
  };
  const output = fc.jsonValue({ maxDepth: 4 });
  fc.assert(fc.property(output, fc.string({ maxLength: 150 }), fc.boolean(), (data, speech, ok) => isShort({ ok, speech, output: data })));
  // Each length of the part that is cut
  for (let length = 0; length < 40; length++)
    for (const ok of [true, false])
      isShort({ ok, speech: "x".repeat(length), output: { slots: Array.from({ length: 60 }, () => slots[0]) } });
});
