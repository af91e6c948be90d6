import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { PinpointSMSVoiceV2Client } from "@aws-sdk/client-pinpoint-sms-voice-v2";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { AwsOptions, Statement, TableSpec } from "./types.ts";
import { startAws } from "./start.ts";

export const region = "us-east-1";
export const account = "000000000000";
const secretAccessKey = "a-secret-that-signs";

const arn = (name: string) => `arn:aws:dynamodb:${region}:${account}:table/${name}`;

export const tableSpec = (name: string, extra: Partial<TableSpec> = {}): TableSpec => ({
  name,
  arn: arn(name),
  keySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  attributeDefinitions: ["pk", "sk", "gpk", "gsk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  globalSecondaryIndexes: [
    {
      IndexName: "gsi",
      KeySchema: [
        { AttributeName: "gpk", KeyType: "HASH" },
        { AttributeName: "gsk", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "ALL" },
    },
  ],
  ttlAttribute: "expiresAt",
  stream: true,
  ...extra,
});

/** SDK clients without retries, so that a test sees the first answer. */
export function clientsAt(endpoint: string, accessKeyId: string, secret = secretAccessKey, sessionToken?: string) {
  const config = { endpoint, region, credentials: { accessKeyId, secretAccessKey: secret, sessionToken }, maxAttempts: 1 };
  const dynamodb = new DynamoDBClient(config);
  const s3 = new S3Client(config);
  const kms = new KMSClient(config);
  const secrets = new SecretsManagerClient(config);
  const ses = new SESv2Client(config);
  const sms = new PinpointSMSVoiceV2Client(config);
  return {
    dynamodb,
    table: DynamoDBDocumentClient.from(dynamodb),
    kms,
    secrets,
    s3,
    ses,
    sms,
    destroy: () => [dynamodb, s3, kms, secrets, ses, sms].forEach((client) => client.destroy()),
  };
}

/** In memory unless `dataDir` is set, with an operator who may do everything. */
export async function startEndpoint(options: Partial<AwsOptions> = {}) {
  const roles = new Map<string, Statement[] | "all">([["operator", "all"]]);
  const principals: AwsOptions["principals"] = (accessKeyId) => {
    const statements = roles.get(accessKeyId);
    return statements && { arn: `arn:aws:iam::${account}:role/${accessKeyId}`, statements, secretAccessKey };
  };
  const aws = await startAws({ region, account, principals, ...options });
  const operator = clientsAt(aws.url, "operator");
  const opened = [operator];
  return {
    aws,
    ...operator,
    as(role: string, statements: Statement[]) {
      roles.set(role, statements);
      const clients = clientsAt(aws.url, role);
      opened.push(clients);
      return clients;
    },
    async close() {
      for (const clients of opened) clients.destroy();
      await aws.close();
    },
  };
}

export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;
