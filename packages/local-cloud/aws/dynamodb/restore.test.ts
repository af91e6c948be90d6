import {
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  DeleteItemCommand,
  QueryCommand,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { account, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "1" } });
const spec = (name: string) => ({
  name,
  arn: `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  keySchema: [
    { AttributeName: "pk", KeyType: "HASH" as const },
    { AttributeName: "sk", KeyType: "RANGE" as const },
  ],
  attributeDefinitions: ["pk", "sk", "gpk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
  globalSecondaryIndexes: [{ IndexName: "by-g", KeySchema: [{ AttributeName: "gpk", KeyType: "HASH" as const }], Projection: {} }],
  ttlAttribute: "expiresAt",
  stream: true,
});

let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterAll(async () => {
  vi.useRealTimers();
  await it.close();
});

test("A07: a table is restored to a second: later puts, changes and deletions are undone, also in its index", async () => {
  await it.aws.dynamodb.ensureTable(spec("source"));
  const put = (pk: string, value: string) =>
    it.dynamodb.send(new PutItemCommand({ TableName: "source", Item: { ...key(pk), gpk: { S: "all" }, value: { S: value } } }));
  const restore = (TargetTableName: string, RestoreDateTime: Date) =>
    it.dynamodb.send(new RestoreTableToPointInTimeCommand({ SourceTableName: "source", TargetTableName, RestoreDateTime }));
  await put("kept", "first");
  await put("deleted", "first");
  const at = new Date();
  vi.setSystemTime(Date.now() + 5000);
  await put("kept", "second");
  await put("kept", "third");
  await put("new", "first");
  await it.dynamodb.send(new DeleteItemCommand({ TableName: "source", Key: key("deleted") }));

  await expect(restore("early", at)).rejects.toMatchObject({ name: "PointInTimeRecoveryUnavailableException" });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await it.dynamodb.send(new UpdateContinuousBackupsCommand({ TableName: "source", PointInTimeRecoverySpecification }));
  await expect(restore("source", at)).rejects.toMatchObject({ name: "TableAlreadyExistsException" });
  await expect(restore("later", new Date(Date.now() + 60_000))).rejects.toMatchObject({ name: "InvalidRestoreTimeException" });
  await restore("target", at);

  const value = async (pk: string) =>
    (await it.dynamodb.send(new GetItemCommand({ TableName: "target", Key: key(pk) }))).Item?.["value"]?.S;
  expect([await value("kept"), await value("deleted"), await value("new")]).toEqual(["first", "first", undefined]);
  const { Items } = await it.dynamodb.send(
    new QueryCommand({
      TableName: "target",
      IndexName: "by-g",
      KeyConditionExpression: "gpk = :all",
      ExpressionAttributeValues: { ":all": { S: "all" } },
    }),
  );
  expect(Items?.map(({ pk }) => pk?.S).toSorted()).toEqual(["deleted", "kept"]);

  const described = async () => (await it.dynamodb.send(new DescribeTableCommand({ TableName: "target" }))).Table;
  expect(await described()).not.toHaveProperty("LatestStreamArn");
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const };
  await it.dynamodb.send(new UpdateTableCommand({ TableName: "target", StreamSpecification, DeletionProtectionEnabled: true }));
  const restored = await described();
  expect([restored?.LatestStreamArn, restored?.DeletionProtectionEnabled]).toEqual([
    expect.stringMatching(/:table\/target\/stream\//),
    true,
  ]);
  await it.dynamodb.send(new UpdateTableCommand({ TableName: "target", DeletionProtectionEnabled: false }));
  expect(await described()).toMatchObject({ LatestStreamArn: restored?.LatestStreamArn, DeletionProtectionEnabled: false });
});
