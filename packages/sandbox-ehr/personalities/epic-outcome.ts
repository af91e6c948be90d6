import type { OperationOutcome } from "fhir/r4.js";
import { operationOutcome, Refusal } from "../http/http.ts";

const codeSystem = "urn:oid:1.2.840.114350.1.13.0.1.7.2.657369";

/** https://fhir.epic.com/Documentation?docId=epiconfhirerrorcodes */
export const epicCodes = {
  badParameter: "4100",
  nothingFound: "4101",
  badId: "4102",
  missingParameter: "4111",
  notAuthorised: "4118",
  tooMany: "4127",
  requiredElement: "59108",
  droppedElement: "59109",
  duplicate: "59141",
  businessRule: "59159",
} as const;

export class EpicRefusal extends Refusal {
  readonly number: string;
  constructor(status: number, issue: Refusal["issue"], number: string, diagnostics: string) {
    super(status, issue, diagnostics);
    this.number = number;
  }
}

const numbers: Partial<Record<Refusal["issue"], string>> = {
  invalid: epicCodes.badParameter,
  "not-found": epicCodes.badId,
  forbidden: epicCodes.notAuthorised,
  required: epicCodes.requiredElement,
  "business-rule": epicCodes.businessRule,
  conflict: epicCodes.businessRule,
};

export function epicOutcome(refusal: Refusal): OperationOutcome {
  const number = refusal instanceof EpicRefusal ? refusal.number : numbers[refusal.issue];
  const [issue] = operationOutcome(refusal).issue;
  if (!number || !issue) return operationOutcome(refusal);
  const severity = number === epicCodes.tooMany ? "fatal" : issue.severity;
  return { resourceType: "OperationOutcome", issue: [{ ...issue, severity, details: details(number, refusal.message) }] };
}

export const epicWarning = (number: string, text: string): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue: [
    { severity: "warning", code: number === epicCodes.nothingFound ? "processing" : "informational", details: details(number, text) },
  ],
});

const details = (code: string, text: string) => ({ coding: [{ system: codeSystem, code, display: text }], text });
