import { expect, test } from "vitest";
import { authorizationOutcome } from "./authorization.tsx";

test("only known outcomes in the URL are shown", () => {
  expect(authorizationOutcome("connected")?.status).toBe("success");
  for (const ehr of [null, "", "toString", "<b>"]) expect(authorizationOutcome(ehr)).toBeUndefined();
});
