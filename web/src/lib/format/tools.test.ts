import { expect, test } from "vitest";
import { toolInText, toolTitle } from "./tools.ts";

test("a tool is named in words, also one that the contract does not know", () => {
  expect(toolTitle("sendSMS")).toBe("Send a text message");
  expect(toolTitle("lookUpBed2Go")).toBe("Look up bed2 go");
  expect(toolTitle("end_call")).toBe("End call");
  expect(toolTitle("constructor")).toBe("Constructor");
  expect(toolInText("verifyInsurance")).toBe("Verify insurance (verifyInsurance)");
});
