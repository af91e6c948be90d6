import { createPrivateKey, generateKeyPair, randomBytes, randomUUID, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { AwsError } from "../http/respond.ts";
import { openJsonFile } from "../json-file.ts";
import type { ConditionContext, KeyDefinition } from "../types.ts";

export type KeyRecord = {
  keyId: string;
  arn: string;
  spec: KeyDefinition["spec"];
  state: "Enabled" | "Disabled" | "PendingDeletion";
  material: string;
  tags: Record<string, string>;
  description: string;
  createdAt: number;
  deletionDate?: number;
};

type State = { keys: Record<string, KeyRecord>; aliases: Record<string, string> };

const RSA_BITS = { RSA_2048: 2048, RSA_3072: 3072 } as const;

export function openKeyStore(path: string | undefined, place: { region: string; account: string }) {
  const file = openJsonFile<State>(path, { keys: {}, aliases: {} });
  const privateKeys = new Map<string, KeyObject>();
  const arnOf = (resource: string) => `arn:aws:kms:${place.region}:${place.account}:${resource}`;
  return {
    ...file.value,
    save: file.save,
    arnOf,
    async create(spec: KeyRecord["spec"], extra: Partial<KeyRecord> = {}): Promise<KeyRecord> {
      const keyId = extra.keyId ?? randomUUID();
      const key: KeyRecord = {
        keyId,
        arn: arnOf(`key/${keyId}`),
        spec,
        state: "Enabled",
        material: await newMaterial(spec),
        tags: {},
        description: "",
        createdAt: Math.floor(Date.now() / 1000),
        ...extra,
      };
      file.value.keys[keyId] = key;
      file.save();
      return key;
    },
    /** By key id, key ARN, `alias/name` or alias ARN; throws NotFoundException. */
    find(reference: string): KeyRecord {
      const name = reference.startsWith("arn:") ? reference.split(":").slice(5).join(":") : reference;
      const keyId = name.startsWith("alias/") ? file.value.aliases[name] : name.replace(/^key\//, "");
      const key = keyId === undefined ? undefined : file.value.keys[keyId];
      if (key) return key;
      const what = name.startsWith("alias/")
        ? `Alias ${arnOf(name)} is not found.`
        : `Key '${arnOf(`key/${name.replace(/^key\//, "")}`)}' does not exist`;
      throw new AwsError(400, "NotFoundException", what);
    },
    privateKey(key: KeyRecord): KeyObject {
      let parsed = privateKeys.get(key.keyId);
      if (!parsed) privateKeys.set(key.keyId, (parsed = createPrivateKey(key.material)));
      return parsed;
    },
    aliasesOf: (keyId: string) => Object.keys(file.value.aliases).filter((alias) => file.value.aliases[alias] === keyId),
  };
}

export type KeyStore = ReturnType<typeof openKeyStore>;

async function newMaterial(spec: KeyRecord["spec"]): Promise<string> {
  if (spec === "SYMMETRIC_DEFAULT") return randomBytes(32).toString("base64");
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: RSA_BITS[spec],
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return privateKey;
}

export function usageOf(spec: KeyRecord["spec"]) {
  return spec === "SYMMETRIC_DEFAULT" ? "ENCRYPT_DECRYPT" : "SIGN_VERIFY";
}

export function keyContext(store: KeyStore, key: KeyRecord): ConditionContext {
  const aliases = store.aliasesOf(key.keyId);
  return {
    ...tagContext("aws:ResourceTag", key.tags),
    "kms:KeySpec": key.spec,
    "kms:KeyUsage": usageOf(key.spec),
    "kms:KeyOrigin": "AWS_KMS",
    ...(aliases.length > 0 && { "kms:ResourceAliases": aliases }),
  };
}

export function tagContext(prefix: string, tags: Record<string, string>): ConditionContext {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`${prefix}/${name}`, value]));
}

export function encryptionContext(context: Record<string, string>): ConditionContext {
  const entries = Object.entries(context);
  if (entries.length === 0) return {};
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [`kms:EncryptionContext:${name}`, value])),
    "kms:EncryptionContextKeys": Object.keys(context),
  };
}
