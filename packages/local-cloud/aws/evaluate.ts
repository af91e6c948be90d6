import { conditionHolds, wildcard } from "./conditions.ts";
import type { AccessRequest, Principal, Statement } from "./types.ts";

export type Decision = "allowed" | "denied" | "explicitly denied";

/**
 * IAM's answer for identity policies: an explicit Deny wins, else any Allow, else denied.
 * Source: "Policy evaluation logic" in the IAM User Guide.
 */
export function evaluate(principal: Principal, request: AccessRequest): Decision {
  if (principal.statements === "all") return "allowed";
  const matching = principal.statements.filter((statement) => applies(statement, request));
  if (matching.some((statement) => statement.Effect === "Deny")) return "explicitly denied";
  return matching.length > 0 ? "allowed" : "denied";
}

function applies(statement: Statement, request: AccessRequest): boolean {
  return (
    matches(statement.Action, statement.NotAction, request.action, { ignoreCase: true }) &&
    matches(statement.Resource, statement.NotResource, request.resource, { ignoreCase: false }) &&
    Object.entries(statement.Condition ?? {}).every(([operator, tests]) => conditionHolds(operator, tests, request.context ?? {}))
  );
}

function matches(
  wanted: string | string[] | undefined,
  unwanted: string | string[] | undefined,
  value: string,
  options: { ignoreCase: boolean },
): boolean {
  const any = (patterns: string | string[]) => list(patterns).some((pattern) => wildcard(pattern, value, options.ignoreCase));
  if (wanted !== undefined) return any(wanted);
  return unwanted !== undefined && !any(unwanted);
}

function list<T>(values: T | T[]): T[] {
  return Array.isArray(values) ? values : [values];
}
