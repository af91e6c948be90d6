import type { FhirHealth } from "@vitaline/contract";
import { expect, test } from "vitest";
import { certificateState, describeHistory } from "./health-row.tsx";

const went = (marks: string): FhirHealth["history"] =>
  [...marks].map((mark, index) => ({ at: `minute ${index}`, status: mark === "+" ? "healthy" : "unhealthy", ms: 1 }));
const words = (marks: string) => describeHistory(went(marks), (instant) => `at ${instant}`);

test("describes how many checks were healthy and when the last failure was", () => {
  expect(words("+-+-".padEnd(20, "+"))).toBe("18 of the last 20 checks were healthy; last failure at minute 3.");
  expect(words("++")).toBe("All of the last 2 checks were healthy.");
  expect(words("--")).toBe("None of the last 2 checks was healthy; last failure at minute 1.");
  expect([words("+"), words("-")]).toEqual(["The only check so far was healthy.", "The only check so far failed."]);
});

test("warns of a certificate thirty days before it expires", () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const words = (expiry: string) => certificateState(expiry, now)?.label;
  expect(
    ["2026-05-31T12:00:00Z", "2026-05-31T11:59:00Z", "2026-05-02T12:00:00Z", "2026-05-01T13:00:00Z", "2026-05-01T11:00:00Z"].map(words),
  ).toEqual([undefined, "Expires in 29 days", "Expires in 1 day", "Expires today", "Expired"]);
});
