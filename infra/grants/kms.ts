import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs, Purpose } from "../needs/index.ts";
import type { DataResources } from "../resources/data-resources.ts";

export const vault = (action: "GenerateDataKey" | "Decrypt", purposes: readonly Purpose[], data: DataResources): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [data.vaultKey.keyArn],
    conditions: { StringEquals: { "kms:EncryptionContext:purpose": purposes } },
  });

export const certify = ({ certificateKey: { keyArn } }: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] }),
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [keyArn],
    conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
  }),
];

export const sessionKey: Record<NonNullable<Needs["sessionKey"]>, (data: DataResources) => PolicyStatement[]> = {
  verify: ({ sessionKey: { keyArn } }) => [new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] })],
  sign: ({ sessionKey: { keyArn } }) => [
    new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] }),
    new PolicyStatement({
      actions: ["kms:Sign"],
      resources: [keyArn],
      conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
    }),
  ],
};

const signingKey = { "kms:KeySpec": "RSA_3072", "kms:KeyUsage": "SIGN_VERIFY", "kms:KeyOrigin": "AWS_KMS" };

const platformSigning = { "aws:ResourceTag/vitaline:use": "platform-signing", ...signingKey };

const anyKey = (data: DataResources): string => data.formatArn({ service: "kms", resource: "key", resourceName: "*" });

const sign = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [anyKey(data)],
    conditions: {
      StringEquals: { ...platformSigning, "kms:SigningAlgorithm": ["RSASSA_PKCS1_V1_5_SHA_256", "RSASSA_PKCS1_V1_5_SHA_384"] },
    },
  }),
];

export const platformKeys: Record<NonNullable<Needs["platformKeys"]>, (data: DataResources) => PolicyStatement[]> = {
  sign,
  create: (data) => [
    new PolicyStatement({
      actions: ["kms:CreateKey"],
      // A key that is yet to be has no ARN.
      resources: ["*"],
      conditions: {
        StringEquals: {
          "aws:RequestTag/vitaline:use": "platform-signing",
          ...signingKey,
        },
      },
    }),
    new PolicyStatement({
      actions: ["kms:TagResource"],
      resources: [anyKey(data)],
      // Every key of the stacks carries the tag already, so none of them can be made into a signing key. Of what kind a key is
      // that CreateKey is about to tag, the request to tag it does not say; Sign asks for it.
      conditions: {
        StringEquals: { "aws:RequestTag/vitaline:use": "platform-signing" },
        "ForAllValues:StringEquals": { "aws:TagKeys": ["vitaline:use"] },
        Null: { "aws:ResourceTag/vitaline:use": "true" },
      },
    }),
    new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [anyKey(data)], conditions: { StringEquals: platformSigning } }),
    ...sign(data),
  ],
};
