import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs, Purpose } from "./needs.ts";
import { fhirSecretPrefix } from "./fhir-secrets.ts";
import type { Data } from "./stacks/data.ts";

type Granter = (data: Data) => PolicyStatement[];

const auditPartitions = ["TENANT#*#AUDIT#*", "PLATFORM#AUDIT#*"];

/**
 * A role may name rows only under these partition keys. ForAllValues alone would allow a request that names none,
 * so Null refuses it; Scan, the one such request, is granted to nobody besides.
 */
const rows = (actions: string[], resources: string[], partitions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources,
    conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions }, Null: { "dynamodb:LeadingKeys": "false" } },
  });

function tableStatements({ reads, writes, deletes, audits, callIndex }: Needs, data: Data): PolicyStatement[] {
  const table = data.table.tableArn;
  const statements = [
    reads && rows(["GetItem", "BatchGetItem", "Query"], callIndex ? [table, `${table}/index/gsi1`] : [table], reads),
    writes && rows(["PutItem", "UpdateItem", "ConditionCheckItem"], [table], writes),
    deletes && rows(["DeleteItem"], [table], deletes),
    audits && rows(["PutItem"], [table], auditPartitions),
  ].filter((statement) => statement !== undefined);
  return statements.length > 0 ? [...statements, tableKey(data)] : [];
}

/** Source: "DynamoDB encryption at rest usage notes", what a caller needs on a customer's key; nothing outside DynamoDB. */
const tableKey = (data: Data): PolicyStatement =>
  new PolicyStatement({
    actions: [
      "Decrypt",
      "DescribeKey",
      "Encrypt",
      "GenerateDataKey",
      "GenerateDataKeyWithoutPlaintext",
      "ReEncryptFrom",
      "ReEncryptTo",
    ].map((action) => `kms:${action}`),
    resources: [data.tableKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `dynamodb.${data.region}.amazonaws.com` } },
  });

const vault = (action: "GenerateDataKey" | "Decrypt", purposes: readonly Purpose[], data: Data): PolicyStatement =>
  new PolicyStatement({
    actions: [`kms:${action}`],
    resources: [data.vaultKey.keyArn],
    conditions: { StringEquals: { "kms:EncryptionContext:purpose": purposes } },
  });

const fhirSecrets: Record<NonNullable<Needs["fhirSecrets"]>, Granter> = {
  create: (data) => onSecrets(data, "secretsmanager:CreateSecret", ["kms:GenerateDataKey", "kms:Decrypt"]),
  read: (data) => onSecrets(data, "secretsmanager:GetSecretValue", ["kms:Decrypt"]),
};

function onSecrets(data: Data, action: string, keyActions: string[]): PolicyStatement[] {
  const secrets = Stack.of(data).formatArn({ service: "secretsmanager", resource: `secret:${fhirSecretPrefix(data.settings.stage)}*` });
  return [
    new PolicyStatement({ actions: [action], resources: [secrets] }),
    new PolicyStatement({
      actions: keyActions,
      resources: [data.vaultKey.keyArn],
      conditions: {
        StringEquals: { "kms:ViaService": `secretsmanager.${data.region}.amazonaws.com` },
        StringLike: { "kms:EncryptionContext:SecretARN": secrets },
      },
    }),
  ];
}

const putFiles: Granter = (data) => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: [data.files.arnForObjects("*")] }),
  new PolicyStatement({
    actions: ["kms:GenerateDataKey"],
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  }),
];

const sessionKey: Record<NonNullable<Needs["sessionKey"]>, Granter> = {
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
const anyKey = (data: Data): string => Stack.of(data).formatArn({ service: "kms", resource: "key", resourceName: "*" });

const sign: Granter = (data) => [
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [anyKey(data)],
    conditions: {
      StringEquals: { ...platformSigning, "kms:SigningAlgorithm": ["RSASSA_PKCS1_V1_5_SHA_256", "RSASSA_PKCS1_V1_5_SHA_384"] },
    },
  }),
];

const platformKeys: Record<NonNullable<Needs["platformKeys"]>, Granter> = {
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

/** The statements of a function's role beside logs and traces, from what it needs. */
export const statementsFor = (needs: Needs, data: Data): PolicyStatement[] => [
  ...tableStatements(needs, data),
  ...(needs.seals ? [vault("GenerateDataKey", needs.seals, data)] : []),
  ...(needs.opens ? [vault("Decrypt", needs.opens, data)] : []),
  ...(needs.fhirSecrets ? fhirSecrets[needs.fhirSecrets](data) : []),
  ...(needs.files ? putFiles(data) : []),
  ...(needs.sessionKey ? sessionKey[needs.sessionKey](data) : []),
  ...(needs.platformKeys ? platformKeys[needs.platformKeys](data) : []),
];

/** The environment that goes with those needs; a function that seals nothing is not told of the vault. */
export function environmentFor(needs: Needs, data: Data): Record<string, string> {
  const { settings } = data;
  const createsSecrets = needs.fhirSecrets === "create" ? true : undefined;
  const entries: [name: string, wanted: unknown, value: string | undefined][] = [
    ["TABLE_NAME", needs.reads ?? needs.writes, data.table.tableName],
    ["VAULT_KEY_ARN", needs.seals ?? needs.opens ?? createsSecrets, data.vaultKey.keyArn],
    ["FILES_BUCKET", needs.files, data.files.bucketName],
    ["SESSION_KEY_ARNS", needs.sessionKey, data.sessionKey.keyArn],
    ["FHIR_SECRET_PREFIX", createsSecrets, fhirSecretPrefix(settings.stage)],
    ["EDGE_SECRET", needs.http ?? needs.cursors, data.edgeSecret()],
    ["PUBLIC_ORIGIN", needs.http, settings.domain && `https://${settings.domain}`],
    ["EGRESS_LOOPBACK_ORIGINS", needs.outbound, settings.egressLoopbackOrigins.join(",") || undefined],
  ];
  return Object.fromEntries(
    entries.flatMap(([name, wanted, value]) => (wanted !== undefined && value !== undefined ? [[name, value]] : [])),
  );
}
