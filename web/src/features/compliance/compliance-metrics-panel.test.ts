import { expect, test } from "vitest";
import { checkStatus, formatInstants } from "./compliance-metrics-panel.tsx";

test("an unknown check is neither passed nor failed", () => {
  expect([true, false, null].map((ok) => checkStatus({ ok }).name)).toEqual(["Passed", "Needs attention", "Not known yet"]);
});

test("formats instants within a sentence", () => {
  expect(formatInstants("Last verified at 2026-05-01T09:00:00.000Z", () => "May 1")).toBe("Last verified at May 1");
  expect(formatInstants("None waits", () => "May 1")).toBe("None waits");
});
