import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { retentionDays } from "@vitaline/contract";
import type { Needs } from "../needs/index.ts";
import {
  archivePrefix,
  callsPrefix,
  erasureCopiesPrefix,
  exportsPrefix,
  keptEventsPrefix,
  retentionTag,
  tenantTag,
} from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** Not exports, which contain rows of the audit in the clear. */
export const sealedPrefixes = [callsPrefix, keptEventsPrefix];

export const putFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: objectsUnder(data, sealedPrefixes) }),
  tagFiles(data),
  throughS3(data, ["kms:GenerateDataKey"]),
];

const tenantFolders = sealedPrefixes.map((prefix) => `${prefix}${tenantTag}/`);

const objectsUnder = (data: DataResources, prefixes: readonly string[]): string[] =>
  prefixes.map((prefix) => data.files.arnForObjects(`${prefix}*`));

/** In the folders of the session's tenant. The bucket cannot be listed: the names of its objects contain ids of all tenants. */
export const putTenantFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: objectsUnder(data, tenantFolders) }),
  tagFiles(data, `${callsPrefix}${tenantTag}/`),
  throughS3(data, ["kms:GenerateDataKey"]),
];
export const readTenantFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:GetObject"], resources: objectsUnder(data, tenantFolders) }),
  throughS3(data, ["kms:Decrypt"]),
];

/** Only call files, and only with a period that the bucket has a lifecycle rule for. */
const tagFiles = (data: DataResources, prefix = callsPrefix): PolicyStatement =>
  new PolicyStatement({
    actions: ["s3:PutObjectTagging"],
    resources: objectsUnder(data, [prefix]),
    conditions: { StringEquals: { [`s3:RequestObjectTag/${retentionTag}`]: retentionDays.map(String) } },
  });

const throughS3 = (data: DataResources, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    actions,
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  });

/** Without ListBucket, S3 answers 403 instead of 404 for missing objects. Source: "GetObject" in the S3 API reference. */
const listFiles = (data: DataResources): PolicyStatement =>
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] });

export const readFilesUnder = (data: DataResources, prefixes: readonly string[]): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:GetObject"], resources: objectsUnder(data, prefixes) }),
  throughS3(data, ["kms:Decrypt"]),
  listFiles(data),
];

export const eraseFiles = (data: DataResources): PolicyStatement[] => [
  ...readFilesUnder(data, sealedPrefixes),
  new PolicyStatement({
    actions: ["s3:DeleteObject"],
    resources: objectsUnder(data, [...sealedPrefixes, exportsPrefix]),
  }),
];

export const retainFiles = (data: DataResources): PolicyStatement[] => [tagFiles(data), listFiles(data)];

/** HeadBucket. */
export const probeFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] }),
];

/** Completing a multipart upload decrypts its parts. */
export const exportGrants: Record<NonNullable<Needs["erasureCopies"]>, (data: DataResources, prefix: string) => PolicyStatement[]> = {
  write: (data, prefix) => [
    new PolicyStatement({
      actions: ["s3:PutObject", "s3:AbortMultipartUpload"],
      resources: [data.files.arnForObjects(`${prefix}*`)],
    }),
    throughS3(data, ["kms:GenerateDataKey", "kms:Decrypt"]),
  ],
  link: (data, prefix) => [
    new PolicyStatement({ actions: ["s3:GetObject"], resources: [data.files.arnForObjects(`${prefix}*`)] }),
    throughS3(data, ["kms:Decrypt"]),
  ],
};

/** They lie under the prefix of exports, and are for erasures and the console alone. */
export const refuseErasureCopies = (data: DataResources): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.DENY,
    actions: ["s3:GetObject", "s3:PutObject"],
    resources: objectsUnder(data, [erasureCopiesPrefix]),
  });

/** The bucket accepts a name once and keeps every version, and no role may delete one. */
export const archiveGrants: Record<NonNullable<Needs["archive"]>, (data: DataResources) => PolicyStatement[]> = {
  write: (data) => [
    new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: [data.archive.arnForObjects(`${archivePrefix}*`)] }),
    throughS3(data, ["kms:GenerateDataKey", "kms:Decrypt"]),
  ],
  read: (data) => [
    new PolicyStatement({ actions: ["s3:GetObject"], resources: [data.archive.arnForObjects(`${archivePrefix}*`)] }),
    throughS3(data, ["kms:Decrypt"]),
    // Tells a missing batch from a forbidden one.
    new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.archive.bucketArn] }),
  ],
};
