import { expect, test } from "vitest";
import { readDueDelivery } from "./webhooks.ts";

test("a delivery is due anew when it is put down, replayed, or gets another time; not while it only changes otherwise, nor when it is over", () => {
  const [early, late] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"];
  const at = (nextAttemptAt?: string) => ({ id: "d1", ...(nextAttemptAt ? { nextAttemptAt } : {}) });
  expect(readDueDelivery("t1", undefined, at(early))).toEqual({ tenantId: "t1", at: early });
  expect(readDueDelivery("t1", at(), at(early))).toEqual({ tenantId: "t1", at: early });
  expect(readDueDelivery("t1", at(early), at(late))).toEqual({ tenantId: "t1", at: late });
  expect(readDueDelivery("t1", at(early), { ...at(early), sealed: "x" })).toBeUndefined();
  expect(readDueDelivery("t1", at(early), at())).toBeUndefined();
  expect(readDueDelivery("t1", at(early), undefined)).toBeUndefined();
});
