import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { retentionDays } from "@vitaline/contract";
import type { Needs } from "../needs/index.ts";
import { archivePrefix, callsPrefix, exportsPrefix, keptEventsPrefix, retentionTag } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

export const putFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: [data.files.arnForObjects("*")] }),
  tagFiles(data),
  new PolicyStatement({
    actions: ["kms:GenerateDataKey"],
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  }),
];

/** Only call files, and only with a period that the bucket has a lifecycle rule for. */
const tagFiles = (data: DataResources): PolicyStatement =>
  new PolicyStatement({
    actions: ["s3:PutObjectTagging"],
    resources: [data.files.arnForObjects(`${callsPrefix}*`)],
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
  new PolicyStatement({ actions: ["s3:GetObject"], resources: prefixes.map((prefix) => data.files.arnForObjects(`${prefix}*`)) }),
  throughS3(data, ["kms:Decrypt"]),
  listFiles(data),
];

export const eraseFiles = (data: DataResources): PolicyStatement[] => [
  ...readFilesUnder(data, [callsPrefix, keptEventsPrefix]),
  new PolicyStatement({
    actions: ["s3:DeleteObject"],
    resources: [callsPrefix, keptEventsPrefix, exportsPrefix].map((prefix) => data.files.arnForObjects(`${prefix}*`)),
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
