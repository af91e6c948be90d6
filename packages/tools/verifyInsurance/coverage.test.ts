import type { Coverage } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { hasMemberId, matchesPayer, describeCoverage, payerOf, periodOf } from "./coverage.ts";

const coverage = (more: Partial<Coverage> = {}): Coverage => ({
  resourceType: "Coverage",
  status: "active",
  beneficiary: { reference: "Patient/1" },
  payor: [{ display: "Blue Fjord Health Insurance Company" }],
  subscriberId: "BFH-1234-5678",
  ...more,
});
const there = "America/New_York";

describe("a coverage on file", () => {
  it("runs until the end of the last day, month or year that is on file", () => {
    const periods = (end: string) =>
      ["2026-10-02", "2026-10-03", "2026-10-04", "2026-11-01", "2027-01-01"].map(
        (today) => periodOf(coverage({ period: { end } }), today, there).period,
      );
    expect(periods("2026-10-03")).toEqual(["current", "current", "expired", "expired", "expired"]);
    expect(periods("2026-10")).toEqual(["current", "current", "current", "expired", "expired"]);
    expect(periods("2026")).toEqual(["current", "current", "current", "current", "expired"]);
    expect(periodOf(coverage({ period: { start: "2026-10-04" } }), "2026-10-03", there).period).toBe("not_started");
    expect(periodOf(coverage(), "2026-10-03", there)).toEqual({ period: "current" });
  });

  it("shows no more than the last four of a member ID, and never more than half of it", () => {
    const shown = (subscriberId: string | undefined) =>
      describeCoverage(coverage({ subscriberId }), "2026-10-03", there, "not_checked").memberIdEndsIn;
    expect(["BFH-1234-5678", "12345", "12", "1", undefined].map(shown)).toEqual(["5678", "45", "2", undefined, undefined]);
  });

  it("has the member ID that the caller reads out, however it is spaced, and no other", () => {
    for (const said of ["BFH-1234-5678", "bfh 1234 5678", "BFH12345678", "b f h 1 2 3 4 5 6 7 8"])
      expect(hasMemberId(coverage(), said), said).toBe(true);
    for (const said of ["5678", "BFH1234567", "", "-", "BFH123456789"]) expect(hasMemberId(coverage(), said), said).toBe(false);
  });

  it("has the payer that the caller names, without what every insurer is called", () => {
    for (const said of ["Blue Fjord", "blue fjord health insurance", "Fjord", "Blue Fjord Health Plan"])
      expect(matchesPayer(coverage(), said), said).toBe(true);
    for (const said of ["Green Fjord", "Red Cross", "insurer", ""]) expect(matchesPayer(coverage(), said), said).toBe(false);
    const inside = coverage({
      payor: [{ reference: "#org" }],
      contained: [{ resourceType: "Organization", id: "org", name: "Inside" } as never],
    });
    expect(payerOf(inside)).toBe("Inside");
  });
});
