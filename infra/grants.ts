import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { retentionDays } from "@vitaline/contract";
import { dashed, type FunctionName } from "./functions.ts";
import type { Needs, Purpose } from "./needs.ts";
import { fhirSecretPrefix, refreshTokenName } from "./fhir-secrets.ts";
import { receiptsSetArn, receiptsSetName } from "./receipts.ts";
import type { Data } from "./stacks/data.ts";

/** Under it lie the exports in the files bucket, and a rule that deletes them after days. */
export const exportsPrefix = "exports/";
/** Under it, among the exports, lie the copies that are made before erasures; packages/erasures/copy.ts. */
export const erasureCopiesPrefix = `${exportsPrefix}erasures/`;
/** Under it lie, sealed, the texts of calls; packages/calls/texts.ts. */
export const callsPrefix = "calls/";
/** Under it lie, sealed, events of voice platforms that were too large for a row; packages/calls/kept-events.ts. */
export const keptEventsPrefix = "kept-events/";
/** The tag that says for how many days an object is kept; packages/aws/s3/sealed-files.ts. */
export const retentionTag = "retention";
const nameOf = (name: FunctionName, { settings }: Data): string => `vitaline-${settings.stage}-${dashed(name)}`;

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
  manage: (data) => onSecrets(data, ["CreateSecret", "PutSecretValue", "GetSecretValue"], ["kms:GenerateDataKey", "kms:Decrypt"]),
  use: (data) => [
    ...onSecrets(data, ["GetSecretValue"], ["kms:Decrypt"]),
    // An EHR may give a new refresh token whenever one is used: all lie sealed in the table, and now and then one here too.
    ...onSecrets(data, ["PutSecretValue"], ["kms:GenerateDataKey"], `*/${refreshTokenName}-*`),
  ],
  delete: (data) => [onSecretsAlone(data, ["DeleteSecret"])],
};

const secretsOf = (data: Data, which: string): string =>
  Stack.of(data).formatArn({ service: "secretsmanager", resource: `secret:${fhirSecretPrefix(data.settings.stage)}${which}` });

const onSecretsAlone = (data: Data, actions: string[], which = "*"): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `secretsmanager:${action}`), resources: [secretsOf(data, which)] });

function onSecrets(data: Data, actions: string[], keyActions: string[], which = "*"): PolicyStatement[] {
  const secrets = secretsOf(data, which);
  return [
    onSecretsAlone(data, actions, which),
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
  tagFiles(data),
  new PolicyStatement({
    actions: ["kms:GenerateDataKey"],
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  }),
];

/** Only how long a file of a call is kept, and only for a period that the bucket has a rule for. */
const tagFiles = (data: Data): PolicyStatement =>
  new PolicyStatement({
    actions: ["s3:PutObjectTagging"],
    resources: [data.files.arnForObjects(`${callsPrefix}*`)],
    conditions: { StringEquals: { [`s3:RequestObjectTag/${retentionTag}`]: retentionDays.map(String) } },
  });

const throughS3 = (data: Data, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    actions,
    resources: [data.filesKey.keyArn],
    conditions: { StringEquals: { "kms:ViaService": `s3.${data.region}.amazonaws.com` } },
  });

/** Source: "GetObject" in the S3 API reference: who may not list a bucket is not told that an object is gone. Names there are ids alone. */
const seesWhatIsGone = (data: Data): PolicyStatement =>
  new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] });

const readFilesUnder = (data: Data, prefixes: readonly string[]): PolicyStatement[] => [
  new PolicyStatement({ actions: ["s3:GetObject"], resources: prefixes.map((prefix) => data.files.arnForObjects(`${prefix}*`)) }),
  throughS3(data, ["kms:Decrypt"]),
  seesWhatIsGone(data),
];

/** Former versions stay for the days that the bucket's lifecycle says. */
const eraseFiles: Granter = (data) => [
  ...readFilesUnder(data, [callsPrefix, keptEventsPrefix]),
  new PolicyStatement({
    actions: ["s3:DeleteObject"],
    resources: [callsPrefix, keptEventsPrefix, exportsPrefix].map((prefix) => data.files.arnForObjects(`${prefix}*`)),
  }),
];

const certify: Granter = ({ certificateKey: { keyArn } }) => [
  new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] }),
  new PolicyStatement({
    actions: ["kms:Sign"],
    resources: [keyArn],
    conditions: { StringEquals: { "kms:SigningAlgorithm": "RSASSA_PKCS1_V1_5_SHA_256" } },
  }),
];
const keepFiles: Granter = (data) => [tagFiles(data), seesWhatIsGone(data)];

/** HeadBucket; it says nothing of what lies there. */
const probeFiles: Granter = (data) => [new PolicyStatement({ actions: ["s3:ListBucket"], resources: [data.files.bucketArn] })];

/** A part of a multipart upload is decrypted when the whole is put together. */
const exportFiles: Record<NonNullable<Needs["erasureCopies"]>, (data: Data, prefix: string) => PolicyStatement[]> = {
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

/** By name: a reference to what invokes others besides would go in a circle. */
const invoke = (name: FunctionName, data: Data): PolicyStatement[] => [
  new PolicyStatement({
    actions: ["lambda:InvokeFunction"],
    resources: [
      Stack.of(data).formatArn({
        service: "lambda",
        resource: "function",
        resourceName: nameOf(name, data),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
  }),
];

/** New objects only: the bucket keeps every version, and nobody here may delete one. */
const archive: Granter = (data) => [
  new PolicyStatement({ actions: ["s3:PutObject", "s3:GetObject"], resources: [data.archive.arnForObjects("*")] }),
  throughS3(data, ["kms:GenerateDataKey", "kms:Decrypt"]),
];

const sendMail = (data: Data, withFiles: boolean): PolicyStatement[] => {
  const { mailFrom } = data.settings;
  if (!mailFrom) return [];
  const identity = (resourceName: string): string => Stack.of(data).formatArn({ service: "ses", resource: "identity", resourceName });
  const [, domain = ""] = mailFrom.split("@");
  return [
    new PolicyStatement({
      // SES counts a mail with attachments as a raw one.
      actions: ["ses:SendEmail", ...(withFiles ? ["ses:SendRawEmail"] : [])],
      resources: [identity(mailFrom), identity(domain), receiptsSetArn("ses", data)],
      conditions: { StringEquals: { "ses:FromAddress": mailFrom } },
    }),
  ];
};

const sendTexts: Granter = (data) => {
  const { smsOrigination } = data.settings;
  if (!smsOrigination) return [];
  return [new PolicyStatement({ actions: ["sms-voice:SendTextMessage"], resources: [smsOrigination, receiptsSetArn("sms-voice", data)] })];
};

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
  ...(needs.filesRead ? readFilesUnder(data, [""]) : []),
  ...(needs.filesKept ? keepFiles(data) : []),
  ...(needs.filesErased ? eraseFiles(data) : []),
  ...(needs.certifies ? certify(data) : []),
  ...(needs.filesProbed ? probeFiles(data) : []),
  ...(needs.exportFiles ?? []).flatMap((how) => exportFiles[how](data, exportsPrefix)),
  ...(needs.erasureCopies ? exportFiles[needs.erasureCopies](data, erasureCopiesPrefix) : []),
  ...(needs.startsExport ? invoke("events/export", data) : []),
  ...(needs.startsErase ? invoke("events/erase", data) : []),
  ...(needs.startsRetain ? invoke("events/retain", data) : []),
  ...(needs.startsDeliver ? invoke("events/deliver", data) : []),
  ...(needs.asksSite ? invoke("site", data) : []),
  ...(needs.archive ? archive(data) : []),
  ...(needs.mail ? sendMail(data, needs.mail === "files") : []),
  ...(needs.sms ? sendTexts(data) : []),
  ...(needs.sessionKey ? sessionKey[needs.sessionKey](data) : []),
  ...(needs.platformKeys ? platformKeys[needs.platformKeys](data) : []),
];

const usesFiles = (needs: Needs): unknown =>
  needs.files ?? needs.filesRead ?? needs.filesKept ?? needs.filesErased ?? needs.filesProbed ?? needs.exportFiles ?? needs.erasureCopies;

/** The environment that goes with those needs; a function that seals nothing is not told of the vault. */
export function environmentFor(needs: Needs, data: Data): Record<string, string> {
  const { settings } = data;
  const createsSecrets = needs.fhirSecrets === "manage" ? true : undefined;
  const entries: [name: string, wanted: unknown, value: string | undefined][] = [
    ["TABLE_NAME", needs.reads ?? needs.writes, data.table.tableName],
    ["VAULT_KEY_ARN", needs.seals ?? needs.opens ?? createsSecrets, data.vaultKey.keyArn],
    ["FILES_BUCKET", usesFiles(needs), data.files.bucketName],
    ["ARCHIVE_BUCKET", needs.archive, data.archive.bucketName],
    ["EXPORT_FUNCTION", needs.startsExport, nameOf("events/export", data)],
    ["ERASE_FUNCTION", needs.startsErase, nameOf("events/erase", data)],
    ["CERTIFICATE_KEY_ARN", needs.certifies, data.certificateKey.keyArn],
    ["RETAIN_FUNCTION", needs.startsRetain, nameOf("events/retain", data)],
    ["DELIVER_FUNCTION", needs.startsDeliver, nameOf("events/deliver", data)],
    ["SITE_FUNCTION", needs.asksSite, nameOf("site", data)],
    ["MAIL_FROM", needs.mail, settings.mailFrom],
    ["MAIL_CONFIGURATION_SET", needs.mail, settings.mailFrom && receiptsSetName(data)],
    ["SMS_ORIGINATION", needs.sms, settings.smsOrigination],
    ["SMS_CONFIGURATION_SET", needs.sms, settings.smsOrigination && receiptsSetName(data)],
    ["SUPPORT_EMAIL", needs.mail ?? needs.publicConfig, settings.support.email],
    ["SUPPORT_PHONE", needs.publicConfig, settings.support.phone],
    ["PROMOTION_REMAINING", needs.publicConfig, settings.promotionRemaining?.toString()],
    ["DEMO_SCHEDULING_URL", needs.publicConfig, settings.demoSchedulingUrl],
    ["SYSTEM_ADMIN_TOTP", needs.sessionKey === "sign" ? true : undefined, settings.requiresTotp ? "required" : undefined],
    ["SESSION_KEY_ARNS", needs.sessionKey, data.sessionKey.keyArn],
    ["FHIR_SECRET_PREFIX", createsSecrets, fhirSecretPrefix(settings.stage)],
    ["EDGE_SECRET", needs.http ?? needs.cursors, data.edgeSecret()],
    // Whoever calls typed addresses knows by it which one is our own
    ["PUBLIC_ORIGIN", needs.http ?? needs.outbound, settings.domain && `https://${settings.domain}`],
    // Source: bootstrap of Lambda's Node 24, which sets no bounds of its own beside these.
    ["NODE_OPTIONS", needs.nodeOptions, needs.nodeOptions],
    ["EGRESS_LOOPBACK_ORIGINS", needs.outbound, settings.egressLoopbackOrigins.join(",") || undefined],
  ];
  return Object.fromEntries(
    entries.flatMap(([name, wanted, value]) => (wanted !== undefined && value !== undefined ? [[name, value]] : [])),
  );
}
