import { defineTool } from "../define-tool.ts";
import { askScopes, withdrawScopes } from "./ask-insurer.ts";
import { Input } from "./input.ts";
import { Output } from "./output.ts";
import { payerScopes } from "./payers.ts";
import { speak } from "./speak.ts";
import { verify } from "./verify.ts";

export const verifyInsurance = defineTool({
  name: "verifyInsurance",
  description: [
    "Check the verified caller's insurance: what is on file, whether it has expired, and, where the record system can ask, whether the insurer",
    "says that it is in force. Give payerName or memberId when the caller says them, to learn whether they match. Never tell a caller that",
    "something is covered or eligible from what is on file. Needs verifyPatientIdentity with two matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  scopes: ["system/Patient.rs", "system/Coverage.rs"],
  optionalScopes: [...askScopes, ...withdrawScopes, ...payerScopes],
  requests: ["read Patient", "search Coverage", "create CoverageEligibilityRequest", "search CoverageEligibilityResponse"],
  annotations: { title: "Verify insurance", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: verify,
  speak,
});
