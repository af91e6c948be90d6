import { createHash, createPublicKey, randomUUID, verify } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CancelKeyDeletionCommand,
  CreateAliasCommand,
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GetPublicKeyCommand,
  ListResourceTagsCommand,
  ScheduleKeyDeletionCommand,
  SignCommand,
  VerifyCommand,
  type KeySpec,
} from "@aws-sdk/client-kms";
import { account, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";

let it: Endpoint;
const vault = keyOf("SYMMETRIC_DEFAULT");
const signer = keyOf("RSA_2048");
beforeAll(async () => {
  it = await startEndpoint();
  await it.aws.kms.ensureKey({ ...vault, aliases: ["alias/vault"] });
  await it.aws.kms.ensureKey(signer);
});
afterAll(() => it.close());

function keyOf(spec: "SYMMETRIC_DEFAULT" | "RSA_2048") {
  const keyId = randomUUID();
  return { keyId, spec, arn: `arn:aws:kms:${region}:${account}:key/${keyId}`, tags: { "vitaline:use": "test" } };
}

const EncryptionContext = { purpose: "phi", tenantId: "a" };
const dataKey = () => it.kms.send(new GenerateDataKeyCommand({ KeyId: vault.arn, KeySpec: "AES_256", EncryptionContext }));

test.each([
  ["RSA_2048", "RSASSA_PKCS1_V1_5_SHA_256", "sha256"],
  ["RSA_3072", "RSASSA_PKCS1_V1_5_SHA_384", "sha384"],
] as const)("a %s key signs %s, of a message or of its digest, as the public key proves", async (KeySpec, SigningAlgorithm, hash) => {
  const { KeyMetadata } = await it.kms.send(
    new CreateKeyCommand({ KeySpec, KeyUsage: "SIGN_VERIFY", Tags: [{ TagKey: "vitaline:use", TagValue: "platform-signing" }] }),
  );
  const KeyId = KeyMetadata!.Arn!;
  const message = Buffer.from("header.payload");
  const digest = createHash(hash).update(message).digest();
  const { PublicKey, KeySpec: spec } = await it.kms.send(new GetPublicKeyCommand({ KeyId }));
  const publicKey = createPublicKey({ key: Buffer.from(PublicKey!), format: "der", type: "spki" });
  const raw = await it.kms.send(new SignCommand({ KeyId, SigningAlgorithm, Message: message }));
  const digested = await it.kms.send(new SignCommand({ KeyId, SigningAlgorithm, Message: digest, MessageType: "DIGEST" }));
  expect(spec).toBe(KeySpec);
  for (const { Signature } of [raw, digested]) expect(verify(hash, message, publicKey, Signature!)).toBe(true);
  expect(verify(hash, Buffer.from("other"), publicKey, raw.Signature!)).toBe(false);
  expect(await it.kms.send(new VerifyCommand({ KeyId, SigningAlgorithm, Message: message, Signature: raw.Signature! }))).toMatchObject({
    SignatureValid: true,
  });
  const wrong = new VerifyCommand({ KeyId, SigningAlgorithm, Message: Buffer.from("other"), Signature: raw.Signature! });
  await expect(it.kms.send(wrong)).rejects.toMatchObject({ name: "KMSInvalidSignatureException" });
});

test("a data key decrypts with the same encryption context only", async () => {
  const { Plaintext, CiphertextBlob } = await dataKey();
  const open = (context?: Record<string, string>, CiphertextBlobGiven = CiphertextBlob) =>
    it.kms.send(new DecryptCommand({ CiphertextBlob: CiphertextBlobGiven, EncryptionContext: context }));
  expect((await open({ tenantId: "a", purpose: "phi" })).Plaintext).toEqual(Plaintext);
  expect(Plaintext).toHaveLength(32);
  const others: (Record<string, string> | undefined)[] = [
    undefined,
    {},
    { purpose: "phi" },
    { ...EncryptionContext, tenantId: "b" },
    { ...EncryptionContext, more: "x" },
  ];
  for (const context of others) {
    await expect(open(context)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
  }
  const broken = Uint8Array.from(CiphertextBlob!);
  broken[broken.length - 1]! ^= 1;
  await expect(open(EncryptionContext, broken)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

test("each data key is different", async () => {
  const [one, two] = [await dataKey(), await dataKey()];
  expect(one.Plaintext).not.toEqual(two.Plaintext);
});

test("a key does not decrypt another key's ciphertext", async () => {
  const { KeyMetadata } = await it.kms.send(new CreateKeyCommand({}));
  const { CiphertextBlob } = await it.kms.send(new EncryptCommand({ KeyId: vault.arn, Plaintext: Buffer.from("text") }));
  await expect(it.kms.send(new DecryptCommand({ KeyId: KeyMetadata!.KeyId, CiphertextBlob }))).rejects.toMatchObject({
    name: "IncorrectKeyException",
  });
});

test("a key is found by id, ARN, alias and alias ARN", async () => {
  await it.kms.send(new CreateAliasCommand({ AliasName: "alias/signer", TargetKeyId: signer.keyId }));
  for (const KeyId of [vault.keyId, vault.arn, "alias/vault", `arn:aws:kms:${region}:${account}:alias/vault`]) {
    expect((await it.kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata!.Arn).toBe(vault.arn);
  }
  await expect(it.kms.send(new DescribeKeyCommand({ KeyId: "alias/missing" }))).rejects.toMatchObject({ name: "NotFoundException" });
  await expect(it.kms.send(new DescribeKeyCommand({ KeyId: randomUUID() }))).rejects.toMatchObject({ name: "NotFoundException" });
});

test("a key is usable for its declared usage only", async () => {
  const sign = new SignCommand({ KeyId: vault.arn, SigningAlgorithm: "RSASSA_PKCS1_V1_5_SHA_256", Message: Buffer.from("x") });
  await expect(it.kms.send(sign)).rejects.toMatchObject({ name: "InvalidKeyUsageException" });
  await expect(it.kms.send(new EncryptCommand({ KeyId: signer.arn, Plaintext: Buffer.from("x") }))).rejects.toMatchObject({
    name: "InvalidKeyUsageException",
  });
  await expect(it.kms.send(new CreateKeyCommand({ KeySpec: "ECC_NIST_P256" as KeySpec, KeyUsage: "SIGN_VERIFY" }))).rejects.toMatchObject({
    name: "ValidationException",
  });
  const digest = new SignCommand({
    KeyId: signer.arn,
    SigningAlgorithm: "RSASSA_PKCS1_V1_5_SHA_256",
    MessageType: "DIGEST",
    Message: Buffer.from("short"),
  });
  await expect(it.kms.send(digest)).rejects.toMatchObject({ name: "ValidationException" });
  await expect(it.kms.send(new EncryptCommand({ KeyId: vault.arn, Plaintext: Buffer.alloc(4097) }))).rejects.toMatchObject({
    name: "ValidationException",
  });
});

test("a disabled or to be deleted key refuses every use until it is enabled again", async () => {
  const { KeyMetadata } = await it.kms.send(new CreateKeyCommand({}));
  const KeyId = KeyMetadata!.KeyId!;
  const use = () => it.kms.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from("x") }));
  await it.kms.send(new DisableKeyCommand({ KeyId }));
  await expect(use()).rejects.toMatchObject({ name: "DisabledException" });
  await it.kms.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
  await expect(use()).rejects.toMatchObject({ name: "KMSInvalidStateException" });
  await it.kms.send(new CancelKeyDeletionCommand({ KeyId }));
  await it.kms.send(new EnableKeyCommand({ KeyId }));
  expect((await use()).CiphertextBlob).toBeDefined();
});

test("a new key carries its tags", async () => {
  const { KeyMetadata } = await it.kms.send(new CreateKeyCommand({ Tags: [{ TagKey: "vitaline:use", TagValue: "x" }] }));
  expect(await it.kms.send(new ListResourceTagsCommand({ KeyId: KeyMetadata!.KeyId }))).toMatchObject({
    Tags: [{ TagKey: "vitaline:use", TagValue: "x" }],
  });
});

test("keys survive a restart in a file that its owner alone may read", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kms-test-"));
  const first = await startEndpoint({ dataDir });
  await first.aws.kms.ensureKey(signer);
  const { CiphertextBlob } = await first.aws.kms
    .ensureKey(vault)
    .then(() => first.kms.send(new EncryptCommand({ KeyId: vault.arn, Plaintext: Buffer.from("kept") })));
  const pem = first.aws.kms.publicKeyPem(signer.keyId);
  await first.close();
  const second = await startEndpoint({ dataDir });
  await second.aws.kms.ensureKey(signer);
  const { Plaintext } = await second.kms.send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(Plaintext!).toString()).toBe("kept");
  expect(second.aws.kms.publicKeyPem(signer.keyId)).toBe(pem);
  expect(statSync(join(dataDir, "keys.json")).mode & 0o777).toBe(0o600);
  await second.close();
  rmSync(dataDir, { recursive: true });
});
