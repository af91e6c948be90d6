import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs } from "../needs/index.ts";
import { type AppSecret, fhirSecretPrefix, refreshTokenName } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

export const fhirSecretGrants: Record<NonNullable<Needs["fhirSecrets"]>, (data: DataResources) => PolicyStatement[]> = {
  manage: (data) =>
    encryptedSecretStatements(data, ["CreateSecret", "PutSecretValue", "GetSecretValue"], ["kms:GenerateDataKey", "kms:Decrypt"]),
  use: (data) => [
    ...encryptedSecretStatements(data, ["GetSecretValue"], ["kms:Decrypt"]),
    // EHRs may rotate refresh tokens with each use. All are stored in the table, and some here too.
    ...encryptedSecretStatements(data, ["PutSecretValue"], ["kms:GenerateDataKey"], `*/${refreshTokenName}-*`),
  ],
  delete: (data) => [secretStatement(data, ["DeleteSecret"])],
};

export const appSecretsOf = ({ http, asksSite, secrets = [] }: Needs): AppSecret[] => [
  ...((http ?? asksSite) ? ["edge" as const] : []),
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

const secretArn = (data: DataResources, which: string): string =>
  data.formatArn({ service: "secretsmanager", resource: `secret:${fhirSecretPrefix(data.settings.stage)}${which}` });

const secretStatement = (data: DataResources, actions: string[], which = "*"): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `secretsmanager:${action}`), resources: [secretArn(data, which)] });

function encryptedSecretStatements(data: DataResources, actions: string[], keyActions: string[], which = "*"): PolicyStatement[] {
  const secrets = secretArn(data, which);
  return [
    secretStatement(data, actions, which),
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
