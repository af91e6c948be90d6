import { startAws, type AwsOptions, type Principal, type Role } from "../../packages/local-cloud/aws/index.ts";

const region = "us-east-1";
const account = "000000000000";
const tableArn = `arn:aws:dynamodb:${region}:${account}:table/vitaline-tenant-role`;
const roleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;

export type TenantRoleAws = {
  tableName: string;
  /** How often STS gave a session. */
  assumed(): number;
  /** Breaks AWS calls until it is called without a hook. */
  fault(hook?: AwsOptions["fault"]): void;
  close(): Promise<void>;
};

/** An embedded AWS with a table, and this process as a function that reaches it only through a role for one tenant. */
export async function startTenantRole(): Promise<TenantRoleAws> {
  const fn: Principal = {
    arn: roleArn("function"),
    statements: [{ Effect: "Allow", Action: ["sts:AssumeRole", "sts:TagSession"], Resource: roleArn("data") }],
    secretAccessKey: "secret",
  };
  const data: Role = {
    arn: roleArn("data"),
    statements: [
      {
        Effect: "Allow",
        Action: "dynamodb:GetItem",
        Resource: tableArn,
        Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": "TENANT#${aws:PrincipalTag/tenantId}#*" } },
      },
    ],
    trust: [{ Effect: "Allow", Principal: { AWS: fn.arn }, Action: ["sts:AssumeRole", "sts:TagSession"], Resource: "*" }],
  };
  let assumed = 0;
  let hook: AwsOptions["fault"];
  const aws = await startAws({
    region,
    account,
    principals: (id) => (id === "function" ? fn : undefined),
    roles: (arn) => (arn === data.arn ? data : undefined),
    fault(call) {
      if (call.service === "sts") assumed++;
      return hook?.(call);
    },
  });
  const keyed = ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const }));
  const keySchema = [
    { AttributeName: "pk", KeyType: "HASH" as const },
    { AttributeName: "sk", KeyType: "RANGE" as const },
  ];
  await aws.dynamodb.ensureTable({ name: "vitaline-tenant-role", arn: tableArn, keySchema, attributeDefinitions: keyed });
  for (const name of ["AWS_SESSION_TOKEN", "AWS_PROFILE"]) delete process.env[name];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: "function",
    AWS_SECRET_ACCESS_KEY: "secret",
    TENANT_ROLE_ARN: data.arn,
  });
  return {
    tableName: "vitaline-tenant-role",
    assumed: () => assumed,
    fault: (next) => void (hook = next),
    async close() {
      delete process.env["TENANT_ROLE_ARN"];
      await aws.close();
    },
  };
}
