import type { OperationOutcome, OperationOutcomeIssue } from "fhir/r4.js";

/** What this server will not do: an HTTP status and the issue type of its OperationOutcome. */
export class Refusal extends Error {
  readonly status: number;
  readonly issue: OperationOutcomeIssue["code"];
  readonly headers: Record<string, string>;

  constructor(status: number, issue: OperationOutcomeIssue["code"], diagnostics: string, headers: Record<string, string> = {}) {
    super(diagnostics);
    this.status = status;
    this.issue = issue;
    this.headers = headers;
  }
}

export const operationOutcome = (refusal: Refusal): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code: refusal.issue, diagnostics: refusal.message }],
});
