import { createPublicKey, verify } from "node:crypto";
import { DescribeKeyCommand, KMSClient, ListResourceTagsCommand } from "@aws-sdk/client-kms";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { createSigningKey, publicKey, sign } from "./kms.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const jwk = async (arn: string) => createPublicKey({ key: { kty: "RSA", ...(await publicKey(arn)) }, format: "jwk" });

test("the public key verifies RS256 and RS384 signatures of texts of any length", async () => {
  const key = await jwk(it.sessionKeyArn);
  for (const input of ["", "header.payload", "x".repeat(100_000)]) {
    expect(verify("sha256", Buffer.from(input), key, await sign(it.sessionKeyArn, "RS256", input))).toBe(true);
    expect(verify("sha384", Buffer.from(input), key, await sign(it.sessionKeyArn, "RS384", input))).toBe(true);
  }
});

test("a new signing key is RSA-3072, for signing only, with the tag that the roles require", async () => {
  const KeyId = await createSigningKey("platform-signing");
  const client = new KMSClient({});
  expect((await client.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata).toMatchObject({
    KeySpec: "RSA_3072",
    KeyUsage: "SIGN_VERIFY",
    Arn: KeyId,
  });
  expect((await client.send(new ListResourceTagsCommand({ KeyId }))).Tags).toEqual([
    { TagKey: "vitaline:use", TagValue: "platform-signing" },
    { TagKey: "vitaline:stage", TagValue: "test" },
  ]);
  client.destroy();
  expect((await jwk(KeyId)).asymmetricKeyDetails).toMatchObject({ modulusLength: 3072, publicExponent: 65_537n });
  expect(verify("sha384", Buffer.from("x"), await jwk(KeyId), await sign(KeyId, "RS384", "x"))).toBe(true);
});

test("a missing key is our own mistake; a failing KMS is unavailable", async () => {
  await expect(sign(`${it.sessionKeyArn}x`, "RS256", "x")).rejects.toMatchObject({ name: "NotFoundException" });
  it.fault(() => ({ status: 500, code: "KMSInternalException", message: "later" }));
  await expect(sign(it.sessionKeyArn, "RS256", "x")).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
  it.fault();
});
