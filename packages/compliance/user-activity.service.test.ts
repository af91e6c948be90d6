import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { feedKey, feedRow } from "@vitaline/audit";
import { newId } from "@vitaline/core";
import { keys, put, type AuditRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { userActivity } from "./metrics.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const startMs = Date.now() - 3_600_000;
/** The row of an action, `afterMs` after the start. */
const act = (afterMs: number, more: Partial<AuditRow>): AuditRow => ({
  id: newId(startMs + afterMs),
  at: new Date(startMs + afterMs).toISOString(),
  tenantId: it.tenants[afterMs % 2],
  actorKind: "api_key",
  actorId: "k1",
  category: "api_call",
  action: "tool.verifyInsurance",
  resourceType: "Tool",
  success: true,
  clientAddress: "203.0.113.7",
  requestId: "r1",
  expiresAt: 4_000_000_000,
  ...more,
});
const inFeed = (row: AuditRow) => it.platform().platform.writeUnaudited(put(feedKey(row), feedRow(row)));

const agentsAct = async (count: number) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const requests = Array.from({ length: count }, (_, index) => {
    const kinds = ["api_key", "system", "nobody"];
    const row = act(1000 + index, { actorKind: kinds[index % kinds.length] ?? "" });
    return { PutRequest: { Item: { ...feedRow(row), ...(feedKey(row) as { primaryKey: { pk: string; sk: string } }).primaryKey } } };
  });
  for (let from = 0; from < count; from += 25)
    await client.send(new BatchWriteCommand({ RequestItems: { [process.env["TABLE_NAME"] ?? ""]: requests.slice(from, from + 25) } }));
};

test("the latest actions of users are read in one round trip, regardless of the number of later agent actions", async () => {
  const { platform } = it.platform();
  for (const [id, firstName] of [
    ["u1", "Ada"],
    ["u2", "Grace"],
  ] as const)
    await platform.commit(
      [
        put(keys.userDirectory(id), {
          id,
          email: `${id}@x.example`,
          role: "system_admin",
          firstName,
          lastName: "B",
          isActive: true,
          createdAt: new Date().toISOString(),
        }),
      ],
      { category: "configuration_change", action: "user.create", resourceType: "User" },
    );
  await inFeed(act(1, { actorKind: "user", actorId: "u1", action: "office.create", resourceType: "Office" }));
  await inFeed(act(2, { actorKind: "user", actorId: "u2", action: "lead.read", resourceType: "Lead" }));
  await agentsAct(3000);
  it.resetUsage();
  const { recentActions } = await userActivity(it.platform(), 2);
  expect(recentActions).toMatchObject([
    { action: "lead.read", actorId: "u2", actorName: "Grace B" },
    { action: "office.create", actorId: "u1", actorName: "Ada B" },
  ]);
  // The counters and the feed in parallel, then the names; in the first hour of a month also the feed of the previous month
  const months = new Date(startMs).getUTCMonth() === new Date().getUTCMonth() ? 1 : 2;
  expect(it.usage().map(({ operation, readUnits }) => `${operation} ${readUnits}`)).toEqual([
    ...Array<string>(1 + keys.platformStatsParts.length + 4 * months).fill("Query 0.5"),
    "BatchGetItem 2",
  ]);
});
