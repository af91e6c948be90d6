import { expect, test } from "vitest";
import { auditResult, hasWords, toolInText, toolTitle, providerLabel } from "./labels.ts";

const texts = ["Riverside Family Clinic", null, "desk@riverside.example", undefined];

test.each([
  ["family RIVERSIDE", true],
  ["desk@ clinic", true],
  ["  clinic ", true],
  ["", true],
  ["family lakeside", false],
  ["null", false],
])("a list is searched by words: %j", (typed, isFound) => {
  expect(hasWords(texts, typed)).toBe(isFound);
});

test("a tool is named in words, also one that the contract does not know", () => {
  expect(toolTitle("sendSMS")).toBe("Send a text message");
  expect(toolTitle("lookUpBed2Go")).toBe("Look up bed2 go");
  expect(toolTitle("end_call")).toBe("End call");
  expect(toolTitle("constructor")).toBe("Constructor");
  expect(toolInText("verifyInsurance")).toBe("Verify insurance (verifyInsurance)");
});

test("the audit shows an emergency neither as a success nor as a failure", () => {
  const words = [
    { success: true, code: null },
    { success: false, code: "ehr_timeout" },
    { success: false, code: "emergency" },
  ].map((log) => auditResult(log).word);
  expect(words).toEqual(["Success", "Failed", "Emergency"]);
});

test("an account at a voice platform names the platform only once", () => {
  expect(providerLabel({ providerName: "Our Retell", providerType: "retellai" })).toBe("Our Retell (Retell AI)");
  expect(providerLabel({ providerName: "Retell AI", providerType: "retellai" })).toBe("Retell AI");
});
