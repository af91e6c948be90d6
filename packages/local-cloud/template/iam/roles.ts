import type { ResourceStatement, Role, Statement } from "../../aws/index.ts";
import { StartError } from "../../lib/run.ts";
import type { Placed, Resources } from "../resources.ts";

type Document = { Statement: Statement | Statement[] };

const ignoredPolicies = new Set([
  "arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited",
  "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
  "arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess",
  "arn:aws:iam::aws:policy/CloudWatchLambdaInsightsExecutionRolePolicy",
]);

const statementsOf = (document: unknown): Statement[] => [(document as Document).Statement].flat();

/** By ARN. */
export function readRoles(resources: Resources): Map<string, Role> {
  const roles = new Map(
    resources
      .ofType("AWS::IAM::Role")
      .map((role): [string, Role] => [
        role.ref,
        { arn: role.attributes["Arn"] ?? "", statements: inlineStatements(resources, role), trust: trustOf(role) },
      ]),
  );
  for (const policy of [...resources.ofType("AWS::IAM::Policy"), ...resources.ofType("AWS::IAM::ManagedPolicy")]) {
    for (const name of (policy.properties["Roles"] ?? []) as string[])
      roles.get(name)?.statements.push(...statementsOf(policy.properties["PolicyDocument"]));
  }
  return new Map([...roles.values()].map((role) => [role.arn, role]));
}

const trustOf = ({ properties }: Placed): ResourceStatement[] =>
  // Its resource is the role itself
  (statementsOf(properties["AssumeRolePolicyDocument"]) as ResourceStatement[]).map((statement) => ({ ...statement, Resource: "*" }));

function inlineStatements(resources: Resources, role: Placed): Statement[] {
  const inline = ((role.properties["Policies"] ?? []) as { PolicyDocument: unknown }[]).flatMap(({ PolicyDocument }) =>
    statementsOf(PolicyDocument),
  );
  const managed = ((role.properties["ManagedPolicyArns"] ?? []) as string[]).flatMap((arn) => managedStatements(resources, role, arn));
  return [...inline, ...managed];
}

function managedStatements(resources: Resources, role: Placed, arn: string): Statement[] {
  if (ignoredPolicies.has(arn)) return [];
  const policy = resources.ofType("AWS::IAM::ManagedPolicy").find(({ ref }) => ref === arn);
  if (!policy) throw new StartError(`${role.where}: the managed policy ${arn} is not known to the local platform.`);
  return statementsOf(policy.properties["PolicyDocument"]);
}
