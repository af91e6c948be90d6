import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Needs } from "../needs/index.ts";
import { fhirSecretPrefix, refreshTokenName } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

export const fhirSecrets: Record<NonNullable<Needs["fhirSecrets"]>, (data: DataResources) => PolicyStatement[]> = {
  manage: (data) => onSecrets(data, ["CreateSecret", "PutSecretValue", "GetSecretValue"], ["kms:GenerateDataKey", "kms:Decrypt"]),
  use: (data) => [
    ...onSecrets(data, ["GetSecretValue"], ["kms:Decrypt"]),
    // An EHR may give a new refresh token whenever one is used: all lie sealed in the table, and now and then one here too.
    ...onSecrets(data, ["PutSecretValue"], ["kms:GenerateDataKey"], `*/${refreshTokenName}-*`),
  ],
  delete: (data) => [onSecretsAlone(data, ["DeleteSecret"])],
};

const secretsOf = (data: DataResources, which: string): string =>
  data.formatArn({ service: "secretsmanager", resource: `secret:${fhirSecretPrefix(data.settings.stage)}${which}` });

const onSecretsAlone = (data: DataResources, actions: string[], which = "*"): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `secretsmanager:${action}`), resources: [secretsOf(data, which)] });

function onSecrets(data: DataResources, actions: string[], keyActions: string[], which = "*"): PolicyStatement[] {
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
