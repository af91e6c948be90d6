import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { AwsError } from "../http/respond.ts";
import { type Input, invalidField, optionalText, text } from "../http/request.ts";
import type { AccessRequest, ConditionContext, SecretDefinition } from "../types.ts";
import { addVersion, now, type SecretRecord, type SecretStore, type Version } from "./secret-store.ts";

const CLASSES = {
  ExcludeLowercase: "abcdefghijklmnopqrstuvwxyz",
  ExcludeUppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  ExcludeNumbers: "0123456789",
  ExcludePunctuation: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
} as const;

export function generateSecret(options: NonNullable<SecretDefinition["generate"]>): string {
  const password = generatePassword(options);
  if (!options.SecretStringTemplate || !options.GenerateStringKey) return password;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: password });
}

function generatePassword(options: NonNullable<SecretDefinition["generate"]>): string {
  const excluded = new Set(options.ExcludeCharacters ?? "");
  const names = Object.keys(CLASSES) as (keyof typeof CLASSES)[];
  const letters = names
    .filter((name) => !options[name])
    .map((name) => CLASSES[name])
    .join("");
  const alphabet = [...letters, ...(options.IncludeSpace ? " " : "")].filter((letter) => !excluded.has(letter));
  if (alphabet.length === 0) throw new Error("GenerateSecretString excludes every character");
  return Array.from({ length: options.PasswordLength ?? 32 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

const MAX_SECRET_BYTES = 65_536;

type SecretsCall = {
  store: SecretStore;
  input: Input;
  arnOf(nameAndSuffix: string): string;
  authorize(access: AccessRequest): void;
  authorizeKey(secret: { arn: string; kmsKeyArn?: string }, action: "Decrypt" | "GenerateDataKey"): void;
};
type Operation = (call: SecretsCall) => object;

/** Secrets Manager JSON 1.1, by the name after `secretsmanager.` in X-Amz-Target. */
export const SECRETS_OPERATIONS: Record<string, Operation> = {
  CreateSecret(call) {
    const { input, store } = call;
    const name = text(input, "Name");
    const tags = readTags(input);
    const context = { "secretsmanager:Name": name, ...tagContext("aws:RequestTag", tags), ...tagKeys(tags) };
    call.authorize({ action: "secretsmanager:CreateSecret", resource: call.arnOf(`${name}-??????`), context });
    if (Object.keys(tags).length > 0) {
      call.authorize({ action: "secretsmanager:TagResource", resource: call.arnOf(`${name}-??????`), context });
    }
    const existing = store.lookup(name);
    const id = optionalText(input, "ClientRequestToken") ?? randomUUID();
    if (existing) return repeatedCreation(existing, id, readValue(input));
    const secret: SecretRecord = {
      arn: call.arnOf(`${name}-${suffix()}`),
      name,
      kmsKeyArn: optionalText(input, "KmsKeyId"),
      description: optionalText(input, "Description") ?? "",
      tags,
      versions: [],
      createdAt: now(),
      changedAt: now(),
    };
    const value = readValue(input);
    if (value) {
      useKeyForWriting(call, secret);
      addVersion(secret, { id, ...value });
    }
    store.secrets[secret.arn] = secret;
    store.save();
    return { ARN: secret.arn, Name: name, VersionId: value ? id : undefined };
  },
  GetSecretValue(call) {
    const secret = named(call, "GetSecretValue", {
      "secretsmanager:VersionId": optionalText(call.input, "VersionId"),
      "secretsmanager:VersionStage": optionalText(call.input, "VersionStage"),
    });
    call.authorizeKey(secret, "Decrypt");
    const version = pick(secret, optionalText(call.input, "VersionId"), optionalText(call.input, "VersionStage"));
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.id,
      VersionStages: version.stages,
      CreatedDate: version.createdAt,
      ...(version.binary ? { SecretBinary: version.value } : { SecretString: version.value }),
    };
  },
  PutSecretValue(call) {
    const secret = named(call, "PutSecretValue");
    const value = readValue(call.input);
    if (!value) throw new AwsError(400, "InvalidRequestException", "You must provide either SecretString or SecretBinary.");
    useKeyForWriting(call, secret);
    const id = optionalText(call.input, "ClientRequestToken") ?? randomUUID();
    const version = addVersion(secret, { id, ...value }, call.input["VersionStages"] as string[] | undefined);
    call.store.save();
    return { ARN: secret.arn, Name: secret.name, VersionId: version.id, VersionStages: version.stages };
  },
  UpdateSecret(call) {
    const secret = named(call, "UpdateSecret");
    const value = readValue(call.input);
    secret.description = optionalText(call.input, "Description") ?? secret.description;
    secret.kmsKeyArn = optionalText(call.input, "KmsKeyId") ?? secret.kmsKeyArn;
    let version: Version | undefined;
    if (value) {
      useKeyForWriting(call, secret);
      version = addVersion(secret, { id: optionalText(call.input, "ClientRequestToken") ?? randomUUID(), ...value });
    }
    call.store.save();
    return { ARN: secret.arn, Name: secret.name, VersionId: version?.id };
  },
  DescribeSecret: (call) => describe(named(call, "DescribeSecret", {}, true)),
  ListSecrets(call) {
    call.authorize({ action: "secretsmanager:ListSecrets", resource: "*" });
    const living = Object.values(call.store.secrets).filter((secret) => !secret.deletedAt);
    return { SecretList: living.map(describe) };
  },
  DeleteSecret(call) {
    const secret = named(call, "DeleteSecret");
    secret.deletedAt = now();
    if (call.input["ForceDeleteWithoutRecovery"] === true) delete call.store.secrets[secret.arn];
    call.store.save();
    const days = Number(call.input["RecoveryWindowInDays"] ?? 30);
    return { ARN: secret.arn, Name: secret.name, DeletionDate: secret.deletedAt + days * 86_400 };
  },
  RestoreSecret(call) {
    const secret = named(call, "RestoreSecret", {}, true);
    delete secret.deletedAt;
    call.store.save();
    return { ARN: secret.arn, Name: secret.name };
  },
};

/** Authorizes the caller before it returns the secret. */
function named(call: SecretsCall, action: string, context: ConditionContext = {}, evenDeleted = false): SecretRecord {
  const id = text(call.input, "SecretId");
  const secret = call.store.lookup(id);
  const resource = secret?.arn ?? (id.startsWith("arn:") ? id : call.arnOf(`${id}-??????`));
  const tags = tagContext("aws:ResourceTag", secret?.tags ?? {});
  const given = { "secretsmanager:SecretId": secret?.arn, ...tags, ...context };
  call.authorize({ action: `secretsmanager:${action}`, resource, context: given });
  if (!secret) throw new AwsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
  if (secret.deletedAt && !evenDeleted) {
    throw new AwsError(
      400,
      "InvalidRequestException",
      "You can't perform this operation on the secret because it was marked for deletion.",
    );
  }
  return secret;
}

function pick(secret: SecretRecord, id: string | undefined, stage: string | undefined): Version {
  const wanted = stage ?? (id ? undefined : "AWSCURRENT");
  const version = secret.versions.find((each) => (!id || each.id === id) && (!wanted || each.stages.includes(wanted)));
  if (version) return version;
  const what = id ? `VersionId: ${id}` : `staging label: ${wanted}`;
  throw new AwsError(400, "ResourceNotFoundException", `Secrets Manager can't find the specified secret value for ${what}`);
}

/** AWS encrypts each new version with a new data key and decrypts the current version to compare. */
function useKeyForWriting(call: SecretsCall, secret: SecretRecord): void {
  call.authorizeKey(secret, "GenerateDataKey");
  call.authorizeKey(secret, "Decrypt");
}

function repeatedCreation(secret: SecretRecord, id: string, value: { value: string } | undefined): object {
  const same = secret.versions.find((version) => version.id === id && version.value === value?.value);
  if (same && !secret.deletedAt) return { ARN: secret.arn, Name: secret.name, VersionId: id };
  if (secret.deletedAt) {
    throw new AwsError(
      400,
      "InvalidRequestException",
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  }
  throw new AwsError(400, "ResourceExistsException", `The operation failed because the secret ${secret.name} already exists.`);
}

function readValue(input: Input): { value: string; binary: boolean } | undefined {
  const string = input["SecretString"];
  const binary = input["SecretBinary"];
  const value = typeof string === "string" ? string : typeof binary === "string" ? binary : undefined;
  if (value === undefined) return undefined;
  if (Buffer.byteLength(value) > MAX_SECRET_BYTES)
    throw invalidField("SecretString", `must have length less than or equal to ${MAX_SECRET_BYTES}`);
  return { value, binary: typeof string !== "string" };
}

function describe(secret: SecretRecord): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyArn,
    CreatedDate: secret.createdAt,
    LastChangedDate: secret.changedAt,
    DeletedDate: secret.deletedAt,
    Tags: Object.entries(secret.tags).map(([Key, Value]) => ({ Key, Value })),
    VersionIdsToStages: Object.fromEntries(secret.versions.map((version) => [version.id, version.stages])),
  };
}

function readTags(input: Input): Record<string, string> {
  const tags = (input["Tags"] ?? []) as { Key: string; Value: string }[];
  return Object.fromEntries(tags.map((tag) => [tag.Key, tag.Value]));
}

function tagContext(prefix: string, tags: Record<string, string>): ConditionContext {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`${prefix}/${name}`, value]));
}

function tagKeys(tags: Record<string, string>): ConditionContext {
  const names = Object.keys(tags);
  return names.length > 0 ? { "aws:TagKeys": names } : {};
}

/** AWS appends six characters, so that a re-created secret has a different ARN. */
function suffix(): string {
  return randomBytes(6).toString("base64url").replace(/[-_]/g, "x").slice(0, 6);
}
