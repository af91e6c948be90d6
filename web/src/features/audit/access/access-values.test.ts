import { expect, test } from "vitest";
import { accessSchema, type AccessValues } from "./access-values.ts";

const days = { start: "2026-01-01", end: "2026-01-31" };
const values = (change: Partial<AccessValues>): AccessValues => ({
  ...{ kind: "patient", tenantId: "", patientId: "", fhirProviderId: "", userId: "" },
  ...days,
  ...change,
});
const issuesOf = (change: Partial<AccessValues>, isTenant = true): Record<string, string> =>
  Object.fromEntries(
    (accessSchema("UTC", isTenant).safeParse(values(change)).error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]),
  );

test("a report about a patient needs the id, and in the console the organization", () => {
  expect(Object.keys(issuesOf({}))).toEqual(["patientId"]);
  expect(Object.keys(issuesOf({}, false))).toEqual(["tenantId", "patientId"]);
  expect(issuesOf({ patientId: " pat-1 " })).toEqual({});
  expect(accessSchema("UTC", false).parse(values({ patientId: " pat-1 ", tenantId: "t".repeat(26) }))).toEqual({
    ...{ kind: "patient", patientId: "pat-1", tenantId: "t".repeat(26), timeZone: "UTC" },
    ...days,
  });
});

test("a report about a person needs the user id, and no organization", () => {
  expect(Object.keys(issuesOf({ kind: "user" }, false))).toEqual(["userId"]);
  expect(issuesOf({ kind: "user", userId: "u".repeat(26) }, false)).toEqual({});
});

test("the days are dates, the first not after the last", () => {
  expect(issuesOf({ patientId: "p", start: "", end: "" })).toEqual({ start: "Choose the first day", end: "Choose the last day" });
  expect(Object.keys(issuesOf({ patientId: "p", start: "2026-02-01", end: "2026-01-01" }))).toEqual(["start"]);
});
