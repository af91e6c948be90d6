import type { Datum } from "../cloudwatch/metrics.ts";
import { AwsError } from "../http/respond.ts";

const throttles = ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"];
const reading = /^(GetItem|BatchGetItem|Query|Scan|TransactGetItems)$/;

type Asked = { TableName?: string; RequestItems?: object; TransactItems?: Record<string, { TableName?: string }>[] };

/** What DynamoDB counts for a refused request, by table. Source: "DynamoDB metrics and dimensions" in the Amazon DynamoDB Developer Guide. */
export function throttleMetrics(operation: string, body: Buffer | undefined, error: unknown): Datum[] {
  if (!(error instanceof AwsError) || !throttles.includes(error.code)) return [];
  const name = reading.test(operation) ? "ReadThrottleEvents" : "WriteThrottleEvents";
  return tablesOf(body).map((TableName) => ({ namespace: "AWS/DynamoDB", name, dimensions: { TableName }, value: 1 }));
}

function tablesOf(body: Buffer | undefined): string[] {
  const { TableName, RequestItems = {}, TransactItems = [] } = JSON.parse(body?.toString() || "{}") as Asked;
  const named = TransactItems.flatMap((item) => Object.values(item).map((part) => part.TableName));
  return [...new Set([TableName, ...Object.keys(RequestItems), ...named])].filter((table) => table !== undefined);
}
