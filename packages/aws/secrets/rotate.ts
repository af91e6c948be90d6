import { randomBytes } from "node:crypto";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import type { AppSecret } from "@vitaline/core";
import { formerMs, SecretRing } from "./secret-ring.ts";
import { secrets } from "./secrets-manager.ts";

export type Rotation = {
  name: AppSecret;
  arn: string;
  now: () => Date;
  /** Until every function has read the secret again and has ended what it began before. */
  waitForFunctions: () => Promise<void>;
  /** Instead of a random value: of `sessions`, the ARN of a new key. */
  newValue?: () => Promise<string>;
  /** For what else sends the secret: CloudFront is told the version. */
  send?: (versionId: string) => Promise<void>;
  /** The replaced values are known to others: none is accepted afterwards. */
  isLeaked?: boolean;
};

/**
 * Replaces a secret's value while functions use it. First they accept the new value too, then it is used. Interrupted, it is continued by
 * the next run.
 */
export async function rotateSecret({
  name,
  arn,
  now,
  newValue = randomValue,
  waitForFunctions,
  send,
  isLeaked = false,
}: Rotation): Promise<void> {
  const before = await readRing(arn);
  const next = before.next ?? (await newValue());
  await writeRing(arn, { ...before, next });
  await waitForFunctions();
  const used = { value: next, former: [{ value: before.value }, ...before.former] };
  const versionId = await writeRing(arn, used);
  await send?.(versionId);
  const keptMs = formerMs[name];
  if (keptMs === undefined) return;
  // Until then functions may still sign with the replaced value.
  if (isLeaked) await waitForFunctions();
  await writeRing(arn, { value: next, former: isLeaked ? [] : endingAt(new Date(now().getTime() + keptMs), used.former, now()) });
  // A function refuses the former value when it has read the secret again.
  if (isLeaked) await waitForFunctions();
}

const randomValue = async (): Promise<string> => randomBytes(36).toString("base64url");

const endingAt = (end: Date, former: SecretRing["former"], now: Date): SecretRing["former"] =>
  former.map(({ value, until = end.toISOString() }) => ({ value, until })).filter(({ until }) => Date.parse(until) > now.getTime());

async function readRing(arn: string): Promise<SecretRing> {
  const { SecretString = "" } = await secrets().send(new GetSecretValueCommand({ SecretId: arn }));
  return SecretRing.parse(JSON.parse(SecretString));
}

async function writeRing(arn: string, ring: SecretRing): Promise<string> {
  const { VersionId } = await secrets().send(new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(ring) }));
  if (!VersionId) throw new Error("Secrets Manager named no version");
  return VersionId;
}
