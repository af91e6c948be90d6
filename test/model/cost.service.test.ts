import { expect, test } from "vitest";
import { measureCalls } from "./measure-calls.ts";

test("a hundred calls at once cost the projection less than 20 write units and a fifth of an invocation each", async () => {
  const { request, projection } = await measureCalls({ atOnce: 100 });
  expect(request.writeUnits).toBe(27);
  expect(projection.writeUnits).toBeLessThan(20);
  expect(projection.invocations).toBeLessThanOrEqual(0.2);
});
