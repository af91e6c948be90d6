import { expect, test } from "vitest";
import { authorizationOutcome } from "./authorization.tsx";

test("what an address says of a sign-in is told only if it is one of ours", () => {
  expect(authorizationOutcome("connected")?.status).toBe("success");
  for (const ehr of [null, "", "toString", "<b>"]) expect(authorizationOutcome(ehr)).toBeUndefined();
});
