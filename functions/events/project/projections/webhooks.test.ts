import { expect, test } from "vitest";
import { readDueDelivery } from "./webhooks.ts";

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
