import { ArnFormat } from "aws-cdk-lib";
import { dashed, type FunctionName } from "../config/functions.ts";
import type { DataResources } from "./data-resources.ts";

/** Prefixes in the files bucket. Exports expire after a week, copies made before erasures (packages/erasures) among them. */
export const exportsPrefix = "exports/";
export const erasureCopiesPrefix = `${exportsPrefix}erasures/`;
/** Sealed contents of calls (packages/calls). */
export const callsPrefix = "calls/";
/** Sealed events of voice platforms that are too large for a row (packages/calls). */
export const keptEventsPrefix = "kept-events/";

/** Batches of audit rows in the archive bucket (packages/audit). */
export const archivePrefix = "archive/";

/** In a policy: the tenant of the session, which its tag names. packages/tenant-access starts the sessions. */
export const tenantTag = "${aws:PrincipalTag/tenantId}";

/** The tag with the days for which the bucket keeps an object; packages/aws/s3/sealed-files.ts. */
export const retentionTag = "retention";

/** Functions create the client secrets of EHRs under this prefix at run time: of those that the platform manages. */
export const fhirSecretPrefix = (stage: string): string => `vitaline/${stage}/fhir/`;
/** And of those that a tenant manages: followed by the tenant's id and a folder. */
export const tenantSecretPrefix = (stage: string): string => `vitaline/${stage}/tenants/`;
export const tenantFhirSecretPrefix = (stage: string, tenantId: string): string => `${tenantSecretPrefix(stage)}${tenantId}/fhir/`;

/** The last part of a refresh token's name, after the prefix and the provider's id. Secrets Manager adds six letters to the ARN. */
export const refreshTokenName = "refresh-token";

/** The alias of each function that everything else invokes; a deployment moves it to the new version. */
export const liveAlias = "live";

export const lambdaName = (name: FunctionName, { settings }: DataResources): string => `vitaline-${settings.stage}-${dashed(name)}`;

/** The configuration set at SES and at AWS End User Messaging, referred to by name because it is created after the functions. */
export const configurationSetName = ({ settings }: DataResources): string => `vitaline-${settings.stage}`;

export const configurationSetArn = (service: "ses" | "sms-voice", data: DataResources): string =>
  data.formatArn({ service, resource: "configuration-set", resourceName: configurationSetName(data) });

/** A function as others invoke it, by name: imports between stacks would forbid to rename or remove it. */
export const liveName = (name: FunctionName, data: DataResources): string => `${lambdaName(name, data)}:${liveAlias}`;

export const liveArn = (name: FunctionName, data: DataResources): string =>
  data.formatArn({
    service: "lambda",
    resource: "function",
    resourceName: liveName(name, data),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Secrets that functions read while they run: packages/core/app-secrets.ts. */
export type AppSecret = "edge" | "tokens" | "cursors" | "hashes" | "sessions";

/** The variables with their ARNs: packages/aws/secrets/app-secrets.ts. */
export const appSecretVariables: Readonly<Record<AppSecret, string>> = {
  edge: "EDGE_SECRET_ARN",
  tokens: "TOKENS_SECRET_ARN",
  cursors: "CURSORS_SECRET_ARN",
  hashes: "HASHES_SECRET_ARN",
  sessions: "SESSIONS_SECRET_ARN",
};
