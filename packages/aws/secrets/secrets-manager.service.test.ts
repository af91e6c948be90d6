import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { readFhirSecret, storeFhirSecret } from "./secrets-manager.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

test("a client secret is stored under the stage's FHIR prefix, with the returned version", async () => {
  const name = `${newId()}/client-secret`;
  const pinned = await storeFhirSecret(name, "s3cret");
  expect(pinned.arn).toContain(`:secret:vitaline/test/fhir/${name}-`);
  const client = new SecretsManagerClient({});
  const found = await client.send(new GetSecretValueCommand({ SecretId: pinned.arn, VersionId: pinned.versionId }));
  client.destroy();
  expect(found.SecretString).toBe("s3cret");
});

test("a secret of a connection that a tenant owns is stored under the tenant's prefix", async () => {
  const [tenantId] = it.tenants;
  const pinned = await storeFhirSecret("p1/client-secret", "s3cret", tenantId);
  expect(pinned.arn).toContain(`:secret:vitaline/test/tenants/${tenantId}/fhir/p1/client-secret-`);
  expect(await readFhirSecret(pinned, tenantId)).toBe("s3cret");
});

test("a new value is a new version, and a pinned earlier version stays readable", async () => {
  const name = `${newId()}/client-secret`;
  const first = await storeFhirSecret(name, "first");
  const second = await storeFhirSecret(name, "second");
  expect(second.arn).toBe(first.arn);
  expect(await Promise.all([first, second].map((pinned) => readFhirSecret(pinned, undefined)))).toEqual(["first", "second"]);
});

test("a failing Secrets Manager is unavailable", async () => {
  it.fault(() => ({ status: 500, code: "InternalServiceError", message: "later" }));
  await expect(storeFhirSecret(newId(), "x")).rejects.toMatchObject({ code: "unavailable" });
  it.fault();
});
