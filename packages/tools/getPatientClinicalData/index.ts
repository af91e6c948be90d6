import { defineTool } from "../define-tool.ts";
import { gather, requestFor } from "./gather.ts";
import { categories, Input } from "./input.ts";
import { Output } from "./output.ts";
import { speak } from "./speak.ts";

export const getPatientClinicalData = defineTool({
  name: "getPatientClinicalData",
  description: [
    "Read from the verified caller's own chart: active conditions, allergies with reactions, the last vital signs and lab results, and active",
    "medications. Ask only for the categories that the caller wants to know about. Say what the record says; never interpret a value or give",
    "medical advice. Needs verifyPatientIdentity with two matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  scopes: [
    "system/Patient.rs",
    "system/Condition.rs",
    "system/AllergyIntolerance.rs",
    "system/Observation.rs",
    "system/MedicationRequest.rs",
    "system/Medication.rs",
  ],
  requests: ({ categories: asked = categories }) => ["read Patient", ...asked.map(requestFor)],
  annotations: { title: "Get clinical data", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: (run, { categories: asked = categories }) => gather(run, asked),
  speak,
});
