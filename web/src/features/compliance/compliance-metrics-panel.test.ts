import { expect, test } from "vitest";
import { checkStatus, formatInstants } from "./compliance-metrics-panel.tsx";

test("what cannot be told yet is neither good nor bad", () => {
  expect([true, false, null].map((ok) => checkStatus({ ok }).name)).toEqual(["Passed", "Needs attention", "Not known yet"]);
});

test("instants within a sentence are told as people say them", () => {
  expect(formatInstants("Last verified at 2026-05-01T09:00:00.000Z", () => "May 1")).toBe("Last verified at May 1");
  expect(formatInstants("None waits", () => "May 1")).toBe("None waits");
});
