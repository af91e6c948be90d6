import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CreateKeyCommand, DecryptCommand, EncryptCommand, GenerateDataKeyCommand, SignCommand } from "@aws-sdk/client-kms";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { CreateSecretCommand, GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { account, clientsAt, region, startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";
import type { KeyDefinition, Statement } from "../types.ts";

const TableName = "guarded";
let it: Endpoint;
const tableKey = keyOf("SYMMETRIC_DEFAULT", "table");
const vault = keyOf("SYMMETRIC_DEFAULT", "vault");
const signing = keyOf("RSA_2048", "platform-signing");
const session = keyOf("RSA_2048", "session-signing");
const table = tableSpec(TableName, { keyKmsArn: tableKey.arn });

beforeAll(async () => {
  it = await startEndpoint();
  for (const key of [tableKey, vault, signing, session]) await it.aws.kms.ensureKey(key);
  await it.aws.dynamodb.ensureTable(table);
});
afterAll(() => it.close());

function keyOf(spec: KeyDefinition["spec"], use: string): KeyDefinition {
  const keyId = randomUUID();
  return { keyId, spec, arn: `arn:aws:kms:${region}:${account}:key/${keyId}`, tags: { "vitaline:use": use } };
}

const tableKeyStatement: Statement = {
  Effect: "Allow",
  Action: "kms:Decrypt",
  Resource: tableKey.arn,
  Condition: { StringEquals: { "kms:ViaService": `dynamodb.${region}.amazonaws.com` } },
};
const onTable = (Action: string | string[], Condition?: Statement["Condition"]): Statement => ({
  Effect: "Allow",
  Action,
  Resource: [table.arn, `${table.arn}/index/*`],
  Condition,
});
const role = (...statements: Statement[]) => it.as(randomUUID(), [tableKeyStatement, ...statements]);
const allTenants = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["TENANT#*"] } };
const denied = { name: "AccessDeniedException" };
const Key = (pk: string) => ({ pk, sk: "1" });
const Put = (pk: string) => ({ Put: { TableName, Item: Key(pk) } });

test("a role may use its granted actions only", async () => {
  const reader = role(onTable(["dynamodb:GetItem", "dynamodb:Query"]));
  await reader.table.send(new GetCommand({ TableName, Key: Key("a") }));
  await expect(reader.table.send(new PutCommand({ TableName, Item: Key("a") }))).rejects.toMatchObject({
    ...denied,
    message: expect.stringContaining(
      `is not authorized to perform: dynamodb:PutItem on resource: ${table.arn} because no identity-based policy allows the dynamodb:PutItem action`,
    ),
  });
  await expect(reader.table.send(new ScanCommand({ TableName }))).rejects.toMatchObject(denied);
});

test("a permission on a table does not include its index", async () => {
  const query = new QueryCommand({
    TableName,
    IndexName: "gsi",
    KeyConditionExpression: "gpk = :g",
    ExpressionAttributeValues: { ":g": "g" },
  });
  const tableOnly = role({ Effect: "Allow", Action: "dynamodb:Query", Resource: table.arn });
  await expect(tableOnly.table.send(query)).rejects.toMatchObject(denied);
  await role(onTable("dynamodb:Query")).table.send(query);
});

test("dynamodb:LeadingKeys limits every read and write, also through an index", async () => {
  const bound = role(onTable(["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:Query"], allTenants));
  await bound.table.send(new PutCommand({ TableName, Item: Key("TENANT#a") }));
  await bound.table.send(new GetCommand({ TableName, Key: Key("TENANT#a") }));
  await bound.table.send(
    new QueryCommand({ TableName, IndexName: "gsi", KeyConditionExpression: "gpk = :g", ExpressionAttributeValues: { ":g": "TENANT#a" } }),
  );
  await expect(bound.table.send(new PutCommand({ TableName, Item: Key("PLATFORM#x") }))).rejects.toMatchObject(denied);
  await expect(bound.table.send(new GetCommand({ TableName, Key: Key("PLATFORM#x") }))).rejects.toMatchObject(denied);
  await expect(
    bound.table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key("TENANT#a"), Key("PLATFORM#x")] } } })),
  ).rejects.toMatchObject(denied);
  const query = new QueryCommand({
    TableName,
    IndexName: "gsi",
    KeyConditionExpression: "gpk = :g",
    ExpressionAttributeValues: { ":g": "PLATFORM#x" },
  });
  await expect(bound.table.send(query)).rejects.toMatchObject(denied);
});

test("a transaction needs the permission for each put, check, delete and read", async () => {
  const bound = role(onTable("dynamodb:PutItem", allTenants));
  const check = { ConditionCheck: { TableName, Key: Key("TENANT#check"), ConditionExpression: "attribute_not_exists(pk)" } };
  await bound.table.send(new TransactWriteCommand({ TransactItems: [Put("TENANT#a"), Put("TENANT#b")] }));
  await expect(bound.table.send(new TransactWriteCommand({ TransactItems: [Put("TENANT#c"), Put("PLATFORM#x")] }))).rejects.toMatchObject(
    denied,
  );
  await expect(bound.table.send(new TransactWriteCommand({ TransactItems: [Put("TENANT#c"), check] }))).rejects.toThrow(
    "dynamodb:ConditionCheckItem",
  );
  await expect(
    bound.table.send(new TransactWriteCommand({ TransactItems: [Put("TENANT#c"), { Delete: { TableName, Key: Key("TENANT#a") } }] })),
  ).rejects.toThrow("dynamodb:DeleteItem");
  await expect(bound.table.send(new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: Key("TENANT#a") } }] }))).rejects.toThrow(
    "dynamodb:GetItem",
  );
  expect((await it.table.send(new GetCommand({ TableName, Key: Key("TENANT#c") }))).Item).toBeUndefined();
});

test("a permission may be limited to transactions", async () => {
  const only = role(onTable("dynamodb:PutItem", { StringEquals: { "dynamodb:EnclosingOperation": "TransactWriteItems" } }));
  await only.table.send(new TransactWriteCommand({ TransactItems: [Put("TENANT#d")] }));
  await expect(only.table.send(new PutCommand({ TableName, Item: Key("TENANT#d") }))).rejects.toMatchObject(denied);
});

test("a table with a customer-managed key also needs the permission on that key", async () => {
  const without = it.as("no-key", [onTable("dynamodb:*")]);
  await expect(without.table.send(new GetCommand({ TableName, Key: Key("a") }))).rejects.toThrow("kms:Decrypt");
  // The statement allows only use through the service, not a direct call
  const { CiphertextBlob } = await it.kms.send(new EncryptCommand({ KeyId: tableKey.arn, Plaintext: Buffer.from("x") }));
  await expect(role().kms.send(new DecryptCommand({ CiphertextBlob }))).rejects.toMatchObject(denied);
});

test("a role may use a key only for its granted purposes", async () => {
  const phi = role({
    Effect: "Allow",
    Action: ["kms:Decrypt", "kms:GenerateDataKey"],
    Resource: vault.arn,
    Condition: { StringEquals: { "kms:EncryptionContext:purpose": "phi" } },
  });
  const generate = (EncryptionContext?: Record<string, string>) =>
    phi.kms.send(new GenerateDataKeyCommand({ KeyId: vault.arn, KeySpec: "AES_256", EncryptionContext }));
  const { CiphertextBlob } = await generate({ purpose: "phi", tenantId: "a" });
  await phi.kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { purpose: "phi", tenantId: "a" } }));
  for (const context of [undefined, { tenantId: "a" }, { purpose: "webhook" }] as (Record<string, string> | undefined)[])
    await expect(generate(context)).rejects.toMatchObject(denied);
  await expect(
    phi.kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { purpose: "webhook", tenantId: "a" } })),
  ).rejects.toMatchObject(denied);
});

test("a permission limited to a tag applies to keys with that tag and creates no other key", async () => {
  const signer = role(
    {
      Effect: "Allow",
      Action: "kms:Sign",
      Resource: "*",
      Condition: { StringEquals: { "aws:ResourceTag/vitaline:use": "platform-signing" } },
    },
    {
      Effect: "Allow",
      Action: ["kms:CreateKey", "kms:TagResource"],
      Resource: "*",
      Condition: { StringEquals: { "aws:RequestTag/vitaline:use": "platform-signing" } },
    },
  );
  const sign = (KeyId: string) =>
    signer.kms.send(new SignCommand({ KeyId, SigningAlgorithm: "RSASSA_PKCS1_V1_5_SHA_256", Message: Buffer.from("x") }));
  const make = (TagValue: string) =>
    signer.kms.send(new CreateKeyCommand({ KeySpec: "RSA_2048", KeyUsage: "SIGN_VERIFY", Tags: [{ TagKey: "vitaline:use", TagValue }] }));
  await sign(signing.arn);
  await expect(sign(session.arn)).rejects.toMatchObject(denied);
  await sign((await make("platform-signing")).KeyMetadata!.Arn!);
  await expect(make("session-signing")).rejects.toMatchObject(denied);
});

test("a secret with a customer-managed key needs both permissions, the key's through the service", async () => {
  const viaSecrets = { StringEquals: { "kms:ViaService": `secretsmanager.${region}.amazonaws.com` } };
  const onSecret: Statement = {
    Effect: "Allow",
    Action: ["secretsmanager:CreateSecret", "secretsmanager:GetSecretValue"],
    Resource: `arn:aws:secretsmanager:${region}:${account}:secret:vitaline/test/fhir/*`,
  };
  const onKey: Statement = { Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"], Resource: vault.arn, Condition: viaSecrets };
  const create = (Name: string) => new CreateSecretCommand({ Name, SecretString: "x", KmsKeyId: vault.arn });
  const both = role(onSecret, onKey);
  await both.secrets.send(create("vitaline/test/fhir/a"));
  await both.secrets.send(new GetSecretValueCommand({ SecretId: "vitaline/test/fhir/a" }));
  await expect(both.secrets.send(create("vitaline/other/a"))).rejects.toMatchObject(denied);
  const keyless = role(onSecret);
  await expect(keyless.secrets.send(create("vitaline/test/fhir/b"))).rejects.toThrow("kms:GenerateDataKey");
  await expect(keyless.secrets.send(new GetSecretValueCommand({ SecretId: "vitaline/test/fhir/a" }))).rejects.toThrow("kms:Decrypt");
});

test("an object with a customer-managed key needs both permissions; without list permission a missing key is a 403", async () => {
  await it.aws.s3.ensureBucket({ name: "guarded", kmsKeyArn: vault.arn });
  const onObjects: Statement = { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject"], Resource: "arn:aws:s3:::guarded/phi/*" };
  const both = role(onObjects, { Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"], Resource: vault.arn });
  const put = (Key: string) => new PutObjectCommand({ Bucket: "guarded", Key, Body: "x" });
  const get = (Key: string) => new GetObjectCommand({ Bucket: "guarded", Key });
  await both.s3.send(put("phi/a"));
  await both.s3.send(get("phi/a"));
  await expect(both.s3.send(put("other/a"))).rejects.toMatchObject({ name: "AccessDenied" });
  await expect(both.s3.send(get("phi/absent"))).rejects.toMatchObject({ name: "AccessDenied", $metadata: { httpStatusCode: 403 } });
  await expect(role(onObjects).s3.send(get("phi/a"))).rejects.toMatchObject({ name: "AccessDenied" });
  await expect(it.s3.send(get("phi/absent"))).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("an unknown access key, or a wrong secret, is refused", async () => {
  const unknown = clientsAt(it.aws.url, "unknown");
  await expect(unknown.table.send(new GetCommand({ TableName, Key: Key("a") }))).rejects.toMatchObject({
    name: "UnrecognizedClientException",
  });
  await expect(unknown.s3.send(new GetObjectCommand({ Bucket: "guarded", Key: "a" }))).rejects.toMatchObject({
    name: "InvalidAccessKeyId",
  });
  unknown.destroy();
  const forged = clientsAt(it.aws.url, "operator", "another secret");
  await expect(forged.table.send(new GetCommand({ TableName, Key: Key("a") }))).rejects.toMatchObject({ name: "SignatureDoesNotMatch" });
  await expect(forged.s3.send(new PutObjectCommand({ Bucket: "guarded", Key: "a", Body: "x" }))).rejects.toMatchObject({
    name: "SignatureDoesNotMatch",
  });
  forged.destroy();
  const unsigned = await fetch(it.aws.url, { method: "POST", headers: { "x-amz-target": "DynamoDB_20120810.ListTables" }, body: "{}" });
  expect([unsigned.status, await unsigned.json()]).toMatchObject([403, { __type: "MissingAuthenticationToken" }]);
});
