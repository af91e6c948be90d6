import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs, Purpose } from "../needs/index.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { tenantTag } from "../resources/names.ts";

export const vaultStatement = (action: "GenerateDataKey" | "Decrypt", purposes: readonly Purpose[], data: DataResources): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [data.vaultKey.keyArn],
    conditions: { StringEquals: { "kms:EncryptionContext:purpose": purposes } },
  });

/** Only what is sealed for the session's tenant. */
export const tenantVaultStatement = (
  action: "GenerateDataKey" | "Decrypt",
  purposes: readonly Purpose[],
  data: DataResources,
): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [data.vaultKey.keyArn],
    conditions: { StringEquals: { "kms:EncryptionContext:purpose": purposes, "kms:EncryptionContext:tenantId": tenantTag } },
  });

export const certificateGrants = ({ certificateKey: { keyArn } }: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] }),
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [keyArn],
    conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
  }),
];

const anyKeyArn = (data: DataResources): string => data.formatArn({ service: "kms", resource: "key", resourceName: "*" });

/** Other stages in the account have keys of their own. */
const signingTags = (use: "platform-signing" | "session-signing", of: "Resource" | "Request", { settings }: DataResources) => ({
  [`aws:${of}Tag/vitaline:use`]: use,
  [`aws:${of}Tag/vitaline:stage`]: settings.stage,
});

/** By their tags: npm run rotate creates the later ones. */
const sessionKeyStatement = (action: "GetPublicKey" | "Sign", data: DataResources, conditions = {}): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [anyKeyArn(data)],
    conditions: {
      StringEquals: { ...signingTags("session-signing", "Resource", data), "kms:KeySpec": "RSA_2048", ...conditions },
    },
  });

export const sessionKeyGrants: Record<NonNullable<Needs["sessionKey"]>, (data: DataResources) => PolicyStatement[]> = {
  verify: (data) => [sessionKeyStatement("GetPublicKey", data)],
  sign: (data) => [
    sessionKeyStatement("GetPublicKey", data),
    sessionKeyStatement("Sign", data, { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" }),
  ],
};

const signingKeyConditions = { "kms:KeySpec": "RSA_3072", "kms:KeyUsage": "SIGN_VERIFY", "kms:KeyOrigin": "AWS_KMS" };

const platformSigningConditions = (data: DataResources) => ({
  ...signingTags("platform-signing", "Resource", data),
  ...signingKeyConditions,
});

const sign = (data: DataResources): PolicyStatement[] => [
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [anyKeyArn(data)],
    conditions: {
      StringEquals: {
        ...platformSigningConditions(data),
        "kms:SigningAlgorithm": ["RSASSA_PKCS1_V1_5_SHA_256", "RSASSA_PKCS1_V1_5_SHA_384"],
      },
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
        StringEquals: { ...signingTags("platform-signing", "Request", data), ...signingKeyConditions },
      },
    }),
    new PolicyStatement({
      actions: ["kms:TagResource"],
      resources: [anyKeyArn(data)],
      // The stacks' own keys have the tag already, so none of them can be turned into a signing key. TagResource
      // requests have no key spec; Sign checks it.
      conditions: {
        StringEquals: signingTags("platform-signing", "Request", data),
        "ForAllValues:StringEquals": { "aws:TagKeys": ["vitaline:use", "vitaline:stage"] },
        Null: { "aws:ResourceTag/vitaline:use": "true" },
      },
    }),
    new PolicyStatement({
      actions: ["kms:GetPublicKey"],
      resources: [anyKeyArn(data)],
      conditions: { StringEquals: platformSigningConditions(data) },
    }),
    ...sign(data),
  ],
};
