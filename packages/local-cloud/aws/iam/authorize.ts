import { AwsError } from "../http/respond.ts";
import type { AccessRequest, ConditionContext, Principal, ResourceStatement, Statement } from "../types.ts";

type Tests = Record<string, string | boolean | (string | boolean)[]>;
type Test = (actual: string, expected: string) => boolean;

const isEqual: Test = (actual, expected) => actual === literal(expected);
const isEqualIgnoringCase: Test = (actual, expected) => actual.toLowerCase() === literal(expected).toLowerCase();

const OPERATORS: Record<string, { test: Test; negated?: true }> = {
  StringEquals: { test: isEqual },
  StringNotEquals: { test: isEqual, negated: true },
  StringEqualsIgnoreCase: { test: isEqualIgnoringCase },
  StringNotEqualsIgnoreCase: { test: isEqualIgnoringCase, negated: true },
  StringLike: { test: (actual, expected) => wildcard(expected, actual) },
  StringNotLike: { test: (actual, expected) => wildcard(expected, actual), negated: true },
  ArnEquals: { test: arnLike },
  ArnLike: { test: arnLike },
  ArnNotEquals: { test: arnLike, negated: true },
  ArnNotLike: { test: arnLike, negated: true },
  Bool: { test: (actual, expected) => actual === expected },
  NumericEquals: { test: (actual, expected) => Number(actual) === Number(expected) },
  NumericLessThan: { test: (actual, expected) => Number(actual) < Number(expected) },
  NumericLessThanEquals: { test: (actual, expected) => Number(actual) <= Number(expected) },
  NumericGreaterThan: { test: (actual, expected) => Number(actual) > Number(expected) },
  NumericGreaterThanEquals: { test: (actual, expected) => Number(actual) >= Number(expected) },
};

/**
 * Throws for an unknown operator, so that a misread policy never allows access. Source: "IAM JSON policy elements: Condition operators"
 * in the IAM User Guide.
 */
export function conditionHolds(operator: string, tests: Tests, context: ConditionContext): boolean {
  return Object.entries(tests).every(([key, expected]) =>
    keyMatches(operator, contextValues(context, key), withVariables(list(expected).map(String), context)),
  );
}

function keyMatches(fullName: string, actual: string[] | undefined, expected: string[]): boolean {
  const [, set, name, ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(fullName)!;
  if (name === "Null") return expected.includes(String(actual === undefined));
  const operator = OPERATORS[name!];
  if (!operator) throw new Error(`Unknown IAM condition operator ${fullName}`);
  const holds = (value: string) => expected.some((wanted) => operator.test(value, wanted)) !== (operator.negated ?? false);
  if (actual === undefined) return ifExists !== undefined || set === "ForAllValues" || (operator.negated ?? false);
  if (set === "ForAllValues") return actual.every(holds);
  if (set === "ForAnyValue") return actual.some(holds);
  // Without a set operator a negated test must hold for all values, a positive one for any
  return operator.negated ? actual.every(holds) : actual.some(holds);
}

/** Keys are case-insensitive; a key with an empty list is absent. */
function contextValues(context: ConditionContext, key: string): string[] | undefined {
  const wanted = key.toLowerCase();
  const found = Object.keys(context).find((name) => name.toLowerCase() === wanted);
  const value = found === undefined ? undefined : context[found];
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

function arnLike(actual: string, expected: string): boolean {
  const [a, b] = [arnParts(actual), arnParts(expected)];
  return a.length === b.length && b.every((part, at) => wildcard(part, a[at]!));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(":");
  return [...parts.slice(0, 5), parts.slice(5).join(":")];
}

/**
 * Replaces policy variables by the request's values, in which wildcards stand for themselves. A text with a variable that the request
 * lacks matches nothing, so it is left out. Source: "IAM policy elements: Variables and tags" in the IAM User Guide.
 */
function withVariables(texts: string[], context: ConditionContext): string[] {
  return texts.flatMap((text) => {
    let isKnown = true;
    const replaced = text.replace(/\$\{([^}]*)\}/g, (variable, key: string) => {
      if (/^[*?$]$/.test(key)) return variable;
      if (key.includes(",")) throw new Error(`A default in the IAM policy variable ${variable} is not supported here`);
      const value = contextValues(context, key);
      if (value?.length !== 1) isKnown = false;
      return (value?.[0] ?? "").replace(/[*?$]/g, "${$&}");
    });
    return isKnown ? [replaced] : [];
  });
}

/** `${*}`, `${?}` and `${$}` stand for these characters. */
const escaped = /\$\{([*?$])\}/g;
const literal = (text: string): string => text.replace(escaped, "$1");

const patterns = { exact: new Map<string, RegExp>(), ignoringCase: new Map<string, RegExp>() };
/** Patterns with variables differ for each tenant. */
const maxPatterns = 5000;

export function wildcard(pattern: string, value: string, ignoreCase = false): boolean {
  const known = ignoreCase ? patterns.ignoringCase : patterns.exact;
  let expression = known.get(pattern);
  if (!expression) {
    const source = pattern
      .split(escaped)
      .map((part, at) => (at % 2 === 1 ? quoted(part) : quoted(part).replaceAll("\\*", ".*").replaceAll("\\?", ".")))
      .join("");
    expression = new RegExp(`^${source}$`, ignoreCase ? "is" : "s");
    if (known.size >= maxPatterns) known.clear();
    known.set(pattern, expression);
  }
  return expression.test(value);
}

const quoted = (text: string): string => text.replace(/[.+^${}()|[\]\\*?]/g, "\\$&");

export type Caller = { principal: Principal; account: string; region: string };

/** Throws the service's AccessDenied error: 403 for REST services, 400 for JSON services. */
export function authorize(caller: Caller, access: AccessRequest, code = "AccessDeniedException", status: 400 | 403 = 400): void {
  const decision = decide(caller, access);
  if (decision === "allowed") return;
  throw new AwsError(status, code, refusal(caller.principal, access, decision));
}

export function isAllowed(caller: Caller, access: AccessRequest): boolean {
  return decide(caller, access) === "allowed";
}

function decide(caller: Caller, access: AccessRequest): Decision {
  return evaluate(caller.principal, { ...access, context: { ...globalContext(caller), ...access.context } });
}

/** Whether a resource's policy refuses the caller, whose own policies then do not matter. */
export function isRefusedBy(policy: readonly ResourceStatement[], caller: Caller, access: AccessRequest): boolean {
  const request = { ...access, context: { ...globalContext(caller), ...access.context } };
  return policy.some(
    (statement) => statement.Effect === "Deny" && isNamed(statement.Principal, caller.principal) && applies(statement, request),
  );
}

const isNamed = (named: ResourceStatement["Principal"], principal: Principal): boolean =>
  named === "*" || list(named.AWS ?? []).some((name) => name === "*" || name === principal.arn || name === roleOf(principal));

const roleOf = ({ arn, session }: Principal): string => session?.roleArn ?? arn;

/** Whether a role's trust policy lets the caller assume or tag it. */
export function isTrustedBy(trust: readonly ResourceStatement[], caller: Caller, access: AccessRequest): boolean {
  const concerning = trust.filter(({ Principal }) => isNamed(Principal, caller.principal));
  return decide({ ...caller, principal: { ...caller.principal, statements: concerning } }, access) === "allowed";
}

function globalContext({ principal, account, region }: Caller): ConditionContext {
  return {
    // Simulates an endpoint that is reached only through TLS
    "aws:SecureTransport": "true",
    "aws:PrincipalAccount": account,
    "aws:PrincipalArn": roleOf(principal),
    "aws:RequestedRegion": region,
    ...Object.fromEntries(Object.entries(principal.session?.tags ?? {}).map(([key, value]) => [`aws:PrincipalTag/${key}`, value])),
  };
}

function refusal(principal: Principal, { action, resource }: AccessRequest, decision: Decision): string {
  const why =
    decision === "explicitly denied"
      ? "with an explicit deny in an identity-based policy"
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
}

type Decision = "allowed" | "denied" | "explicitly denied";

/** An explicit Deny wins, then any Allow, else denied. Source: "Policy evaluation logic" in the IAM User Guide. */
export function evaluate(principal: Principal, request: AccessRequest): Decision {
  if (principal.statements === "all") return "allowed";
  const matching = principal.statements.filter((statement) => applies(statement, request));
  if (matching.some((statement) => statement.Effect === "Deny")) return "explicitly denied";
  return matching.length > 0 ? "allowed" : "denied";
}

function applies(statement: Statement, request: AccessRequest): boolean {
  return (
    matches(statement.Action, statement.NotAction, request.action, { ignoreCase: true }) &&
    matches(
      statement.Resource === undefined ? undefined : withVariables(list(statement.Resource), request.context ?? {}),
      statement.NotResource === undefined ? undefined : withVariables(list(statement.NotResource), request.context ?? {}),
      request.resource,
      { ignoreCase: false },
    ) &&
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
