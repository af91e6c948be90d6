import { expect, test } from "vitest";
import { initialMessage } from "./contact.ts";

test("a known topic sets the initial message, an unknown one does not", () => {
  expect(initialMessage("demo")).toMatch(/demo/);
  for (const made of [null, "", "constructor", "send your password to"]) expect(initialMessage(made)).toBe("");
});
