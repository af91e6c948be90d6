import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs, Purpose } from "../needs/index.ts";
import type { DataResources } from "../resources/data-resources.ts";

export const vaultStatement = (action: "GenerateDataKey" | "Decrypt", purposes: readonly Purpose[], data: DataResources): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [data.vaultKey.keyArn],
    conditions: { StringEquals: { "kms:EncryptionContext:purpose": purposes } },
  });

export const certificateGrants = ({ certificateKey: { keyArn } }: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] }),
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [keyArn],
    conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
  }),
];

const sessionKeyArns = ({ sessionKeys }: DataResources): string[] => sessionKeys.map(({ keyArn }) => keyArn);

export const sessionKeyGrants: Record<NonNullable<Needs["sessionKey"]>, (data: DataResources) => PolicyStatement[]> = {
  verify: (data) => [new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: sessionKeyArns(data) })],
  sign: (data) => [
    new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: sessionKeyArns(data) }),
    new PolicyStatement({
      actions: ["kms:Sign"],
      // All: while a deployment runs, the key that signs may still be the one before.
      resources: sessionKeyArns(data),
      conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
    }),
  ],
};

const signingKeyConditions = { "kms:KeySpec": "RSA_3072", "kms:KeyUsage": "SIGN_VERIFY", "kms:KeyOrigin": "AWS_KMS" };

const platformSigningConditions = { "aws:ResourceTag/vitaline:use": "platform-signing", ...signingKeyConditions };

const anyKeyArn = (data: DataResources): string => data.formatArn({ service: "kms", resource: "key", resourceName: "*" });

const sign = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [anyKeyArn(data)],
    conditions: {
      StringEquals: { ...platformSigningConditions, "kms:SigningAlgorithm": ["RSASSA_PKCS1_V1_5_SHA_256", "RSASSA_PKCS1_V1_5_SHA_384"] },
    },
  }),
];

export const platformKeyGrants: Record<NonNullable<Needs["platformKeys"]>, (data: DataResources) => PolicyStatement[]> = {
  sign,
  create: (data) => [
    new PolicyStatement({
      actions: ["kms:CreateKey"],
      // CreateKey has no resource yet.
      resources: ["*"],
      conditions: {
        StringEquals: {
          "aws:RequestTag/vitaline:use": "platform-signing",
          ...signingKeyConditions,
        },
      },
    }),
    new PolicyStatement({
      actions: ["kms:TagResource"],
      resources: [anyKeyArn(data)],
      // The stacks' own keys have the tag already, so none of them can be turned into a signing key. TagResource
      // requests have no key spec; Sign checks it.
      conditions: {
        StringEquals: { "aws:RequestTag/vitaline:use": "platform-signing" },
        "ForAllValues:StringEquals": { "aws:TagKeys": ["vitaline:use"] },
        Null: { "aws:ResourceTag/vitaline:use": "true" },
      },
    }),
    new PolicyStatement({
      actions: ["kms:GetPublicKey"],
      resources: [anyKeyArn(data)],
      conditions: { StringEquals: platformSigningConditions },
    }),
    ...sign(data),
  ],
};
