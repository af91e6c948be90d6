import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { partitionPatterns } from "@vitaline/store/partitions.ts";
import type { Needs } from "../needs/index.ts";
import type { DataResources } from "../resources/data-resources.ts";

const { platform, tenant } = partitionPatterns();

const auditPartitions = [tenant.audit, platform.platformAudit];

/**
 * A role may name rows only under these partition keys. ForAllValues alone would allow a request that names none,
 * so Null refuses it; Scan, the one such request, is granted to nobody besides.
 */
const rows = (actions: string[], resources: string[], partitions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources,
    conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions }, Null: { "dynamodb:LeadingKeys": "false" } },
  });

export function tableStatements({ reads, writes, deletes, audits, callIndex }: Needs, data: DataResources): PolicyStatement[] {
  const table = data.table.tableArn;
  const statements = [
    reads && rows(["GetItem", "BatchGetItem", "Query"], callIndex ? [table, `${table}/index/gsi1`] : [table], reads),
    writes && rows(["PutItem", "UpdateItem", "ConditionCheckItem"], [table], writes),
    deletes && rows(["DeleteItem"], [table], deletes),
    audits && rows(["PutItem"], [table], auditPartitions),
  ].filter((statement) => statement !== undefined);
  return statements.length > 0 ? [...statements, tableKey(data)] : [];
}

/** Source: "DynamoDB encryption at rest usage notes", what a caller needs on a customer's key; nothing outside DynamoDB. */
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
