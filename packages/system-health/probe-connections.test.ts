import { deadlineIn, type Context, pause } from "@vitaline/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runProbes, type Probe } from "./probe-connections.ts";

const context = (remainingMs: number, log: Context["log"] = () => {}): Context => ({
  requestId: "r",
  actor: { kind: "system", id: "health" },
  clientAddress: "",
  origin: "",
  clock: () => new Date(),
  log,
  deadline: deadlineIn(remainingMs),
  pause,
});

test("every probe runs once, the longest unprobed first, even if some fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ waited: fc.integer({ min: 0, max: 9 }), fails: fc.boolean() }), { maxLength: 40 }),
      async (asked) => {
        const begun: string[] = [];
        const probes = asked.map(({ waited, fails }, at): Probe<Context> => ({
          id: String(at),
          lastCheckedAt: waited === 0 ? "" : `2030-01-0${waited}`,
          async run() {
            begun.push(waited === 0 ? "" : `2030-01-0${waited}`);
            if (fails) throw new Error("no");
          },
        }));
        await runProbes(context(60_000), probes);
        expect(begun).toHaveLength(asked.length);
        expect(begun).toEqual(begun.toSorted());
      },
    ),
  );
});

test("probes that hang do not block the others, and each has its own deadline", async () => {
  const hanging = Array.from({ length: 7 }, (_, at): Probe<Context> => {
    return {
      id: `hangs-${at}`,
      lastCheckedAt: "",
      run: ({ deadline }) => new Promise((resolve) => setTimeout(resolve, deadline.remainingMs() / 40)),
    };
  });
  const quick: string[] = [];
  const others = Array.from({ length: 30 }, (_, at): Probe<Context> => {
    return {
      id: `quick-${at}`,
      lastCheckedAt: "2030",
      run: async ({ deadline }) => void (deadline.remainingMs() <= 8000 && quick.push(String(at))),
    };
  });
  await runProbes(context(60_000), [...others, ...hanging]);
  expect(quick).toHaveLength(30);
});

test("a run without time left starts no probe", async () => {
  let begun = 0;
  await runProbes(context(10_000), [{ id: "late", lastCheckedAt: "", run: async () => void begun++ }]);
  expect(begun).toBe(0);
});

test("a failing probe is logged with its id and error name, without the message", async () => {
  const lines: unknown[] = [];
  const probe: Probe<Context> = { id: "p1", lastCheckedAt: "", run: () => Promise.reject(new TypeError("secret words")) };
  await runProbes(
    context(60_000, (...line) => lines.push(line)),
    [probe],
  );
  expect(lines).toEqual([["warn", "probe.failed", { providerId: "p1", errorName: "TypeError", code: undefined }]]);
});
