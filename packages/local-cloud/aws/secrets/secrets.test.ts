import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  UpdateSecretCommand,
} from "@aws-sdk/client-secrets-manager";
import { account, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";

let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
});
afterAll(() => it.close());

const create = (Name: string, SecretString = "one") => it.secrets.send(new CreateSecretCommand({ Name, SecretString }));
const value = async (SecretId: string, more: { VersionId?: string; VersionStage?: string } = {}) =>
  (await it.secrets.send(new GetSecretValueCommand({ SecretId, ...more }))).SecretString;

test("a secret is read by name, by ARN and by ARN without its six last characters", async () => {
  const { ARN, Name } = await create("vitaline/test/read");
  expect(ARN).toMatch(new RegExp(`^arn:aws:secretsmanager:${region}:${account}:secret:vitaline/test/read-\\w{6}$`));
  for (const id of [Name!, ARN!, ARN!.slice(0, -7)]) expect(await value(id)).toBe("one");
});

test("a version read by id stays the same when a newer one becomes current", async () => {
  const { ARN, VersionId } = await create("vitaline/test/versions");
  const { VersionId: second } = await it.secrets.send(new PutSecretValueCommand({ SecretId: ARN, SecretString: "two" }));
  expect(await value(ARN!)).toBe("two");
  expect(await value(ARN!, { VersionId })).toBe("one");
  expect(await value(ARN!, { VersionStage: "AWSPREVIOUS" })).toBe("one");
  expect((await it.secrets.send(new DescribeSecretCommand({ SecretId: ARN }))).VersionIdsToStages).toEqual({
    [VersionId!]: ["AWSPREVIOUS"],
    [second!]: ["AWSCURRENT"],
  });
  await it.secrets.send(new UpdateSecretCommand({ SecretId: ARN, SecretString: "three" }));
  expect(await value(ARN!)).toBe("three");
  await expect(value(ARN!, { VersionId: randomUUID() })).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("the same request token and value make one version; another value is refused", async () => {
  const ClientRequestToken = randomUUID();
  const creation = { Name: "vitaline/test/token", SecretString: "one", ClientRequestToken };
  const first = await it.secrets.send(new CreateSecretCommand(creation));
  expect(await it.secrets.send(new CreateSecretCommand(creation))).toMatchObject({ ARN: first.ARN, VersionId: ClientRequestToken });
  await expect(it.secrets.send(new CreateSecretCommand({ ...creation, SecretString: "two" }))).rejects.toMatchObject({
    name: "ResourceExistsException",
  });
  await expect(
    it.secrets.send(new PutSecretValueCommand({ SecretId: first.ARN, SecretString: "two", ClientRequestToken })),
  ).rejects.toMatchObject({ name: "ResourceExistsException" });
});

test("a name is taken once, and a secret that is not there is not found", async () => {
  await create("vitaline/test/taken");
  await expect(create("vitaline/test/taken")).rejects.toMatchObject({ name: "ResourceExistsException" });
  await expect(value("vitaline/test/missing")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("a deleted secret is unreadable and unlisted until restored; a forced deletion is final", async () => {
  const { ARN } = await create("vitaline/test/deleted");
  await it.secrets.send(new DeleteSecretCommand({ SecretId: ARN, RecoveryWindowInDays: 7 }));
  await expect(value(ARN!)).rejects.toMatchObject({ name: "InvalidRequestException" });
  await expect(create("vitaline/test/deleted")).rejects.toMatchObject({ name: "InvalidRequestException" });
  expect((await it.secrets.send(new ListSecretsCommand({}))).SecretList!.map((secret) => secret.ARN)).not.toContain(ARN);
  await it.secrets.send(new RestoreSecretCommand({ SecretId: ARN }));
  expect(await value(ARN!)).toBe("one");
  await it.secrets.send(new DeleteSecretCommand({ SecretId: ARN, ForceDeleteWithoutRecovery: true }));
  await expect(value(ARN!)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("a value above 64 KB is refused", async () => {
  await expect(create("vitaline/test/large", "x".repeat(65_537))).rejects.toMatchObject({ name: "ValidationException" });
});

test("a template's secret is generated once and kept in a file with mode 0600", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "secrets-test-"));
  const definition = {
    arn: `arn:aws:secretsmanager:${region}:${account}:secret:generated-abc123`,
    name: "generated",
    generate: { PasswordLength: 40, ExcludePunctuation: true, SecretStringTemplate: '{"user":"x"}', GenerateStringKey: "password" },
  };
  const first = await startEndpoint({ dataDir });
  await first.aws.secrets.ensureSecret(definition);
  const generated = first.aws.secrets.value(definition.arn);
  expect(JSON.parse(generated)).toEqual({ user: "x", password: expect.stringMatching(/^[A-Za-z0-9]{40}$/) });
  await first.close();
  const second = await startEndpoint({ dataDir });
  await second.aws.secrets.ensureSecret(definition);
  expect(second.aws.secrets.value("generated")).toBe(generated);
  expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
  await second.close();
  rmSync(dataDir, { recursive: true });
});
