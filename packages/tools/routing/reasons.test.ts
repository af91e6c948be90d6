import { describe, expect, it } from "vitest";
import { reasonFrom } from "./reasons.ts";

describe("the reason of a call", () => {
  it.each([
    ["I have a question about my bill", "billing"],
    ["refill of lisinopril", "prescription"],
    ["does my insurance cover this?", "insurance"],
    ["new patient", "new_patient"],
    ["new_patient", "new_patient"],
    ["to reschedule my visit", "appointment"],
    ["lab results", "clinical"],
    ["medical records", "records"],
    ["wants to speak with a person", "person"],
    ["Emergency!", "emergency"],
    ["the weather", "other"],
    ["", "other"],
  ])("is known by its words: %s", (said, reason) => expect(reasonFrom(said)).toBe(reason));
});
