import { GetSecretValueCommand, CreateSecretCommand } from "@aws-sdk/client-secrets-manager";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { AssumeRoleCommand, type Credentials, STSClient, type Tag } from "@aws-sdk/client-sts";
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { account, clientsAt, type Endpoint, region, startEndpoint, tableSpec } from "../endpoint.fixture.ts";
import type { ResourceStatement, Role, Statement } from "../types.ts";

const TableName = "tagged";
const caller = `arn:aws:iam::${account}:role/tools`;
const tenantTag = "${aws:PrincipalTag/tenantId}";
const secretArn = `arn:aws:secretsmanager:${region}:${account}:secret:tenants/`;
const roleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;

const onTable = (actions: string[]): Statement => ({
  Effect: "Allow",
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: [
    `arn:aws:dynamodb:${region}:${account}:table/${TableName}`,
    `arn:aws:dynamodb:${region}:${account}:table/${TableName}/index/gsi`,
  ],
  Condition: {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [`TENANT#${tenantTag}#*`, "SHARED#*"] },
    Null: { "dynamodb:LeadingKeys": "false" },
  },
});
const statements: Statement[] = [
  onTable(["GetItem", "PutItem", "Query"]),
  { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject"], Resource: `arn:aws:s3:::tagged/calls/${tenantTag}/*` },
  { Effect: "Allow", Action: "secretsmanager:*", Resource: `${secretArn}${tenantTag}/*` },
];
const trust = (Condition: ResourceStatement["Condition"], Action: string[] = ["sts:AssumeRole", "sts:TagSession"]): ResourceStatement[] => [
  { Effect: "Allow", Principal: { AWS: caller }, Action, Resource: "*", Condition },
];
const oneTag = {
  StringLike: { "aws:RequestTag/tenantId": "?*" },
  "ForAllValues:StringEquals": { "aws:TagKeys": ["tenantId"] },
};
const roles = new Map<string, Role>(
  [
    { arn: roleArn("data"), statements, trust: trust(oneTag) },
    { arn: roleArn("untaggable"), statements, trust: trust({}, ["sts:AssumeRole"]) },
    {
      arn: roleArn("named"),
      statements,
      trust: [
        ...trust({ StringEquals: { "sts:RoleSessionName": "${aws:RequestTag/tenantId}" } }, ["sts:AssumeRole"]),
        ...trust(oneTag, ["sts:TagSession"]),
      ],
    },
  ].map((role) => [role.arn, role]),
);

let it: Endpoint;
let tools: ReturnType<Endpoint["as"]>;
const clients: STSClient[] = [];
const opened: ReturnType<typeof clientsAt>[] = [];
beforeAll(async () => {
  it = await startEndpoint({ roles: (arn) => roles.get(arn) });
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
  await it.aws.s3.ensureBucket({ name: "tagged" });
  tools = it.as("tools", [{ Effect: "Allow", Action: ["sts:AssumeRole", "sts:TagSession"], Resource: "*" }]);
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  for (const client of [...clients, ...opened]) client.destroy();
  await it.close();
});

function stsOf(accessKeyId: string, secretAccessKey = "a-secret-that-signs"): STSClient {
  const client = new STSClient({ endpoint: it.aws.url, region, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 1 });
  clients.push(client);
  return client;
}
const tagsOf = (tags: Record<string, string>): Tag[] => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
const assume = async (tags: Record<string, string>, more: object = {}, by = "tools"): Promise<Credentials> => {
  const command = new AssumeRoleCommand({ RoleArn: roleArn("data"), RoleSessionName: "session", Tags: tagsOf(tags), ...more });
  return (await stsOf(by).send(command)).Credentials!;
};
const as = ({ AccessKeyId, SecretAccessKey, SessionToken }: Partial<Credentials>) => {
  const own = clientsAt(it.aws.url, AccessKeyId!, SecretAccessKey!, SessionToken);
  opened.push(own);
  return own;
};
const Key = (pk: string) => ({ pk, sk: "1" });
const denied = { name: "AccessDeniedException" };

test("a session reads and writes the rows, files and secrets of its tag alone, and what no tenant owns", async () => {
  const one = as(await assume({ tenantId: "one" }));
  const two = as(await assume({ tenantId: "two" }));
  await one.table.send(new PutCommand({ TableName, Item: Key("TENANT#one#CALL") }));
  await one.table.send(new PutCommand({ TableName, Item: Key("SHARED#due") }));
  await expect(two.table.send(new GetCommand({ TableName, Key: Key("TENANT#one#CALL") }))).rejects.toMatchObject(denied);
  const query = (partition: string, IndexName?: string) =>
    new QueryCommand({
      ...{ TableName, IndexName, ExpressionAttributeValues: { ":p": partition } },
      KeyConditionExpression: `${IndexName ? "gpk" : "pk"} = :p`,
    });
  expect((await one.table.send(query("TENANT#one#CALL"))).Count).toBe(1);
  for (const index of [undefined, "gsi"]) await expect(two.table.send(query("TENANT#one#CALL", index))).rejects.toMatchObject(denied);
  const mixed = ["TENANT#two#A", "TENANT#one#A"].map((pk) => ({ Put: { TableName, Item: Key(pk) } }));
  await expect(two.table.send(new TransactWriteCommand({ TransactItems: mixed }))).rejects.toMatchObject(denied);

  const file = { Bucket: "tagged", Key: "calls/one/a" };
  await one.s3.send(new PutObjectCommand({ ...file, Body: "x" }));
  await expect(two.s3.send(new GetObjectCommand(file))).rejects.toMatchObject({ name: "AccessDenied" });
  await one.secrets.send(new CreateSecretCommand({ Name: "tenants/one/key", SecretString: "x" }));
  await expect(two.secrets.send(new GetSecretValueCommand({ SecretId: "tenants/one/key" }))).rejects.toMatchObject(denied);
});

test("a session without the tag has what the policy gives without it, and a tag with wildcards matches itself alone", async () => {
  const untagged = as(await assume({}, { RoleArn: roleArn("untaggable") }));
  await untagged.table.send(new GetCommand({ TableName, Key: Key("SHARED#due") }));
  for (const pk of ["TENANT##CALL", "TENANT#one#CALL"])
    await expect(untagged.table.send(new GetCommand({ TableName, Key: Key(pk) }))).rejects.toMatchObject(denied);
  await expect(assume({ tenantId: "*" })).rejects.toMatchObject({ name: "ValidationError" });
});

test("a role is assumed and tagged only as its trust policy and the caller's own say", async () => {
  const refused = { name: "AccessDenied" };
  await expect(assume({})).rejects.toMatchObject(refused);
  await expect(assume({ tenantId: "" })).rejects.toMatchObject(refused);
  await expect(assume({ tenantId: "one", role: "admin" })).rejects.toMatchObject(refused);
  await expect(assume({ tenantId: "one" }, { RoleArn: roleArn("untaggable") })).rejects.toThrow("sts:TagSession");
  await expect(assume({ tenantId: "one" }, { RoleArn: roleArn("none") })).rejects.toMatchObject(refused);
  const named = (RoleSessionName: string) => assume({ tenantId: "one" }, { RoleArn: roleArn("named"), RoleSessionName });
  await expect(named("two")).rejects.toMatchObject(refused);
  await named("one");

  it.as("stranger", [{ Effect: "Allow", Action: "sts:*", Resource: "*" }]);
  await expect(assume({ tenantId: "one" }, {}, "stranger")).rejects.toMatchObject(refused);
  it.as("tools", []);
  await expect(assume({ tenantId: "one" })).rejects.toMatchObject(refused);
  it.as("tools", [{ Effect: "Allow", Action: ["sts:AssumeRole", "sts:TagSession"], Resource: "*" }]);
  await expect(tools.table.send(new GetCommand({ TableName, Key: Key("TENANT#one#CALL") }))).rejects.toMatchObject(denied);
});

test("credentials of a session are void without its token, with another's, and after its end", async () => {
  const one = await assume({ tenantId: "one" }, { DurationSeconds: 900 });
  const two = await assume({ tenantId: "two" });
  const get = new GetCommand({ TableName, Key: Key("TENANT#one#CALL") });
  const invalid = { name: "UnrecognizedClientException" };
  await expect(as({ ...one, SessionToken: undefined }).table.send(get)).rejects.toMatchObject(invalid);
  await expect(as({ ...one, SessionToken: two.SessionToken }).table.send(get)).rejects.toMatchObject(invalid);
  await expect(as({ ...one, SecretAccessKey: two.SecretAccessKey }).table.send(get)).rejects.toMatchObject({
    name: "SignatureDoesNotMatch",
  });
  await as(one).table.send(get);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 900_000 });
  await expect(as(one).table.send(get)).rejects.toMatchObject({ name: "ExpiredTokenException" });
  for (const DurationSeconds of [899, 3601])
    await expect(assume({ tenantId: "one" }, { DurationSeconds })).rejects.toMatchObject({ name: "ValidationError" });
});
