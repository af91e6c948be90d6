import { expect, test } from "vitest";
import { auditResult } from "./results.ts";

test("the audit shows an emergency neither as a success nor as a failure", () => {
  const words = [
    { success: true, code: null },
    { success: false, code: "ehr_timeout" },
    { success: false, code: "emergency" },
  ].map((log) => auditResult(log).word);
  expect(words).toEqual(["Success", "Failed", "Emergency"]);
});
