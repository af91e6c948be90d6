import { AwsError } from "./error.ts";
import { evaluate, type Decision } from "./evaluate.ts";
import type { AccessRequest, ConditionContext, Principal } from "./types.ts";

/** What a caller holds in hand while one of its requests is served. */
export type Caller = { principal: Principal; account: string; region: string };

/** Throws the AccessDenied error of the service unless the caller may; the sentence is AWS's. REST services say 403, the others 400. */
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

function globalContext({ principal, account, region }: Caller): ConditionContext {
  return {
    // The endpoint stands for one that is reached by TLS only
    "aws:SecureTransport": "true",
    "aws:PrincipalAccount": account,
    "aws:PrincipalArn": principal.arn,
    "aws:RequestedRegion": region,
  };
}

function refusal(principal: Principal, { action, resource }: AccessRequest, decision: Decision): string {
  const why =
    decision === "explicitly denied"
      ? "with an explicit deny in an identity-based policy"
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
}
