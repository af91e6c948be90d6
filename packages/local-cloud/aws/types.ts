import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { RecordMetric } from "./cloudwatch/index.ts";
import type { Publish } from "./sns/configuration-sets.ts";

export type Statement = {
  Effect: "Allow" | "Deny";
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, string | boolean | (string | boolean)[]>>;
};

/** A statement of a resource's policy. */
export type ResourceStatement = Statement & { Principal: "*" | { AWS?: string | string[]; Service?: string | string[] } };

export type Principal = { arn: string; statements: Statement[] | "all"; secretAccessKey?: string; session?: RoleSession };

/** An assumed role with its session tags; `token`: what requests must present beside the key. */
export type RoleSession = { roleArn: string; tags: Record<string, string>; token: string; expiresAtMs: number };

export type Role = { arn: string; statements: Statement[]; trust: ResourceStatement[] };

/** Undefined for an unknown access key id. */
export type Grants = (accessKeyId: string) => Principal | undefined;

export type AccessRequest = { action: string; resource: string; context?: ConditionContext };
export type ConditionContext = Record<string, string | string[] | undefined>;

export type KeySchemaElement = { AttributeName: string; KeyType: "HASH" | "RANGE" };
export type AttributeDefinition = { AttributeName: string; AttributeType: "S" | "N" | "B" };
export type IndexSpec = {
  IndexName: string;
  KeySchema: KeySchemaElement[];
  Projection: { ProjectionType?: "ALL" | "KEYS_ONLY" | "INCLUDE"; NonKeyAttributes?: string[] };
};
export type TableSpec = {
  name: string;
  arn: string;
  /** With a customer-managed key every caller also needs kms:Decrypt on it. */
  keyKmsArn?: string;
  keySchema: KeySchemaElement[];
  attributeDefinitions: AttributeDefinition[];
  globalSecondaryIndexes?: IndexSpec[];
  ttlAttribute?: string;
  stream?: boolean;
  pointInTimeRecovery?: boolean;
};

export type KeyDefinition = {
  keyId: string;
  arn: string;
  spec: "SYMMETRIC_DEFAULT" | "RSA_2048" | "RSA_3072";
  tags?: Record<string, string>;
  aliases?: string[];
  description?: string;
};

export type SecretDefinition = {
  arn: string;
  name: string;
  kmsKeyArn?: string;
  description?: string;
  tags?: Record<string, string>;
  /** Initial value, or how to generate one (AWS::SecretsManager::Secret GenerateSecretString). Used only at creation. */
  value?: string;
  generate?: {
    PasswordLength?: number;
    ExcludeCharacters?: string;
    ExcludePunctuation?: boolean;
    ExcludeNumbers?: boolean;
    ExcludeUppercase?: boolean;
    ExcludeLowercase?: boolean;
    IncludeSpace?: boolean;
    SecretStringTemplate?: string;
    GenerateStringKey?: string;
  };
};

export type BucketDefinition = {
  name: string;
  kmsKeyArn?: string;
  versioned?: boolean;
  /** Retention of each new version. GOVERNANCE allows an earlier deletion with a permission. */
  objectLock?: { days: number; mode: "GOVERNANCE" | "COMPLIANCE" };
  lifecycle?: LifecycleRule[];
  /** Only its refusals are applied; what a policy allows must also be allowed by the caller's own. */
  policy?: ResourceStatement[];
};

export type LifecycleRule = { prefix?: string; tags?: Record<string, string>; expirationDays?: number; noncurrentDays?: number };

export type AttributeValue = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: AttributeValue[];
  M?: Item;
};
export type Item = { [attribute: string]: AttributeValue };

export type StreamRecord = {
  eventID: string;
  eventName: "INSERT" | "MODIFY" | "REMOVE";
  eventVersion: "1.1";
  eventSource: "aws:dynamodb";
  awsRegion: string;
  eventSourceARN: string;
  userIdentity?: { type: "Service"; principalId: "dynamodb.amazonaws.com" };
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: "NEW_AND_OLD_IMAGES";
  };
};

export type TableStream = {
  /** At most `max` of the oldest records that this consumer has not acknowledged; a new consumer starts with the oldest record. */
  read(consumer: string, max: number): Promise<StreamRecord[]>;
  ack(consumer: string, sequenceNumber: string): Promise<void>;
  onRecords(listener: () => void): () => void;
  /** Drops records older than a day, read or not, as DynamoDB does. The platform keeps unread ones, as the machine may be off for days. */
  dropOld(nowMs: number): Promise<void>;
};

export type Usage = {
  id: number;
  operation: string;
  principalArn: string;
  /** The caller's `x-amzn-trace-id`, else the text after `trace/` in its user agent. */
  trace?: string;
  tables: string[];
  readUnits: number;
  writeUnits: number;
  error?: string;
};

export type Call = { service: string; operation: string; principalArn: string };

/** "drop" cuts the connection before the call runs; "after" runs the call and then cuts the connection (a timeout after commit). */
export type Fault = { status: number; code: string; message: string } | { delayMs: number } | "drop" | "after" | undefined;

export type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer | Readable };

export type ServiceCall = {
  request: IncomingMessage;
  url: URL;
  /** X-Amz-Target, or method and path. */
  operation: string;
  body: Buffer;
  principal: Principal;
  /** Throws AwsError AccessDeniedException. */
  authorize(access: AccessRequest): void;
};
/** A thrown AwsError is sent as JSON with its status. */
export type Service = (call: ServiceCall) => Promise<Answer>;

export type AwsOptions = {
  dataDir?: string;
  port?: number;
  region: string;
  account: string;
  principals: Grants;
  /** Roles that may be assumed, by ARN. */
  roles?: (arn: string) => Role | undefined;
  clock?: () => number;
  fault?: (call: Call) => Fault | Promise<Fault>;
  /** A transaction keeps its items in flight until then, so that conflicts occur as in AWS. By default two milliseconds. */
  holdTransaction?: () => Promise<unknown>;
  publish?: Publish;
  record?: RecordMetric;
  services?: Record<string, Service>;
};
