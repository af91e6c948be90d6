import type { FhirHealthRow } from "@vitaline/store";
import { expect, test } from "vitest";
import { appendCheck, describeHistory } from "./save-health.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 9, minute)).toISOString();
const check = (minute: number, more: Partial<FhirHealthRow> = {}): FhirHealthRow => ({
  ...{ status: "healthy", checkedAt: at(minute), ms: minute, connectionDigest: "as it is" },
  ...more,
});
const after = (checks: readonly FhirHealthRow[]) =>
  checks.reduce<FhirHealthRow | undefined>((before, found) => ({ ...found, history: appendCheck(before, found) }), undefined);
const minutes = (row: FhirHealthRow | undefined) => describeHistory(row).map(({ ms }) => ms);

test("keeps the last twenty checks, oldest first", () => {
  expect(describeHistory(undefined)).toEqual([]);
  expect(describeHistory(after([check(1), check(2, { status: "unhealthy" })]))).toEqual([
    { at: at(1), status: "healthy", ms: 1 },
    { at: at(2), status: "unhealthy", ms: 2 },
  ]);
  const many = Array.from({ length: 25 }, (_, index) => index + 1);
  expect(minutes(after(many.map((minute) => check(minute))))).toEqual(many.slice(5));
});

test("orders checks by time", () => {
  expect(minutes(after([check(1), check(3), check(2)]))).toEqual([1, 2, 3]);
});

test("restarts with a changed connection", () => {
  expect(
    minutes(after([check(1), check(2), check(3, { connectionDigest: "changed" }), check(4, { connectionDigest: "changed" })])),
  ).toEqual([3, 4]);
});

test("takes the check of a row without a history", () => {
  expect(minutes(check(1))).toEqual([1]);
  expect(appendCheck(check(1), check(2))).toHaveLength(2);
});

test("contains a check once when its write was retried", () => {
  const found = check(2);
  const written = { ...found, history: appendCheck(check(1), found) };
  expect(appendCheck(written, found)).toEqual(written.history);
});
