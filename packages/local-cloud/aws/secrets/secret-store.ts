import { AwsError } from "../http/respond.ts";
import { openJsonFile } from "../json-file.ts";

export type Version = { id: string; value: string; binary: boolean; createdAt: number; stages: string[] };
export type SecretRecord = {
  arn: string;
  name: string;
  kmsKeyArn?: string;
  description: string;
  tags: Record<string, string>;
  versions: Version[];
  createdAt: number;
  changedAt: number;
  deletedAt?: number;
};

export function openSecretStore(path: string | undefined) {
  const { value: secrets, save } = openJsonFile<Record<string, SecretRecord>>(path, {});
  return {
    secrets,
    save,
    /** By name, ARN, or ARN without its six-character suffix. */
    lookup(id: string): SecretRecord | undefined {
      return Object.values(secrets).find((secret) => id === secret.name || id === secret.arn || id === secret.arn.slice(0, -7));
    },
  };
}

export type SecretStore = ReturnType<typeof openSecretStore>;

const MAX_UNSTAGED = 20;

/** Adds a version as AWSCURRENT and makes the former one AWSPREVIOUS. The same id with the same value changes nothing. */
export function addVersion(secret: SecretRecord, version: { id: string; value: string; binary: boolean }, stages?: string[]): Version {
  const known = secret.versions.find(({ id }) => id === version.id);
  if (known && known.value !== version.value) {
    throw new AwsError(
      400,
      "ResourceExistsException",
      `You can't use ClientRequestToken ${version.id} because that value is already in use for a version of secret ${secret.arn}.`,
    );
  }
  if (known) return known;
  const added: Version = { ...version, createdAt: now(), stages: [] };
  secret.versions.push(added);
  for (const stage of stages ?? ["AWSCURRENT"]) moveStage(secret, stage, added);
  secret.changedAt = now();
  removeUnstaged(secret);
  return added;
}

function moveStage(secret: SecretRecord, stage: string, to: Version): void {
  const from = secret.versions.find(({ stages }) => stages.includes(stage));
  if (from === to) return;
  if (from) from.stages = from.stages.filter((name) => name !== stage);
  to.stages.push(stage);
  if (stage === "AWSCURRENT" && from) moveStage(secret, "AWSPREVIOUS", from);
}

function removeUnstaged(secret: SecretRecord): void {
  const unstaged = secret.versions.filter(({ stages }) => stages.length === 0);
  const dropped = new Set(unstaged.slice(0, Math.max(0, unstaged.length - MAX_UNSTAGED)));
  secret.versions = secret.versions.filter((version) => !dropped.has(version));
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}
