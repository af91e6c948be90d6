import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  type KeyObject,
  privateEncrypt,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from "node:crypto";
import { AwsError } from "../http/respond.ts";
import { bytes, type Input, invalidField, optionalText, text, textMap } from "../http/request.ts";
import type { AccessRequest, ConditionContext } from "../types.ts";
import { encryptionContext, keyContext, type KeyRecord, type KeyStore, tagContext, usageOf } from "./key-store.ts";

type Hash = { name: string; digestBytes: number; digestInfo: string };

/** Signing a digest with PKCS#1 v1.5 needs the DER prefix of the hash (RFC 8017, 9.2, note 1). */
const HASHES: Record<string, Hash> = {
  RSASSA_PKCS1_V1_5_SHA_256: { name: "sha256", digestBytes: 32, digestInfo: "3031300d060960864801650304020105000420" },
  RSASSA_PKCS1_V1_5_SHA_384: { name: "sha384", digestBytes: 48, digestInfo: "3041300d060960864801650304020205000430" },
  RSASSA_PKCS1_V1_5_SHA_512: { name: "sha512", digestBytes: 64, digestInfo: "3051300d060960864801650304020305000440" },
};

const SIGNING_ALGORITHMS = Object.keys(HASHES);

function signMessage(key: KeyObject, algorithm: string, message: Buffer, isDigest: boolean): Buffer {
  const hash = hashOf(algorithm);
  if (!isDigest) return sign(hash.name, message, key);
  refuseOtherLength(message, hash);
  const info = Buffer.concat([Buffer.from(hash.digestInfo, "hex"), message]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info);
}

function isSignature(key: KeyObject, algorithm: string, message: Buffer, isDigest: boolean, signature: Buffer): boolean {
  const hash = hashOf(algorithm);
  // PKCS#1 v1.5 is deterministic, so signing again gives the expected signature
  if (isDigest) return signMessage(key, algorithm, message, true).equals(signature);
  return verify(hash.name, message, createPublicKey(key), signature);
}

function hashOf(algorithm: string): Hash {
  const hash = HASHES[algorithm];
  if (hash) return hash;
  throw new AwsError(400, "InvalidKeyUsageException", `Algorithm ${algorithm} is incompatible with this key or not supported here.`);
}

function refuseOtherLength(digest: Buffer, hash: Hash): void {
  if (digest.length !== hash.digestBytes) throw invalidField("Message", `Digest is invalid length for algorithm ${hash.name}`);
}

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with the encryption context as authenticated data. Layout: format, key id length, key id, iv, tag, text. */
function seal(key: KeyRecord, plaintext: Buffer, context: Record<string, string>): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key.material, "base64"), iv).setAAD(authenticated(key.keyId, context));
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const id = Buffer.from(key.keyId);
  return Buffer.concat([Buffer.from([FORMAT, id.length]), id, iv, cipher.getAuthTag(), text]);
}

function sealedBy(blob: Buffer): string | undefined {
  const length = blob[1] ?? 0;
  if (blob[0] !== FORMAT || blob.length < 2 + length + IV_BYTES + TAG_BYTES) return undefined;
  return blob.subarray(2, 2 + length).toString();
}

/** Throws InvalidCiphertextException for a changed blob or context. */
function unseal(key: KeyRecord, blob: Buffer, context: Record<string, string>): Buffer {
  const ivAt = 2 + blob[1]!;
  const tagAt = ivAt + IV_BYTES;
  const textAt = tagAt + TAG_BYTES;
  try {
    const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key.material, "base64"), blob.subarray(ivAt, tagAt));
    decipher.setAAD(authenticated(key.keyId, context)).setAuthTag(blob.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(blob.subarray(textAt)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

function invalidCiphertext(): AwsError {
  return new AwsError(400, "InvalidCiphertextException", "The ciphertext is invalid");
}

function authenticated(keyId: string, context: Record<string, string>): Buffer {
  return Buffer.from(JSON.stringify([keyId, Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))]));
}

const MAX_PLAINTEXT_BYTES = 4096;
const MAX_MESSAGE_BYTES = 4096;
const MAX_CIPHERTEXT_BYTES = 6144;

type KmsCall = { store: KeyStore; input: Input; authorize(access: AccessRequest): void };
type Operation = (call: KmsCall) => object | Promise<object>;

/** KMS JSON 1.1, by the name after `TrentService.` in X-Amz-Target. */
export const KMS_OPERATIONS: Record<string, Operation> = {
  async CreateKey(call) {
    const { store, input } = call;
    const spec = (optionalText(input, "KeySpec") ?? "SYMMETRIC_DEFAULT") as KeyRecord["spec"];
    if (!["SYMMETRIC_DEFAULT", "RSA_2048", "RSA_3072"].includes(spec)) throw invalidField("KeySpec", "is not supported here");
    const usage = optionalText(input, "KeyUsage") ?? "ENCRYPT_DECRYPT";
    if (usage !== usageOf(spec)) throw new AwsError(400, "ValidationException", `KeyUsage ${usage} is not compatible with KeySpec ${spec}`);
    const tags = readTags(input);
    const request = {
      "kms:KeySpec": spec,
      "kms:KeyUsage": usage,
      "kms:KeyOrigin": "AWS_KMS",
      ...requestTags(tags),
    };
    call.authorize({ action: "kms:CreateKey", resource: "*", context: request });
    const keyId = randomUUID();
    if (Object.keys(tags).length > 0) {
      call.authorize({ action: "kms:TagResource", resource: store.arnOf(`key/${keyId}`), context: requestTags(tags) });
    }
    const key = await store.create(spec, { keyId, tags, description: optionalText(input, "Description") ?? "" });
    return { KeyMetadata: metadata(key) };
  },
  DescribeKey: (call) => ({ KeyMetadata: metadata(named(call, "DescribeKey")) }),
  ListKeys(call) {
    call.authorize({ action: "kms:ListKeys", resource: "*" });
    return { Keys: Object.values(call.store.keys).map((key) => ({ KeyId: key.keyId, KeyArn: key.arn })), Truncated: false };
  },
  GetPublicKey(call) {
    const key = usable(named(call, "GetPublicKey"), "SIGN_VERIFY");
    const der = createPublicKey(call.store.privateKey(key)).export({ type: "spki", format: "der" });
    return {
      KeyId: key.arn,
      PublicKey: der.toString("base64"),
      KeySpec: key.spec,
      CustomerMasterKeySpec: key.spec,
      KeyUsage: "SIGN_VERIFY",
      SigningAlgorithms: SIGNING_ALGORITHMS,
    };
  },
  Sign(call) {
    const { key, algorithm, message, isDigest } = signingRequest(call, "Sign");
    const signature = signMessage(call.store.privateKey(key), algorithm, message, isDigest);
    return { KeyId: key.arn, Signature: signature.toString("base64"), SigningAlgorithm: algorithm };
  },
  Verify(call) {
    const { key, algorithm, message, isDigest } = signingRequest(call, "Verify");
    const signature = bytes(call.input, "Signature", 6144);
    if (!isSignature(call.store.privateKey(key), algorithm, message, isDigest, signature)) {
      throw new AwsError(400, "KMSInvalidSignatureException", "");
    }
    return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: algorithm };
  },
  Encrypt(call) {
    const { key, context } = sealingRequest(call, "Encrypt");
    const blob = seal(key, bytes(call.input, "Plaintext", MAX_PLAINTEXT_BYTES), context);
    return { KeyId: key.arn, CiphertextBlob: blob.toString("base64"), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
  },
  Decrypt(call) {
    const blob = bytes(call.input, "CiphertextBlob", MAX_CIPHERTEXT_BYTES);
    const context = textMap(call.input, "EncryptionContext");
    const keyId = sealedBy(blob);
    if (!keyId || !call.store.keys[keyId]) throw invalidCiphertext();
    const asked = optionalText(call.input, "KeyId");
    if (asked && call.store.find(asked).keyId !== keyId) {
      throw new AwsError(
        400,
        "IncorrectKeyException",
        "The key ID in the request does not identify a CMK that can perform this operation.",
      );
    }
    const key = authorized(call, "Decrypt", call.store.keys[keyId]!, encryptionContext(context));
    const plaintext = unseal(usable(key, "ENCRYPT_DECRYPT"), blob, context);
    return { KeyId: key.arn, Plaintext: plaintext.toString("base64"), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
  },
  GenerateDataKey: (call) => dataKey(call, "GenerateDataKey"),
  GenerateDataKeyWithoutPlaintext(call) {
    const { Plaintext: _, ...sealed } = dataKey(call, "GenerateDataKeyWithoutPlaintext");
    return sealed;
  },
  CreateAlias(call) {
    const alias = aliasName(call.input);
    if (call.store.aliases[alias]) {
      throw new AwsError(400, "AlreadyExistsException", `An alias with the name ${call.store.arnOf(alias)} already exists`);
    }
    return pointAlias(call, "CreateAlias", alias);
  },
  UpdateAlias(call) {
    const alias = aliasName(call.input);
    call.store.find(alias);
    return pointAlias(call, "UpdateAlias", alias);
  },
  DeleteAlias(call) {
    const alias = aliasName(call.input);
    const key = call.store.find(alias);
    call.authorize({ action: "kms:DeleteAlias", resource: call.store.arnOf(alias) });
    authorized(call, "DeleteAlias", key);
    delete call.store.aliases[alias];
    return saved(call);
  },
  ListAliases(call) {
    call.authorize({ action: "kms:ListAliases", resource: "*" });
    const asked = optionalText(call.input, "KeyId");
    const only = asked && call.store.find(asked).keyId;
    const aliases = Object.entries(call.store.aliases).filter(([, keyId]) => !only || keyId === only);
    return {
      Aliases: aliases.map(([name, keyId]) => ({ AliasName: name, AliasArn: call.store.arnOf(name), TargetKeyId: keyId })),
      Truncated: false,
    };
  },
  TagResource(call) {
    const tags = readTags(call.input);
    const key = named(call, "TagResource", requestTags(tags));
    Object.assign(key.tags, tags);
    return saved(call);
  },
  UntagResource(call) {
    const names = call.input["TagKeys"];
    if (!Array.isArray(names)) throw invalidField("TagKeys", "must not be null");
    const key = named(call, "UntagResource", { "aws:TagKeys": names as string[] });
    for (const name of names as string[]) delete key.tags[name];
    return saved(call);
  },
  ListResourceTags(call) {
    const key = named(call, "ListResourceTags");
    return { Tags: Object.entries(key.tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })), Truncated: false };
  },
  EnableKey: (call) => setState(call, "EnableKey", "Enabled"),
  DisableKey: (call) => setState(call, "DisableKey", "Disabled"),
  ScheduleKeyDeletion(call) {
    const days = Number(call.input["PendingWindowInDays"] ?? 30);
    if (!(days >= 7 && days <= 30)) throw invalidField("PendingWindowInDays", "must be between 7 and 30");
    const key = named(call, "ScheduleKeyDeletion", { "kms:ScheduleKeyDeletionPendingWindowInDays": String(days) });
    refusePendingDeletion(key);
    key.state = "PendingDeletion";
    key.deletionDate = Math.floor(Date.now() / 1000) + days * 86_400;
    call.store.save();
    return { KeyId: key.arn, DeletionDate: key.deletionDate, KeyState: key.state, PendingWindowInDays: days };
  },
  CancelKeyDeletion(call) {
    const key = named(call, "CancelKeyDeletion");
    if (key.state !== "PendingDeletion") throw invalidState(key, "is not pending deletion");
    key.state = "Disabled";
    delete key.deletionDate;
    call.store.save();
    return { KeyId: key.arn };
  },
};

/** Authorizes the caller before it returns the key. */
function named(call: KmsCall, action: string, context: ConditionContext = {}): KeyRecord {
  return authorized(call, action, call.store.find(text(call.input, "KeyId")), context);
}

function authorized(call: KmsCall, action: string, key: KeyRecord, context: ConditionContext = {}): KeyRecord {
  const alias = optionalText(call.input, "KeyId");
  const byAlias = alias?.includes("alias/") ? { "kms:RequestAlias": alias.slice(alias.indexOf("alias/")) } : {};
  const full = { ...keyContext(call.store, key), ...byAlias, ...context };
  call.authorize({ action: `kms:${action}`, resource: key.arn, context: full });
  return key;
}

function usable(key: KeyRecord, usage: string): KeyRecord {
  refusePendingDeletion(key);
  if (key.state === "Disabled") throw new AwsError(400, "DisabledException", `${key.arn} is disabled.`);
  if (usageOf(key.spec) !== usage) {
    throw new AwsError(
      400,
      "InvalidKeyUsageException",
      `${key.arn} key usage is ${usageOf(key.spec)} which is not valid for this operation.`,
    );
  }
  return key;
}

function refusePendingDeletion(key: KeyRecord): void {
  if (key.state === "PendingDeletion") throw invalidState(key, "is pending deletion.");
}

function invalidState(key: KeyRecord, why: string): AwsError {
  return new AwsError(400, "KMSInvalidStateException", `${key.arn} ${why}`);
}

function signingRequest(call: KmsCall, action: string) {
  const algorithm = text(call.input, "SigningAlgorithm");
  const type = optionalText(call.input, "MessageType") ?? "RAW";
  if (type !== "RAW" && type !== "DIGEST") throw invalidField("MessageType", "must satisfy enum value set: [RAW, DIGEST]");
  const message = bytes(call.input, "Message", MAX_MESSAGE_BYTES);
  const key = usable(named(call, action, { "kms:SigningAlgorithm": algorithm, "kms:MessageType": type }), "SIGN_VERIFY");
  return { key, algorithm, message, isDigest: type === "DIGEST" };
}

function sealingRequest(call: KmsCall, action: string) {
  const context = textMap(call.input, "EncryptionContext");
  const key = usable(named(call, action, encryptionContext(context)), "ENCRYPT_DECRYPT");
  return { key, context };
}

function dataKey(call: KmsCall, action: string) {
  const spec = optionalText(call.input, "KeySpec");
  const size = spec === "AES_128" ? 16 : spec === "AES_256" ? 32 : Number(call.input["NumberOfBytes"]);
  if (!(size >= 1 && size <= 1024)) throw invalidField("NumberOfBytes", "must be between 1 and 1024");
  const { key, context } = sealingRequest(call, action);
  const plaintext = randomBytes(size);
  const blob = seal(key, plaintext, context);
  return { KeyId: key.arn, Plaintext: plaintext.toString("base64"), CiphertextBlob: blob.toString("base64") };
}

function aliasName(input: Input): string {
  const alias = text(input, "AliasName");
  if (!/^alias\/[\w/-]+$/.test(alias)) throw new AwsError(400, "InvalidAliasNameException", `Invalid alias ${alias}`);
  return alias;
}

function pointAlias(call: KmsCall, action: string, alias: string): object {
  const key = call.store.find(text(call.input, "TargetKeyId"));
  call.authorize({ action: `kms:${action}`, resource: call.store.arnOf(alias) });
  authorized(call, action, key);
  call.store.aliases[alias] = key.keyId;
  return saved(call);
}

function setState(call: KmsCall, action: string, state: "Enabled" | "Disabled"): object {
  const key = named(call, action);
  refusePendingDeletion(key);
  key.state = state;
  return saved(call);
}

function saved(call: KmsCall): object {
  call.store.save();
  return {};
}

function readTags(input: Input): Record<string, string> {
  const tags = (input["Tags"] ?? []) as { TagKey: string; TagValue: string }[];
  return Object.fromEntries(tags.map((tag) => [tag.TagKey, tag.TagValue]));
}

function requestTags(tags: Record<string, string>): ConditionContext {
  const names = Object.keys(tags);
  return { ...tagContext("aws:RequestTag", tags), ...(names.length > 0 && { "aws:TagKeys": names }) };
}

function metadata(key: KeyRecord): object {
  const usage = usageOf(key.spec);
  return {
    KeyId: key.keyId,
    Arn: key.arn,
    AWSAccountId: key.arn.split(":")[4],
    CreationDate: key.createdAt,
    Enabled: key.state === "Enabled",
    Description: key.description,
    KeySpec: key.spec,
    CustomerMasterKeySpec: key.spec,
    KeyUsage: usage,
    KeyState: key.state,
    KeyManager: "CUSTOMER",
    Origin: "AWS_KMS",
    MultiRegion: false,
    DeletionDate: key.deletionDate,
    ...(usage === "SIGN_VERIFY" ? { SigningAlgorithms: SIGNING_ALGORITHMS } : { EncryptionAlgorithms: ["SYMMETRIC_DEFAULT"] }),
  };
}
