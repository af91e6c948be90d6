import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { partitionPatterns, tenantPrefix } from "@vitaline/store/partitions.ts";
import type { Needs, TenantNeeds } from "../needs/index.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { tenantTag } from "../resources/names.ts";

const { platform, tenant } = partitionPatterns();

const auditPartitions = { true: [tenant.audit, platform.platformAudit], platform: [platform.platformAudit] };

/**
 * Restricts a role to partition keys. ForAllValues is also true for requests without keys, so the Null condition refuses those;
 * no role may Scan.
 */
const rows = (actions: string[], resources: string[], partitions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources,
    conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions }, Null: { "dynamodb:LeadingKeys": "false" } },
  });

/** The partitions of the session's tenant instead of any tenant's. */
const inSession = (patterns: readonly string[] | undefined): string[] | undefined =>
  patterns?.map((pattern) => pattern.replace(anyTenant, tenantPrefix(tenantTag)));

const anyTenant = new RegExp(`^${tenantPrefix("\\*")}`);

type Rows = Pick<Needs, "reads" | "writes" | "deletes" | "audits" | "callIndex">;

export const tenantTableStatements = (
  { reads, writes, deletes, audits, callIndex }: TenantNeeds,
  data: DataResources,
): PolicyStatement[] => [
  ...tableStatements({ reads: inSession(reads), writes: inSession(writes), deletes: inSession(deletes), callIndex }, data),
  ...(audits ? [rows(["PutItem"], [data.served.tableArn], inSession([tenant.audit]) ?? [])] : []),
];

export function tableStatements({ reads, writes, deletes, audits, callIndex }: Rows, data: DataResources): PolicyStatement[] {
  const table = data.served.tableArn;
  const statements = [
    reads && rows(["GetItem", "BatchGetItem", "Query"], callIndex ? [table, `${table}/index/gsi1`] : [table], reads),
    writes && rows(["PutItem", "UpdateItem", "ConditionCheckItem"], [table], writes),
    deletes && rows(["DeleteItem"], [table], deletes),
    audits && rows(["PutItem"], [table], auditPartitions[`${audits}`]),
  ].filter((statement) => statement !== undefined);
  return statements.length > 0 ? [...statements, tableKey(data)] : [];
}

/** Only through DynamoDB. Source: "DynamoDB encryption at rest usage notes". */
const tableKey = (data: DataResources): PolicyStatement =>
  new PolicyStatement({
    actions: [
      "Decrypt",
      "DescribeKey",
      "Encrypt",
      "GenerateDataKey",
      "GenerateDataKeyWithoutPlaintext",
      "ReEncryptFrom",
      "ReEncryptTo",
    ].map((action) => `kms:${action}`),
    resources: [data.tableKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `dynamodb.${data.region}.amazonaws.com` } },
  });
