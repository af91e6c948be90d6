import type { CfnElement } from "aws-cdk-lib";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { accountText, type Reasons, wildcard } from "../acknowledge.ts";
import type { Needs, TenantNeeds } from "../../needs/index.ts";
import {
  archivePrefix,
  callsPrefix,
  erasureCopiesPrefix,
  exportsPrefix,
  fhirSecretPrefix,
  keptEventsPrefix,
  refreshTokenName,
  tenantFhirSecretPrefix,
  tenantTag,
} from "../../resources/names.ts";
import type { DataResources } from "../../resources/data-resources.ts";

const notInVpc =
  "It reaches nothing inside a VPC. Its role limits AWS access, and packages/outbound checks each entered address before and after DNS and at the socket.";
const sharedConcurrency =
  "Shares what the reservations leave: functions that wait for other systems have reservations, which limit them. An account with too small a quota for that reserves nothing; there, as everywhere, an alarm reports each throttle.";
const synchronous =
  "API Gateway invokes it and waits: its caller gets the error, and an alarm counts it. Nothing is queued that could be lost.";

/** `queued`: it has a failure queue. `reserved`: it has reserved concurrency. */
export const functionReasons = (queued: boolean, reserved: boolean): Reasons => ({
  "HIPAA.Security-LambdaInsideVPC": notInVpc,
  ...(reserved ? {} : { "HIPAA.Security-LambdaConcurrency": sharedConcurrency }),
  ...(queued ? {} : { "HIPAA.Security-LambdaDLQ": synchronous, "Serverless-LambdaDLQ": synchronous }),
});

const objectsOf = (data: DataResources, { node }: Bucket, hash: string): string =>
  `${data.stackName}:ExportsOutputFnGetAtt${data.getLogicalId(node.defaultChild as CfnElement)}Arn${hash}`;
const filesArnOf = (data: DataResources): string => objectsOf(data, data.files, "D8EE6C03");

const inAccount = (data: DataResources, service: string, resource: string): string =>
  `arn:aws:${service}:${data.region}:${accountText(data)}:${resource}`;

/** cdk-nag spells a policy variable so. */
const shownTenantTag = tenantTag.replace("${", "<").replace("}", ">");

const secretReasons = (fhirSecrets: Needs["fhirSecrets"], prefixes: readonly string[], data: DataResources): Reasons =>
  Object.fromEntries(
    prefixes.flatMap((prefix) => {
      const secrets = inAccount(data, "secretsmanager", `secret:${prefix}*`);
      return [
        ...(fhirSecrets
          ? [
              [
                wildcard(`Resource::${secrets}`),
                "Client secrets of EHRs are created at run time; the prefix contains only those of this stage.",
              ],
            ]
          : []),
        ...(fhirSecrets === "use"
          ? [
              [
                wildcard(`Resource::${secrets}/${refreshTokenName}-*`),
                "Refresh tokens of EHRs are named by provider ids created at run time; the name matches only these tokens.",
              ],
            ]
          : []),
      ];
    }),
  );

/** Reasons for the wildcards in the policy of the role that a function assumes for one tenant. */
export const tenantPolicyReasons = (needs: TenantNeeds, data: DataResources): Reasons => ({
  ...((needs.files ?? needs.filesRead) &&
    Object.fromEntries(
      [callsPrefix, keptEventsPrefix].map((prefix) => [
        wildcard(`Resource::${filesArnOf(data)}/${prefix}${shownTenantTag}/*`),
        "Objects have names created at run time; the folder is that of the session's tenant alone.",
      ]),
    )),
  ...secretReasons(needs.fhirSecrets, [tenantFhirSecretPrefix(data.settings.stage, shownTenantTag)], data),
});

/** Reasons for the wildcards in a function's policy. */
export function policyReasons(needs: Needs, data: DataResources): Reasons {
  const { stage } = data.settings;
  const secretPrefixes = [fhirSecretPrefix(stage), ...(needs.tenant ? [] : [tenantFhirSecretPrefix(stage, "*")])];
  const filesArn = filesArnOf(data);
  return {
    [wildcard("Resource::*")]:
      "X-Ray and ListStreams have no resource; CreateKey has none before the key exists, so it is restricted by tag, spec, usage and origin.",
    ...((needs.platformKeys ?? needs.sessionKey) && {
      [wildcard(`Resource::${inAccount(data, "kms", "key/*")}`)]:
        "Signing keys are created at run time, platform keys in the console and session keys by npm run rotate. Sign and GetPublicKey take only RSA keys of this stage with the tag vitaline:use of their kind, TagResource only keys without that tag, which each key of the stacks has; no function can create a session key.",
    }),
    ...secretReasons(needs.fhirSecrets, secretPrefixes, data),
    ...(needs.exportFiles && {
      [wildcard(`Resource::${filesArn}/${exportsPrefix}*`)]:
        "Exports have names created at run time; the prefix contains only these objects, and a rule of the bucket deletes them after a week.",
    }),
    ...(needs.erasureCopies && {
      [wildcard(`Resource::${filesArn}/${erasureCopiesPrefix}*`)]:
        "Copies made before erasures have names created at run time; the prefix contains only these objects, and a rule of the bucket deletes them after a week.",
    }),
    ...(needs.filesErased &&
      Object.fromEntries(
        [callsPrefix, keptEventsPrefix, exportsPrefix].map((prefix) => [
          wildcard(`Resource::${filesArn}/${prefix}*`),
          "An erasure reads and deletes files with names created at run time; the prefix contains one kind of file, and the bucket keeps deleted ones for a day.",
        ]),
      )),
    ...(needs.archive && {
      [wildcard(`Resource::${objectsOf(data, data.archive, "BE8F3792")}/${archivePrefix}*`)]:
        "The archive's objects are named by tenant and number; the bucket's policy accepts a name once and refuses deletion, and Object Lock keeps every version.",
    }),
    ...(needs.archive === "write" && {
      [wildcard(`Resource::${objectsOf(data, data.unarchived, "36BD7999")}/*`)]:
        "Lambda names the batches that it gives up, and stores them with this role; nothing else is in the bucket, and the role cannot read it.",
    }),
    ...(needs.filesKept && {
      [wildcard(`Resource::${filesArn}/${callsPrefix}*`)]:
        "Files of calls have names created at run time; it may tag only these, and only with a period that the bucket has a rule for.",
    }),
    ...((needs.files ?? needs.filesRead) &&
      Object.fromEntries(
        [callsPrefix, keptEventsPrefix].map((prefix) => [
          wildcard(`Resource::${filesArn}/${prefix}*`),
          "New objects have names created at run time; the prefix contains only objects that are encrypted under the vault key, and no exports. It may tag only those of calls, with a period that the bucket has a rule for, and delete none.",
        ]),
      )),
  };
}
