import { expect, test } from "vitest";
import { mayBeLost, recordSystemOptions } from "./record-system.ts";

const main = { id: "a", providerName: "Main EHR", isActive: true, isDefault: true };
const old = { id: "b", providerName: "Old EHR", isActive: false, isDefault: false };

test("an office inherits or chooses, and sees what is switched off", () => {
  expect(recordSystemOptions([main, old], "")).toEqual([
    { value: "", label: "As the organization: Main EHR" },
    { value: "a", label: "Main EHR" },
    { value: "b", label: "Old EHR (inactive)" },
  ]);
});

test("what an office has is among its choices, known or not", () => {
  expect(recordSystemOptions([], "c")).toEqual([
    { value: "", label: "As the organization: none" },
    { value: "c", label: "Another record system" },
  ]);
});

test("only what the platform keeps for single offices can be lost by leaving it", () => {
  const ofPlatform = { ...old, isOwn: false };
  const providers = [{ ...main, isOwn: false }, ofPlatform, { ...old, id: "own", isOwn: true }];
  expect(["", "a", "b", "own", "unknown"].map((id) => mayBeLost(providers, id))).toEqual([false, false, true, false, true]);
});
