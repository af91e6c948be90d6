import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Figures } from "./load-model.ts";
import { measureCalls } from "./measure-calls.ts";

const figures = JSON.parse(readFileSync(path.join(import.meta.dirname, "figures.json"), "utf8")) as Figures;

test("a hundred calls at once cost the projection less than 18 write units and a fifth of an invocation each, as the load model says", async () => {
  const { request, projection } = await measureCalls({ atOnce: 100 });
  expect(projection.writeUnits).toBeLessThan(18);
  expect(projection.invocations).toBeLessThanOrEqual(0.2);
  expect(request.writeUnits).toBe(figures.atOnce.request.writeUnits);
  expect(projection.writeUnits).toBeCloseTo(figures.atOnce.projection.writeUnits, 0);
});

test("a hundred calls at once that leave a task each cost the projection at most 24 write units", async () => {
  const { projection } = await measureCalls({ scenario: "refill", atOnce: 100 });
  expect(projection.writeUnits).toBeLessThanOrEqual(24);
});
