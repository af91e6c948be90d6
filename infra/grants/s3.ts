import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { retentionDays } from "@vitaline/contract";
import type { Needs } from "../needs/index.ts";
import { callsPrefix, exportsPrefix, keptEventsPrefix, retentionTag } from "../resources/names.ts";
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

/** Only how long a file of a call is kept, and only for a period that the bucket has a rule for. */
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

/** Source: "GetObject" in the S3 API reference: who may not list a bucket is not told that an object is gone. Names there are ids alone. */
const seesWhatIsGone = (data: DataResources): PolicyStatement =>
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] });

export const readFilesUnder = (data: DataResources, prefixes: readonly string[]): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:GetObject"], resources: prefixes.map((prefix) => data.files.arnForObjects(`${prefix}*`)) }),
  throughS3(data, ["kms:Decrypt"]),
  seesWhatIsGone(data),
];

/** Former versions stay for the days that the bucket's lifecycle says. */
export const eraseFiles = (data: DataResources): PolicyStatement[] => [
  ...readFilesUnder(data, [callsPrefix, keptEventsPrefix]),
  new PolicyStatement({
    actions: ["s3:DeleteObject"],
    resources: [callsPrefix, keptEventsPrefix, exportsPrefix].map((prefix) => data.files.arnForObjects(`${prefix}*`)),
  }),
];

export const keepFiles = (data: DataResources): PolicyStatement[] => [tagFiles(data), seesWhatIsGone(data)];

/** HeadBucket; it says nothing of what lies there. */
export const probeFiles = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] }),
];

/** A part of a multipart upload is decrypted when the whole is put together. */
export const exportFiles: Record<NonNullable<Needs["erasureCopies"]>, (data: DataResources, prefix: string) => PolicyStatement[]> = {
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

/** New objects only: the bucket keeps every version, and nobody here may delete one. */
export const archive = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: [data.archive.arnForObjects("*")] }),
  throughS3(data, ["kms:GenerateDataKey", "kms:Decrypt"]),
];
