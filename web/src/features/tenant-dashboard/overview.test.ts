import { CallStatus } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { callStatus } from "../calls/call-status.tsx";
import { topTools } from "./top-tools.tsx";

test("only a completed call is green, and every status has a name", () => {
  for (const status of CallStatus.options) {
    expect(callStatus(status).colorPalette).toBe(status === "completed" ? "green" : "red");
    expect(callStatus(status).name).toMatch(/^[A-Z]/);
  }
});

test("the top tools are the five used most, in an order that does not depend on how they arrived", () => {
  const usage = fc.uniqueArray(fc.record({ toolName: fc.string(), count: fc.nat(9), successRate: fc.constant(null) }), {
    selector: ({ toolName }) => toolName,
  });
  fc.assert(
    fc.property(usage, (all) => {
      const top = topTools(all);
      expect(top).toHaveLength(Math.min(5, all.length));
      expect(topTools(all.toReversed())).toEqual(top);
      const least = Math.min(...top.map(({ count }) => count));
      expect(all.filter((tool) => !top.includes(tool)).every(({ count }) => count <= least)).toBe(true);
    }),
  );
});
