import { expect, test } from "vitest";
import { losesProvider, recordSystemOptions } from "./record-system.ts";

const main = { id: "a", providerName: "Main EHR", isActive: true, isDefault: true };
const old = { id: "b", providerName: "Old EHR", isActive: false, isDefault: false };

test("an office inherits or chooses, and inactive providers are marked", () => {
  expect(recordSystemOptions([main, old], "")).toEqual([
    { value: "", label: "Same as the organization: Main EHR" },
    { value: "a", label: "Main EHR" },
    { value: "b", label: "Old EHR (inactive)" },
  ]);
});

test("the current record system is always an option", () => {
  expect(recordSystemOptions([], "c")).toEqual([
    { value: "", label: "Same as the organization: none" },
    { value: "c", label: "Another record system" },
  ]);
});

test("only a platform provider of single offices can be lost", () => {
  const ofPlatform = { ...old, isOwn: false };
  const providers = [{ ...main, isOwn: false }, ofPlatform, { ...old, id: "own", isOwn: true }];
  expect(["", "a", "b", "own", "unknown"].map((id) => losesProvider(providers, id))).toEqual([false, false, true, false, true]);
});
