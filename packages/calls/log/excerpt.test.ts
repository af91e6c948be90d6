import fc from "fast-check";
import { expect, test } from "vitest";
import { excerptOf } from "./search.ts";

const filler = "the caller talked about the weather and the way to the clinic ".repeat(6);

test("an excerpt stands around the first of the words, between whole words, on one line", () => {
  expect(excerptOf("Asked for a\n refill of lisinopril.", "REFILL lisinopril")).toBe("Asked for a refill of lisinopril.");
  const long = excerptOf(`${filler}Asked for a refill. ${filler}`, "refill");
  expect(long).toMatch(/^…\w.*Asked for a refill\. the caller.*…$/);
  expect(long?.length).toBeLessThan(165);
});

test("there is none where a word is missing, and none without a summary or words", () => {
  expect(excerptOf("Asked for a refill.", "refill lisinopril")).toBeUndefined();
  expect(excerptOf(undefined, "refill")).toBeUndefined();
  expect(excerptOf("Asked", "  ")).toBeUndefined();
});

test("any words of a summary find it, and what is shown is at most 162 characters of well-formed text", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: "binary" }), { minLength: 1, maxLength: 60 }), fc.nat(), (words, at) => {
      const summary = words.join(" ");
      const asked = (words[at % words.length] ?? "").trim().split(/\s+/)[0] ?? "";
      const shown = excerptOf(summary, asked);
      if (asked === "" || !summary.replaceAll(/\s+/g, " ").toLowerCase().includes(asked.toLowerCase())) return;
      expect(shown).toBeDefined();
      expect(shown?.length).toBeLessThanOrEqual(162);
    }),
    { numRuns: 30 },
  );
});
