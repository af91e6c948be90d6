import { expect, test } from "vitest";
import { readBusinessEvents, readDueDelivery } from "./webhooks.ts";

test("an audit row that made two tasks tells of each of them once", () => {
  const at = "2026-05-01T00:00:00.000Z";
  const row = { id: "a1", at, action: "tool.settle", category: "patient_access", success: true };
  const source = { kind: "audit", month: "2026-05", category: "patient_access", id: "a1" };
  const sourcesOf = (detail: object) =>
    readBusinessEvents("t1", { ...row, detail: { tool: "scheduleAppointment", ...detail } }).events.map((one) => [one.type, one.source]);
  expect(sourcesOf({ taskId: "one" })).toEqual([["task.created", source]]);
  expect(sourcesOf({ taskId: "one", promisedTaskId: "two" })).toEqual([
    ["task.created", source],
    ["task.created", { ...source, taskId: "two" }],
  ]);
});

test("a delivery is due when it is created, replayed or rescheduled, not when other fields change or it is done", () => {
  const [early, late] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"];
  const at = (nextAttemptAt?: string) => ({ id: "d1", ...(nextAttemptAt ? { nextAttemptAt } : {}) });
  expect(readDueDelivery("t1", undefined, at(early))).toEqual({ tenantId: "t1", at: early });
  expect(readDueDelivery("t1", at(), at(early))).toEqual({ tenantId: "t1", at: early });
  expect(readDueDelivery("t1", at(early), at(late))).toEqual({ tenantId: "t1", at: late });
  expect(readDueDelivery("t1", at(early), { ...at(early), sealed: "x" })).toBeUndefined();
  expect(readDueDelivery("t1", at(early), at())).toBeUndefined();
  expect(readDueDelivery("t1", at(early), undefined)).toBeUndefined();
});
