import { TransactionCanceledException, TransactionInProgressException } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, type BatchGetCommandInput, DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { create, keys } from "../index.ts";

/** Cancellation reasons that a local engine cannot produce; AWS documents them for TransactWriteItems. */

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

test("keys that a busy table leaves out are asked for again, and end as unavailable with a retry time, not as missing rows", async () => {
  dynamodb.reset();
  const store = it.inTenant(it.tenants[0]).store;
  const asked = [keys.office("o1"), keys.office("o2")];
  const answer = (left: number) => async (input: BatchGetCommandInput) => {
    const [name = ""] = Object.keys(input.RequestItems ?? {});
    const asking = input.RequestItems?.[name]?.Keys ?? [];
    return { Responses: { [name]: asking.slice(left) }, UnprocessedKeys: left > 0 ? { [name]: { Keys: asking.slice(0, left) } } : {} };
  };
  dynamodb.on(BatchGetCommand).callsFakeOnce(answer(1)).callsFakeOnce(answer(1)).callsFake(answer(0));
  expect((await store.batchGet(asked)).map((row) => row !== undefined)).toEqual([true, true]);
  dynamodb.reset();
  dynamodb.on(BatchGetCommand).callsFake(answer(2));
  await expect(store.batchGet(asked)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
});

test.each([["ThrottlingError"], ["ProvisionedThroughputExceeded"], ["TransactionConflict"]])(
  "a transaction that is cancelled repeatedly for %s ends as unavailable with a retry time",
  async (code) => {
    await expect(commitCancelledFor("None", code)).rejects.toMatchObject({
      code: "unavailable",
      retryAfterSeconds: expect.any(Number) as number,
    });
  },
);

test("a failed condition is reported rather than a conflict: waiting would not help", async () => {
  await expect(commitCancelledFor("ConditionalCheckFailed", "TransactionConflict")).rejects.toMatchObject({ code: "duplicate" });
});

test("a conflict is retried with the same token, so that a lost response does not cause a second write", async () => {
  await expect(commitCancelledFor("TransactionConflict", "None")).rejects.toThrow();
  const tokens = dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
  expect(tokens).toHaveLength(6);
  expect(new Set(tokens).size).toBe(1);
});

test("only the SDK waits for our own first attempt in progress, then it is unavailable", async () => {
  dynamodb.reset();
  dynamodb
    .on(TransactWriteCommand)
    .rejects(new TransactionInProgressException({ message: "In progress", $metadata: { httpStatusCode: 400 } }));
  const audit = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
  const write = create(keys.officeName("Main"), { id: "o1" });
  await expect(it.inTenant(it.tenants[0]).store.commit([write], audit)).rejects.toMatchObject({ code: "unavailable" });
  expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(1);
});
