import type { HealthStatus } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isStale, overallStatus, statusOf } from "./platform-status.ts";

const status = fc.constantFrom<HealthStatus>("healthy", "warning", "error", "unknown");
const part = (of: HealthStatus) => ({ name: "part", status: of, responseTime: null });

test("unknown services do not count as healthy, and do not hide known ones", () => {
  expect(statusOf([])).toBe("unknown");
  fc.assert(
    fc.property(fc.array(status), fc.nat(5), (statuses, unknown) => {
      const known = statuses.filter((one) => one !== "unknown");
      const padded = [...statuses, ...Array.from({ length: unknown }, () => "unknown" as const)];
      expect(statusOf(padded.map(part))).toBe(statusOf(known.map(part)));
    }),
  );
});

test("a group is healthy if all known services are, in error if all of them are, else a warning", () => {
  fc.assert(
    fc.property(
      fc.array(
        status.filter((one) => one !== "unknown"),
        { minLength: 1 },
      ),
      (known) => {
        const all = (wanted: HealthStatus) => known.every((one) => one === wanted);
        expect(statusOf(known.map(part))).toBe(all("healthy") ? "healthy" : all("error") ? "error" : "warning");
      },
    ),
  );
});

test("one part of the platform in error is an error of the whole; a connection in error is a warning", () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 4 }), fc.array(status, { maxLength: 3 }), (parts, connections) => {
      const whole = overallStatus(parts.map(part), connections);
      expect(whole === "error").toBe(parts.includes("error"));
      if (whole === "healthy") expect([...connections].some((one) => one === "error" || one === "warning")).toBe(false);
      if (parts.every((one) => one === "unknown")) expect(whole).toBe("unknown");
    }),
  );
});

test("a result is valid for twenty minutes", () => {
  const now = new Date("2030-01-01T12:00:00.000Z");
  expect([isStale("2030-01-01T11:40:00.000Z", now), isStale("2030-01-01T11:39:59.999Z", now)]).toEqual([false, true]);
});
