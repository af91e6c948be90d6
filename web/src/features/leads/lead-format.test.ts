import { expect, test } from "vitest";
import { handledFlag, leadStatus, readLeadFilter } from "./lead-format.tsx";

test("which leads are shown is read from the address; what makes no sense there is all of them", () => {
  expect(["open", "handled", "all", "toString", undefined].map(readLeadFilter)).toEqual(["open", "handled", "all", "all", "all"]);
  expect((["all", "open", "handled"] as const).map(handledFlag)).toEqual([undefined, "false", "true"]);
});

test("a lead's status is said in words, not only in colour", () => {
  expect(leadStatus({ handledAt: null })).toEqual({ name: "To be handled", colorPalette: "orange" });
  expect(leadStatus({ handledAt: "2026-05-01T09:00:00.000Z" })).toEqual({ name: "Handled", colorPalette: "green" });
});
