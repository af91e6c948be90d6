import { BatchWriteItemCommand, DynamoDBClient, type AttributeValue, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { keys } from "@vitaline/store";

/** Writes call rows directly to the table, one second apart; every hundredth is failed, the others are completed. */
export async function writeCalls(
  tenantId: string,
  count: number,
  firstMs: number,
  { client = new DynamoDBClient({}), tableName = process.env["TABLE_NAME"] ?? "" } = {},
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index): Record<string, AttributeValue> => {
    const callKey = keys.callKeyOf("vapi", `${tenantId}-${index}`);
    const startedAt = new Date(firstMs + index * 1000).toISOString();
    const texts = {
      ...keys.call(callKey).primaryKeyIn(tenantId),
      callKey,
      platform: "vapi",
      platformCallId: callKey.slice(0, 36),
      status: index % 100 === 0 ? "failed" : "completed",
      startedAt,
      endSeenAt: startedAt,
      gsi1pk: keys.tenantPartitions.calls(tenantId),
      gsi1sk: `${startedAt}#${callKey}`,
      endedReason: "customer-ended-call",
    };
    return {
      ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { S: value }])),
      rank: { N: "5" },
      forwarded: { BOOL: false },
    };
  });
  for (let start = 0; start < rows.length; start += 25) {
    let puts: WriteRequest[] = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    while (puts.length > 0) {
      const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: puts } }));
      puts = UnprocessedItems?.[tableName] ?? [];
    }
  }
}
