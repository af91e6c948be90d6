import type { AuditStatus } from "@vitaline/contract";
import { expect, test } from "vitest";
import { complianceClaims } from "./compliance-claims.ts";

const status: AuditStatus = {
  retentionYears: 7,
  archivedRows: 1204,
  archivedAt: "2026-05-01T10:00:00.000Z",
  lastVerifiedAt: "2026-05-01T09:00:00.000Z",
  intact: true,
};
const statesOf = (given: AuditStatus | undefined) => complianceClaims(given, (instant) => instant).map(({ state }) => state);
const outcomeSignalsOf = (given: AuditStatus) => complianceClaims(given, (instant) => instant).map(({ evidence }) => evidence);

const titlesOf = (given: AuditStatus | undefined) => complianceClaims(given, String).map(({ title }) => title);

test("claims have fixed titles unless they are broken; then the title states the finding", () => {
  const claims = ["HIPAA Compliance Active", "Data Access Monitoring Enabled", "Log Retention 7 Years"];
  for (const given of [undefined, status, { ...status, lastVerifiedAt: null, intact: null }]) expect(titlesOf(given)).toEqual(claims);
  expect(titlesOf({ ...status, intact: false })[0]).toBe("Audit Archive Not Intact");
  expect(titlesOf({ ...status, retentionYears: 1 })[2]).toBe("Log Retention 1 Year");
});

test("a verified claim holds, with its time and count", () => {
  expect(statesOf(status)).toEqual(["holds", "holds", "holds"]);
  expect(outcomeSignalsOf(status)[0]).toContain("2026-05-01T09:00:00.000Z: every archived event is intact");
  expect(outcomeSignalsOf(status)[1]).toBe("1,204 events archived, the last 2026-05-01T10:00:00.000Z.");
});

test("an unverified claim is open, and a failed one is broken", () => {
  expect(statesOf(undefined)).toEqual(["open", "open", "open"]);
  expect(statesOf({ ...status, archivedRows: 0, archivedAt: null, lastVerifiedAt: null, intact: null })).toEqual(["open", "open", "holds"]);
  expect(statesOf({ ...status, intact: false })).toEqual(["broken", "holds", "holds"]);
  expect(statesOf({ ...status, retentionYears: 1 })).toEqual(["holds", "holds", "broken"]);
});
