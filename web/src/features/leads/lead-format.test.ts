import { expect, test } from "vitest";
import { handledFlag, leadStatus, readLeadFilter } from "./lead-format.tsx";

test("reads the filter from the URL; invalid values become all", () => {
  expect(["open", "handled", "all", "toString", undefined].map(readLeadFilter)).toEqual(["open", "handled", "all", "all", "all"]);
  expect((["all", "open", "handled"] as const).map(handledFlag)).toEqual([undefined, "false", "true"]);
});

test("a lead's status has a text, not only a color", () => {
  expect(leadStatus({ handledAt: null })).toEqual({ name: "To be handled", colorPalette: "orange" });
  expect(leadStatus({ handledAt: "2026-05-01T09:00:00.000Z" })).toEqual({ name: "Handled", colorPalette: "green" });
});
