import { ArnFormat } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionName } from "../config/functions.ts";
import type { Needs } from "../needs/index.ts";
import { erasureCopiesPrefix, exportsPrefix, lambdaName, configurationSetArn } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { tableStatements } from "./dynamodb.ts";
import { appSecretGrants, fhirSecretGrants } from "./secrets-manager.ts";
import { archiveGrants, eraseFiles, exportGrants, retainFiles, probeFiles, putFiles, readFilesUnder } from "./s3.ts";
import { certificateGrants, platformKeyGrants, sessionKeyGrants, vaultStatement } from "./kms.ts";

/** By name, because references between functions would be circular. */
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
      // Mails with attachments need SendRawEmail.
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

/** The statements of a function's role, except logs and traces. */
export const statementsFor = (needs: Needs, data: DataResources): PolicyStatement[] => [
  ...tableStatements(needs, data),
  ...(needs.seals ? [vaultStatement("GenerateDataKey", needs.seals, data)] : []),
  ...(needs.opens ? [vaultStatement("Decrypt", needs.opens, data)] : []),
  ...appSecretGrants(needs, data),
  ...(needs.fhirSecrets ? fhirSecretGrants[needs.fhirSecrets](data) : []),
  ...(needs.files ? putFiles(data) : []),
  ...(needs.filesRead ? readFilesUnder(data, [""]) : []),
  ...(needs.filesKept ? retainFiles(data) : []),
  ...(needs.filesErased ? eraseFiles(data) : []),
  ...(needs.certifies ? certificateGrants(data) : []),
  ...(needs.filesProbed ? probeFiles(data) : []),
  ...(needs.exportFiles ?? []).flatMap((how) => exportGrants[how](data, exportsPrefix)),
  ...(needs.erasureCopies ? exportGrants[needs.erasureCopies](data, erasureCopiesPrefix) : []),
  ...(needs.startsExport ? invoke("events/export", data) : []),
  ...(needs.startsErase ? invoke("events/erase", data) : []),
  ...(needs.startsRetain ? invoke("events/retain", data) : []),
  ...(needs.startsDeliver ? invoke("events/deliver", data) : []),
  ...(needs.asksSite ? invoke("site", data) : []),
  ...(needs.archive ? archiveGrants[needs.archive](data) : []),
  ...(needs.mail ? sendMail(data, needs.mail === "files") : []),
  ...(needs.sms ? sendTexts(data) : []),
  ...(needs.sessionKey ? sessionKeyGrants[needs.sessionKey](data) : []),
  ...(needs.platformKeys ? platformKeyGrants[needs.platformKeys](data) : []),
];
