import type {
  AttributeDefinition,
  BucketDefinition,
  IndexSpec,
  KeyDefinition,
  KeySchemaElement,
  LifecycleRule,
  ResourceStatement,
  SecretDefinition,
  TableSpec,
} from "../aws/index.ts";
import { StartError } from "../lib/run.ts";
import { named, refuse, type Placed, type Resources } from "./resources.ts";

type Tag = { Key: string; Value: string };

const tagsOf = (tags: unknown): Record<string, string> => Object.fromEntries(((tags ?? []) as Tag[]).map(({ Key, Value }) => [Key, Value]));

const keyArn = (resources: Resources, keyId: unknown, where: string): string | undefined =>
  keyId === undefined || keyId === "alias/aws/secretsmanager"
    ? undefined
    : named(resources.ofType("AWS::KMS::Key"), String(keyId), where).attributes["Arn"];

const arnOf = ({ attributes }: Placed): string => attributes["Arn"] ?? "";

type Replica = {
  Region: string;
  PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled: boolean };
  SSESpecification?: { KMSMasterKeyId: string };
};
type GlobalTable = {
  KeySchema: KeySchemaElement[];
  AttributeDefinitions: AttributeDefinition[];
  GlobalSecondaryIndexes?: IndexSpec[];
  TimeToLiveSpecification?: { AttributeName?: string; Enabled: boolean };
  StreamSpecification?: { StreamViewType: string };
  Replicas: Replica[];
};

export const readTables = (resources: Resources): TableSpec[] =>
  resources.ofType("AWS::DynamoDB::GlobalTable").map((table) => {
    refuse(table, "LocalSecondaryIndexes");
    const properties = table.properties as unknown as GlobalTable;
    const { StreamSpecification: stream, TimeToLiveSpecification: ttl } = properties;
    if (stream && stream.StreamViewType !== "NEW_AND_OLD_IMAGES")
      throw new StartError(`${table.where}: only streams of NEW_AND_OLD_IMAGES run here.`);
    const replica = properties.Replicas.find(({ Region }) => Region === table.stack.region);
    return {
      name: table.ref,
      arn: arnOf(table),
      keyKmsArn: keyArn(resources, replica?.SSESpecification?.KMSMasterKeyId, table.where),
      keySchema: properties.KeySchema,
      attributeDefinitions: properties.AttributeDefinitions,
      globalSecondaryIndexes: properties.GlobalSecondaryIndexes,
      ttlAttribute: ttl?.Enabled ? ttl.AttributeName : undefined,
      stream: stream !== undefined,
      pointInTimeRecovery: replica?.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled,
    };
  });

const keySpecs = ["SYMMETRIC_DEFAULT", "RSA_2048", "RSA_3072"] as const;

export const readKeys = (resources: Resources): KeyDefinition[] =>
  resources.ofType("AWS::KMS::Key").map((key) => {
    const { KeySpec = "SYMMETRIC_DEFAULT", Tags, Description } = key.properties;
    const spec = keySpecs.find((name) => name === KeySpec);
    if (!spec) throw new StartError(`${key.where}: keys of ${String(KeySpec)} do not run here.`);
    const aliases = resources
      .ofType("AWS::KMS::Alias")
      .filter((alias) => [key.ref, arnOf(key)].includes(String(alias.properties["TargetKeyId"])));
    return {
      keyId: key.ref,
      arn: arnOf(key),
      spec,
      tags: tagsOf(Tags),
      aliases: aliases.map(({ ref }) => ref),
      description: typeof Description === "string" ? Description : undefined,
    };
  });

export const readSecrets = (resources: Resources): SecretDefinition[] =>
  resources.ofType("AWS::SecretsManager::Secret").map((secret) => {
    refuse(secret, "ReplicaRegions");
    const { SecretString, GenerateSecretString, KmsKeyId, Description, Tags } = secret.properties;
    return {
      arn: secret.ref,
      name:
        secret.ref
          .split(":")
          .at(-1)
          ?.replace(/-[0-9a-f]{6}$/, "") ?? "",
      kmsKeyArn: keyArn(resources, KmsKeyId, secret.where),
      description: typeof Description === "string" ? Description : undefined,
      tags: tagsOf(Tags),
      value: typeof SecretString === "string" ? SecretString : undefined,
      generate: GenerateSecretString as SecretDefinition["generate"],
    };
  });

type Encryption = { ServerSideEncryptionConfiguration: { ServerSideEncryptionByDefault?: { KMSMasterKeyID?: string } }[] };
type ObjectLock = { Rule?: { DefaultRetention?: { Mode: "GOVERNANCE" | "COMPLIANCE"; Days?: number; Years?: number } } };

type Lifecycle = {
  Rules: {
    Status: string;
    Prefix?: string;
    TagFilters?: Tag[];
    ExpirationInDays?: number;
    NoncurrentVersionExpiration?: { NoncurrentDays: number };
  }[];
};

const lifecycleOf = (configuration: unknown): LifecycleRule[] =>
  ((configuration as Lifecycle | undefined)?.Rules ?? [])
    .filter(({ Status }) => Status === "Enabled")
    .map(({ Prefix, TagFilters, ExpirationInDays, NoncurrentVersionExpiration }) => ({
      prefix: Prefix,
      tags: tagsOf(TagFilters),
      expirationDays: ExpirationInDays,
      noncurrentDays: NoncurrentVersionExpiration?.NoncurrentDays,
    }));

export const readBuckets = (resources: Resources): BucketDefinition[] =>
  resources.ofType("AWS::S3::Bucket").map((bucket) => {
    const { BucketEncryption, VersioningConfiguration, ObjectLockConfiguration, LifecycleConfiguration } = bucket.properties;
    const [encryption] = (BucketEncryption as Encryption | undefined)?.ServerSideEncryptionConfiguration ?? [];
    const retention = (ObjectLockConfiguration as ObjectLock | undefined)?.Rule?.DefaultRetention;
    return {
      name: bucket.ref,
      kmsKeyArn: keyArn(resources, encryption?.ServerSideEncryptionByDefault?.KMSMasterKeyID, bucket.where),
      versioned: (VersioningConfiguration as { Status?: string } | undefined)?.Status === "Enabled",
      objectLock: retention && { mode: retention.Mode, days: retention.Days ?? (retention.Years ?? 0) * 365 },
      lifecycle: lifecycleOf(LifecycleConfiguration),
      policy: resources
        .ofType("AWS::S3::BucketPolicy")
        .filter(({ properties }) => properties["Bucket"] === bucket.ref)
        .flatMap(({ properties }) => (properties["PolicyDocument"] as { Statement: ResourceStatement[] }).Statement),
    };
  });
