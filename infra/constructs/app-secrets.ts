import { CfnOutput, type RemovalPolicy, type Stack } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { Secret, type SecretStringGenerator } from "aws-cdk-lib/aws-secretsmanager";
import type { AppSecret } from "../resources/names.ts";
import { acknowledge } from "./acknowledge.ts";

const uses: Readonly<Record<AppSecret, string>> = {
  edge: "Proves that a request came through CloudFront",
  tokens: "Signs call tokens and MCP handles",
  cursors: "Encrypts page cursors",
  hashes: "Keys the hashes of names, numbers and codes in the table",
  sessions: "Names the KMS key that signs session tokens",
};

/** The output of the data stack that names a secret's ARN; packages/aws/secrets/rotate.ts reads it. */
const outputOf = (name: AppSecret): string => `${name}SecretArn`.replace(/^./, (first) => first.toUpperCase());

const rotation =
  "npm run rotate replaces it without an interruption: CloudFront and the functions change one after the other, and both values are accepted meanwhile. A rotation function could not update CloudFront.";

/** Values that functions read while they run. Each is `{ "value": … }`, as packages/aws/secrets/secret-ring.ts reads it. */
export function createAppSecrets(
  stack: Stack,
  { encryptionKey, removalPolicy, firstSessionKeyArn }: { encryptionKey: IKey; removalPolicy: RemovalPolicy; firstSessionKeyArn: string },
): Readonly<Record<AppSecret, Secret>> {
  const random: SecretStringGenerator = { secretStringTemplate: "{}", generateStringKey: "value" };
  // As a fixed text, a deployment could bring back the first key after a rotation.
  const firstKey: SecretStringGenerator = {
    secretStringTemplate: stack.toJsonString({ value: firstSessionKeyArn }),
    generateStringKey: "nonce",
  };
  const create = (name: AppSecret, value = random): Secret => {
    const secret = new Secret(stack, outputOf(name).replace(/Arn$/, ""), {
      description: uses[name],
      encryptionKey,
      // CloudFormation generates another value when these change, and forgets the former ones.
      generateSecretString: { passwordLength: 48, excludePunctuation: true, ...value },
      removalPolicy,
    });
    acknowledge(secret, { "AwsSolutions-SMG4": rotation, "HIPAA.Security-SecretsManagerRotationEnabled": rotation });
    new CfnOutput(stack, outputOf(name), { value: secret.secretArn });
    return secret;
  };
  return {
    edge: create("edge"),
    tokens: create("tokens"),
    cursors: create("cursors"),
    hashes: create("hashes"),
    sessions: create("sessions", firstKey),
  };
}
