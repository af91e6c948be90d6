import { expect, test } from "vitest";
import { hasWords } from "./labels.ts";

const texts = ["Riverside Family Clinic", null, "desk@riverside.example", undefined];

test.each([
  ["family RIVERSIDE", true],
  ["desk@ clinic", true],
  ["  clinic ", true],
  ["", true],
  ["family lakeside", false],
  ["null", false],
])("a list is searched by words: %j", (typed, isFound) => {
  expect(hasWords(texts, typed)).toBe(isFound);
});
