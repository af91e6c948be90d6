import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { CloudFormationClient, DeleteStackCommand, DescribeStacksCommand, UpdateStackCommand } from "@aws-sdk/client-cloudformation";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCloud, type Cloud } from "../cloud.ts";
import { synthesizeFixture } from "../fixtures/app.ts";
import { openLogs, type Logs } from "../lambda/logs.ts";

let folder: string;
let assembly: string;
let logs: Logs;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "local-stacks-"));
  assembly = await synthesizeFixture(folder);
  logs = openLogs(path.join(folder, "logs"));
}, 120_000);
afterAll(async () => {
  await logs?.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (): Promise<Cloud> => startCloud({ assembly, port: 0, awsPort: 0, logs, dataDir: path.join(folder, "data") });
const clientsOf = ({ aws, region, operator }: Cloud) => {
  const config = { endpoint: aws.url, region, credentials: operator };
  return { stacks: new CloudFormationClient(config), secrets: new SecretsManagerClient(config) };
};
const sentBy = async ({ origin }: Cloud): Promise<string | undefined> =>
  ((await (await fetch(`${origin}/api/unknown`)).json()) as { headers: Record<string, string> }).headers["x-edge"];
const updateTo = (version: string, StackName = "fixture-web"): UpdateStackCommand =>
  new UpdateStackCommand({
    StackName,
    UsePreviousTemplate: true,
    Parameters: [
      { ParameterKey: "EdgeVersion", ParameterValue: version },
      { ParameterKey: "BootstrapVersion", UsePreviousValue: true },
    ],
  });

test("a distribution sends the version of the secret that its stack's parameter names, also after a restart", async () => {
  const cloud = await start();
  const { stacks, secrets } = clientsOf(cloud);
  const { Stacks: [stack] = [] } = await stacks.send(new DescribeStacksCommand({ StackName: "fixture-web" }));
  const SecretId = stack?.Outputs?.find(({ OutputKey }) => OutputKey === "SecretArn")?.OutputValue ?? "";
  const first = await sentBy(cloud);
  expect([stack?.StackStatus, first]).toEqual(["UPDATE_COMPLETE", cloud.aws.secrets.value(SecretId)]);

  const { VersionId = "" } = await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: "second" }));
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: "third" }));
  expect(await sentBy(cloud)).toBe(first);
  await stacks.send(updateTo(VersionId));
  expect(await sentBy(cloud)).toBe("second");
  const { Stacks: [updated] = [] } = await stacks.send(new DescribeStacksCommand({ StackName: "fixture-web" }));
  expect(updated?.Parameters).toContainEqual({ ParameterKey: "EdgeVersion", ParameterValue: VersionId });
  await expect(stacks.send(updateTo(VersionId))).rejects.toMatchObject({ message: "No updates are to be performed." });
  await cloud.close();

  const again = await start();
  expect(await sentBy(again)).toBe("second");
  await again.close();
});

test("what runs here from its start is refused as an update, and so are unknown stacks and other operations", async () => {
  const cloud = await start();
  const { stacks } = clientsOf(cloud);
  await expect(stacks.send(updateTo("x", "another"))).rejects.toMatchObject({ name: "ValidationError" });
  await expect(stacks.send(new DeleteStackCommand({ StackName: "fixture-web" }))).rejects.toMatchObject({ name: "InvalidAction" });
  const withTemplate = new UpdateStackCommand({ StackName: "fixture-web", TemplateBody: "{}" });
  await expect(stacks.send(withTemplate)).rejects.toMatchObject({ name: "ValidationError" });
  const unknownVersion = updateTo("no-such-version");
  const before = await sentBy(cloud);
  await expect(stacks.send(unknownVersion)).rejects.toThrow();
  expect(await sentBy(cloud)).toBe(before);
  await cloud.close();
});
