import { defineTool } from "../define-tool.ts";
import { history } from "./history.ts";
import { Input } from "./input.ts";
import { Output } from "./output.ts";
import { speak } from "./speak.ts";

export const getMedicationHistoryFhir = defineTool({
  name: "getMedicationHistoryFhir",
  description: [
    "Read the verified caller's own medications: prescriptions with dosage, prescriber, last fill and refills left as far as the record says",
    "so, and what else they take. For a refill, find the active prescription here, then pass the wish to the office with",
    "sendCommunicationFhir (category refill_request); never promise that a refill will be given. Needs verifyPatientIdentity with two",
    "matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  scopes: ["system/Patient.rs", "system/MedicationRequest.rs", "system/Medication.rs"],
  optionalScopes: ["system/MedicationStatement.rs", "system/MedicationDispense.rs"],
  requests: ["read Patient", "search MedicationRequest", "search MedicationStatement", "search MedicationDispense"],
  annotations: { title: "Get medication history", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: history,
  speak,
});
