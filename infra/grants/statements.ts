import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionName } from "../config/functions.ts";
import { mailIdentity } from "../config/settings.ts";
import type { Needs, TenantNeeds } from "../needs/index.ts";
import { erasureCopiesPrefix, exportsPrefix, liveArn, configurationSetArn } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";
import { tenantTableStatements } from "./dynamodb.ts";
import { appSecretGrants, fhirSecretGrants, tenantFhirSecretGrants } from "./secrets-manager.ts";
import {
  archiveGrants,
  eraseFiles,
  exportGrants,
  retainFiles,
  probeFiles,
  putFiles,
  putTenantFiles,
  readFilesUnder,
  readTenantFiles,
  refuseErasureCopies,
  sealedPrefixes,
} from "./s3.ts";
import { certificateGrants, platformKeyGrants, sessionKeyGrants, tenantVaultStatement, vaultStatement } from "./kms.ts";

/** By name, because references between functions would be circular. */
const invoke = (name: FunctionName, data: DataResources): PolicyStatement[] => [
  new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [liveArn(name, data)] }),
];

const sendMail = (data: DataResources, withFiles: boolean): PolicyStatement[] => {
  const { mailFrom, hostedZone } = data.settings;
  if (!mailFrom) return [];
  const identity = (resourceName: string): string => data.formatArn({ service: "ses", resource: "identity", resourceName });
  return [
    new PolicyStatement({
      // Mails with attachments need SendRawEmail.
      actions: ["ses:SendEmail", ...(withFiles ? ["ses:SendRawEmail"] : [])],
      resources: [...new Set([mailFrom, mailIdentity(mailFrom, hostedZone).name])].map(identity).concat(configurationSetArn("ses", data)),
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

/** The statements of the role that a function assumes for one tenant. */
export const tenantStatementsFor = (needs: TenantNeeds, data: DataResources): PolicyStatement[] => [
  ...tenantTableStatements(needs, data),
  ...(needs.seals ? [tenantVaultStatement("GenerateDataKey", needs.seals, data)] : []),
  ...(needs.opens ? [tenantVaultStatement("Decrypt", needs.opens, data)] : []),
  ...(needs.files ? putTenantFiles(data) : []),
  ...(needs.filesRead ? readTenantFiles(data) : []),
  ...(needs.fhirSecrets ? tenantFhirSecretGrants(needs.fhirSecrets, data) : []),
];

/** The statements of a function's role, except rows, logs and traces. */
export const statementsFor = (needs: Needs, data: DataResources): PolicyStatement[] => [
  ...(needs.seals ? [vaultStatement("GenerateDataKey", needs.seals, data)] : []),
  ...(needs.opens ? [vaultStatement("Decrypt", needs.opens, data)] : []),
  ...appSecretGrants(needs, data),
  ...fhirSecretGrants(needs, data),
  ...(needs.files ? putFiles(data) : []),
  ...(needs.filesRead ? readFilesUnder(data, sealedPrefixes) : []),
  ...(needs.filesKept ? retainFiles(data) : []),
  ...(needs.filesErased ? eraseFiles(data) : []),
  ...(needs.certifies ? certificateGrants(data) : []),
  ...(needs.filesProbed ? probeFiles(data) : []),
  ...(needs.exportFiles ?? []).flatMap((how) => exportGrants[how](data, exportsPrefix)),
  ...(needs.exportFiles ? [refuseErasureCopies(data)] : []),
  ...(needs.erasureCopies ? exportGrants[needs.erasureCopies](data, erasureCopiesPrefix) : []),
  ...(needs.startsExport ? invoke("events/export", data) : []),
  ...(needs.startsErase ? invoke("events/erase", data) : []),
  ...(needs.startsRetain ? invoke("events/retain", data) : []),
  ...(needs.startsDeliver ? invoke("events/deliver", data) : []),
  ...(needs.startsItself ? invoke(needs.startsItself, data) : []),
  ...(needs.asksSite ? invoke("site", data) : []),
  ...(needs.archive ? archiveGrants[needs.archive](data) : []),
  ...(needs.mail ? sendMail(data, needs.mail === "files") : []),
  ...(needs.sms ? sendTexts(data) : []),
  ...(needs.sessionKey ? sessionKeyGrants[needs.sessionKey](data) : []),
  ...(needs.platformKeys ? platformKeyGrants[needs.platformKeys](data) : []),
];
