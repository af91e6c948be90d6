import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs } from "../needs/index.ts";
import { type AppSecret, fhirSecretPrefix, refreshTokenName, tenantFhirSecretPrefix, tenantTag } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

type Grant = (data: DataResources, prefixes: readonly string[]) => PolicyStatement[];

const grants: Record<NonNullable<Needs["fhirSecrets"]>, Grant> = {
  manage: (data, prefixes) =>
    encryptedSecretStatements(
      data,
      ["CreateSecret", "PutSecretValue", "GetSecretValue"],
      ["kms:GenerateDataKey", "kms:Decrypt"],
      under(prefixes),
    ),
  use: (data, prefixes) => [
    ...encryptedSecretStatements(data, ["GetSecretValue"], ["kms:Decrypt"], under(prefixes)),
    // EHRs may rotate refresh tokens with each use. All are stored in the table, and some here too.
    ...encryptedSecretStatements(data, ["PutSecretValue"], ["kms:GenerateDataKey"], under(prefixes, `*/${refreshTokenName}-*`)),
  ],
  delete: (data, prefixes) => [secretStatement(data, ["DeleteSecret"], under(prefixes))],
};

export const appSecretsOf = ({ http, asksSite, sessionKey, secrets = [] }: Needs): AppSecret[] => [
  ...((http ?? asksSite) ? ["edge" as const] : []),
  ...(sessionKey ? ["sessions" as const] : []),
  ...secrets,
];

export function appSecretGrants(needs: Needs, data: DataResources): PolicyStatement[] {
  const arns = appSecretsOf(needs).map((name) => data.appSecrets[name].secretArn);
  if (arns.length === 0) return [];
  return [
    new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: arns }),
    new PolicyStatement({
      actions: ["kms:Decrypt"],
      resources: [data.vaultKey.keyArn],
      conditions: {
        StringEquals: {
          "kms:ViaService": `secretsmanager.${data.region}.amazonaws.com`,
          "kms:EncryptionContext:SecretARN": arns,
        },
      },
    }),
  ];
}

/** Of the connections that the platform manages, and unless the function has a role for one tenant, of those that tenants manage. */
export const fhirSecretGrants = ({ fhirSecrets, tenant }: Needs, data: DataResources): PolicyStatement[] => {
  const { stage } = data.settings;
  return fhirSecrets ? grants[fhirSecrets](data, [fhirSecretPrefix(stage), ...(tenant ? [] : [tenantFhirSecretPrefix(stage, "*")])]) : [];
};

/** Of the connections that the session's tenant manages. */
export const tenantFhirSecretGrants = (fhirSecrets: NonNullable<Needs["fhirSecrets"]>, data: DataResources): PolicyStatement[] =>
  grants[fhirSecrets](data, [tenantFhirSecretPrefix(data.settings.stage, tenantTag)]);

const under = (prefixes: readonly string[], which = "*"): string[] => prefixes.map((prefix) => `${prefix}${which}`);

const secretArns = (data: DataResources, names: readonly string[]): string[] =>
  names.map((name) => data.formatArn({ service: "secretsmanager", resource: `secret:${name}` }));

const secretStatement = (data: DataResources, actions: string[], names: readonly string[]): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `secretsmanager:${action}`), resources: secretArns(data, names) });

function encryptedSecretStatements(
  data: DataResources,
  actions: string[],
  keyActions: string[],
  names: readonly string[],
): PolicyStatement[] {
  return [
    secretStatement(data, actions, names),
    new PolicyStatement({
      actions: keyActions,
      resources: [data.vaultKey.keyArn],
      conditions: {
        StringEquals: { "kms:ViaService": `secretsmanager.${data.region}.amazonaws.com` },
        StringLike: { "kms:EncryptionContext:SecretARN": secretArns(data, names) },
      },
    }),
  ];
}
