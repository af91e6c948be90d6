import { expect, test } from "vitest";
import { outcomeOf } from "./authorization.tsx";

test("what an address says of a sign-in is told only if it is one of ours", () => {
  expect(outcomeOf("connected")?.status).toBe("success");
  for (const ehr of [null, "", "toString", "<b>"]) expect(outcomeOf(ehr)).toBeUndefined();
});
