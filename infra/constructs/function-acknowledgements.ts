import type { CfnElement } from "aws-cdk-lib";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { accountText, type Reasons, wildcard } from "./acknowledge.ts";
import type { Needs } from "../needs/index.ts";
import {
  callsPrefix,
  erasureCopiesPrefix,
  exportsPrefix,
  fhirSecretPrefix,
  keptEventsPrefix,
  refreshTokenName,
} from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

const notInVpc =
  "It reaches nothing inside a VPC. What it may call is held by its role, and outbound/ checks each typed address before and after DNS and at the socket.";
const sharedConcurrency =
  "Taken from the account's pool: the stage's throttling bounds it, an alarm tells of each throttle, and reservedConcurrency in cdk.json sets a share where the account's limit allows one.";
const synchronous =
  "API Gateway invokes it and waits: its caller gets the error, and an alarm counts it. Nothing is queued that could be lost.";

/** `queued`: it has a failure queue. `reserved`: it has reserved concurrency. */
export const functionReasons = (queued: boolean, reserved: boolean): Reasons => ({
  "HIPAA.Security-LambdaInsideVPC": notInVpc,
  ...(reserved ? {} : { "HIPAA.Security-LambdaConcurrency": sharedConcurrency }),
  ...(queued ? {} : { "HIPAA.Security-LambdaDLQ": synchronous, "Serverless-LambdaDLQ": synchronous }),
});

/** Reasons for the wildcards in a function's policy. */
export function policyReasons(needs: Needs, data: DataResources): Reasons {
  const inAccount = (service: string, resource: string): string => `arn:aws:${service}:${data.region}:${accountText(data)}:${resource}`;
  const objectsOf = ({ node }: Bucket, hash: string): string =>
    `${data.stackName}:ExportsOutputFnGetAtt${data.getLogicalId(node.defaultChild as CfnElement)}Arn${hash}`;
  const filesArn = objectsOf(data.files, "D8EE6C03");
  return {
    [wildcard("Resource::*")]:
      "X-Ray and ListStreams know no resource, and neither does a KMS key that is yet to be: CreateKey is bound by tag, spec, usage and origin instead.",
    ...(needs.platformKeys && {
      [wildcard(`Resource::${inAccount("kms", "key/*")}`)]:
        "Signing keys are made at run time; the condition on the tag vitaline:use=platform-signing lets through those keys and no other.",
    }),
    ...(needs.fhirSecrets && {
      [wildcard(`Resource::${inAccount("secretsmanager", `secret:${fhirSecretPrefix(data.settings.stage)}*`)}`)]:
        "Client secrets of EHRs are made at run time; the prefix holds those of this stage and nothing else.",
    }),
    ...(needs.fhirSecrets === "use" && {
      [wildcard(`Resource::${inAccount("secretsmanager", `secret:${fhirSecretPrefix(data.settings.stage)}*/${refreshTokenName}-*`)}`)]:
        "Refresh tokens of EHRs lie under ids of providers that no template knows; the name lets through those tokens and no other secret.",
    }),
    ...(needs.exportFiles && {
      [wildcard(`Resource::${filesArn}/${exportsPrefix}*`)]:
        "Exports have names that no template knows; the prefix holds them and nothing else, and a rule of the bucket deletes them after a week.",
    }),
    ...(needs.erasureCopies && {
      [wildcard(`Resource::${filesArn}/${erasureCopiesPrefix}*`)]:
        "Copies that are made before erasures have names that no template knows; the prefix holds them and no other export, and a rule of the bucket deletes them after a week.",
    }),
    ...(needs.filesErased &&
      Object.fromEntries(
        [callsPrefix, keptEventsPrefix, exportsPrefix].map((prefix) => [
          wildcard(`Resource::${filesArn}/${prefix}*`),
          "An erasure reads and deletes files under names that no template knows; the prefix holds one kind of file, and former versions stay for 35 days.",
        ]),
      )),
    ...(needs.archive && {
      [wildcard(`Resource::${objectsOf(data.archive, "BE8F3792")}/*`)]:
        "The archive's objects are named by tenant, day and number; Object Lock keeps every version, and no role may delete one.",
    }),
    ...((needs.files ?? needs.filesRead) && {
      [wildcard(`Resource::${filesArn}/*`)]:
        "New objects have names that no template knows; it may put into this one bucket or read from it, as its other rights say; what lies there is sealed under the vault key besides, names are ids alone, and only an erasure deletes, under rights of its own.",
    }),
    ...((needs.files ?? needs.filesKept) && {
      [wildcard(`Resource::${filesArn}/${callsPrefix}*`)]:
        "Files of calls have names that no template knows; it may tag those alone, and only with a period that the bucket has a rule for.",
    }),
  };
}
