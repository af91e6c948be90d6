import { maxModelCharacters } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOf } from "./result.ts";

const handle = "0123456789abcdef.29000000.0123456789abcdefghijkl";
const textOf = (...given: Parameters<typeof resultOf>): string => {
  const { content } = resultOf(...given);
  expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
  return (content as { text: string }[]).map(({ text }) => text).join("");
};

test("V12 the content text has all that the model needs: the sentence, the data, what was wrong, and the call's handle", () => {
  const found = { ok: true, speech: "I have\nnine.", output: { slots: [{ slotId: "s1" }] } };
  expect(JSON.parse(textOf(found, handle))).toEqual({
    ok: true,
    speech: "I have nine.",
    data: { slots: [{ slotId: "s1" }] },
    callHandle: handle,
  });
  const refused = { ok: false, code: "invalid_arguments", speech: "For which day?", fields: { date: "is missing" } } as const;
  expect(JSON.parse(textOf(refused, undefined))).toEqual({
    ok: false,
    code: "invalid_arguments",
    speech: "For which day?",
    data: { fields: { date: "is missing" } },
  });
});

test("V12 the whole content text is at most 1,200 characters, with the handle and for any data", () => {
  const isShort = (ok: boolean, speech: string, output: unknown): void => {
    const text = textOf(ok ? { ok, speech, output } : { ok, code: "invalid_arguments", speech, output }, handle);
    expect(text.length).toBeLessThanOrEqual(maxModelCharacters);
    expect(JSON.parse(text)).toMatchObject({ ok, callHandle: handle });
  };
  fc.assert(
    fc.property(fc.boolean(), fc.string({ maxLength: 150 }), fc.jsonValue({ maxDepth: 4 }), (ok, speech, output) =>
      isShort(ok, speech, output),
    ),
  );
  const slots = Array.from({ length: 60 }, () => ({ slotId: "a-slot-with-a-long-id" }));
  // Each length of the part that is cut
  for (let length = 0; length < 40; length++) for (const ok of [true, false]) isShort(ok, "x".repeat(length), { slots });
});
