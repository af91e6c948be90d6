import { ArnPrincipal, ManagedPolicy, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { tenantStatementsFor } from "../../grants/statements.ts";
import type { TenantNeeds } from "../../needs/index.ts";
import type { DataResources } from "../../resources/data-resources.ts";
import { acknowledge } from "../acknowledge.ts";
import { tenantPolicyReasons } from "./function-acknowledgements.ts";

/** As long as a tenant's id (packages/core/ids.ts), so that no session is of a part of one or of none. */
const anyTenantId = "?".repeat(26);

/**
 * The role in which a function reaches the data of one tenant: its policies read the tenant from the tag of the session. Only the function
 * may assume it, and only with this tag, as the session's name too.
 */
export class TenantRole extends Construct {
  readonly roleArn: string;
  /** Resolves when the role has its rights. */
  readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, { by, functionName, needs, data }: TenantRoleProps) {
    super(scope, id);
    const tagged = {
      StringLike: { "aws:RequestTag/tenantId": anyTenantId },
      "ForAllValues:StringEquals": { "aws:TagKeys": ["tenantId"] },
    };
    const principal = new ArnPrincipal(by.roleArn);
    const role = new Role(this, "Role", {
      assumedBy: principal.withConditions({ ...tagged, StringEquals: { "sts:RoleSessionName": "${aws:RequestTag/tenantId}" } }),
      description: `What ${functionName} may do for one tenant`,
    });
    role.assumeRolePolicy?.addStatements(new PolicyStatement({ actions: ["sts:TagSession"], principals: [principal], conditions: tagged }));
    this.policy = new ManagedPolicy(this, "Policy", { roles: [role], statements: tenantStatementsFor(needs, data) });
    this.roleArn = role.roleArn;
    acknowledge(this.policy, tenantPolicyReasons(needs, data));
  }
}

type TenantRoleProps = { by: Role; functionName: string; needs: TenantNeeds; data: DataResources };
