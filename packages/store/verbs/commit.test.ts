import { TransactionCanceledException, TransactionInProgressException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { create, keys } from "../index.ts";

/** Cancellations that no engine on one machine can be made to give; AWS documents them for TransactWriteItems. */

let it: TestAws;
const dynamodb = mockClient(DynamoDBDocumentClient);
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(async () => {
  dynamodb.restore();
  await it.close();
});

const cancelledFor = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const commitCancelledFor = (...codes: string[]) => {
  dynamodb.reset();
  dynamodb.on(TransactWriteCommand).rejects(cancelledFor(...codes));
  const office = { id: "o1", name: "Main", isActive: true, createdAt: "2026-01-01T00:00:00.000Z" };
  const audit = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
  return it.inTenant(it.tenants[0]).store.commit([create(keys.office("o1"), office)], audit);
};

test.each([["ThrottlingError"], ["ProvisionedThroughputExceeded"], ["TransactionConflict"]])(
  "a transaction cancelled for %s, again and again, ends as unavailable with a time to come back",
  async (code) => {
    await expect(commitCancelledFor("None", code)).rejects.toMatchObject({
      code: "unavailable",
      retryAfterSeconds: expect.any(Number) as number,
    });
  },
);

test("a condition that fails beside a conflict is told as the condition's failure: waiting would not help", async () => {
  await expect(commitCancelledFor("ConditionalCheckFailed", "TransactionConflict")).rejects.toMatchObject({ code: "duplicate" });
});

test("a conflict is tried again with the same token, so that a lost answer is no second write", async () => {
  await expect(commitCancelledFor("TransactionConflict", "None")).rejects.toThrow();
  const tokens = dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
  expect(tokens).toHaveLength(6);
  expect(new Set(tokens).size).toBe(1);
});

test("our own first try that is still under way is waited for by the SDK alone, and then told as unavailable", async () => {
  dynamodb.reset();
  dynamodb
    .on(TransactWriteCommand)
    .rejects(new TransactionInProgressException({ message: "In progress", $metadata: { httpStatusCode: 400 } }));
  const audit = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
  const write = create(keys.officeName("Main"), { id: "o1" });
  await expect(it.inTenant(it.tenants[0]).store.commit([write], audit)).rejects.toMatchObject({ code: "unavailable" });
  expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(1);
});
