import { ArnFormat } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionName } from "../config/functions.ts";
import type { Needs } from "../needs/index.ts";
import { erasureCopiesPrefix, exportsPrefix, lambdaName, configurationSetArn } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { tableStatements } from "./dynamodb.ts";
import { fhirSecrets } from "./secrets-manager.ts";
import { archive, eraseFiles, exportFiles, keepFiles, probeFiles, putFiles, readFilesUnder } from "./s3.ts";
import { certify, platformKeys, sessionKey, vault } from "./kms.ts";

/** By name: a reference to what invokes others besides would go in a circle. */
const invoke = (name: FunctionName, data: DataResources): PolicyStatement[] => [
  new PolicyStatement({
    actions: ["lambda:InvokeFunction"],
    resources: [
      data.formatArn({
        service: "lambda",
        resource: "function",
        resourceName: lambdaName(name, data),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
  }),
];

const sendMail = (data: DataResources, withFiles: boolean): PolicyStatement[] => {
  const { mailFrom } = data.settings;
  if (!mailFrom) return [];
  const identity = (resourceName: string): string => data.formatArn({ service: "ses", resource: "identity", resourceName });
  const [, domain = ""] = mailFrom.split("@");
  return [
    new PolicyStatement({
      // SES counts a mail with attachments as a raw one.
      actions: ["ses:SendEmail", ...(withFiles ? ["ses:SendRawEmail"] : [])],
      resources: [identity(mailFrom), identity(domain), configurationSetArn("ses", data)],
      conditions: { StringEquals: { "ses:FromAddress": mailFrom } },
    }),
  ];
};

const sendTexts = (data: DataResources): PolicyStatement[] => {
  const { smsOrigination } = data.settings;
  if (!smsOrigination) return [];
  return [
    new PolicyStatement({ actions: ["sms-voice:SendTextMessage"], resources: [smsOrigination, configurationSetArn("sms-voice", data)] }),
  ];
};

/** The statements of a function's role beside logs and traces, from what it needs. */
export const statementsFor = (needs: Needs, data: DataResources): PolicyStatement[] => [
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
