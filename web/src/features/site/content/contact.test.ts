import { expect, test } from "vitest";
import { beginningOf } from "./contact.ts";

test("a message begins with what its topic says, and with nothing that the address made up", () => {
  expect(beginningOf("demo")).toMatch(/demo/);
  for (const made of [null, "", "constructor", "send your password to"]) expect(beginningOf(made)).toBe("");
});
