import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Publish } from "./sns/configuration-sets.ts";

/** One IAM policy statement, all template functions already resolved. */
export type Statement = {
  Effect: "Allow" | "Deny";
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, string | boolean | (string | boolean)[]>>;
};

/** Who is calling. "all" is the operator: tests, seeds and the supervisor itself. */
export type Principal = { arn: string; statements: Statement[] | "all"; secretAccessKey?: string };

/** Finds who signs with an access key id; undefined means that nobody does. */
export type Grants = (accessKeyId: string) => Principal | undefined;

/** One question to IAM: may this action touch this resource under these condition keys? */
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
  /** Customer-managed key of the table: every caller then also needs kms:Decrypt on it. */
  keyKmsArn?: string;
  keySchema: KeySchemaElement[];
  attributeDefinitions: AttributeDefinition[];
  globalSecondaryIndexes?: IndexSpec[];
  ttlAttribute?: string;
  stream?: boolean;
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
  /** Starting value, or how to generate one (AWS::SecretsManager::Secret GenerateSecretString). Used only at creation. */
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
  /** How long each new version is kept, and whether anybody may be granted to delete it sooner. */
  objectLock?: { days: number; mode: "GOVERNANCE" | "COMPLIANCE" };
  lifecycle?: LifecycleRule[];
};

/** Objects under the prefix that bear all the tags expire after so many days; versions that were replaced, after so many more. */
export type LifecycleRule = { prefix?: string; tags?: Record<string, string>; expirationDays?: number; noncurrentDays?: number };

/** A DynamoDB attribute value on the wire, e.g. { S: "x" }. */
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

/** One record exactly as a Lambda function receives it in `event.Records`. */
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
  /** The oldest records this consumer has not acknowledged, at most `max`; a new consumer begins with the oldest kept. */
  read(consumer: string, max: number): Promise<StreamRecord[]>;
  /** Everything up to and including this sequence number is done; survives a restart. */
  ack(consumer: string, sequenceNumber: string): Promise<void>;
  /** Called after each commit that wrote records. Returns how to stop listening. */
  onRecords(listener: () => void): () => void;
};

/** What one DynamoDB request cost, by DynamoDB's published rules. */
export type Usage = {
  id: number;
  operation: string;
  principalArn: string;
  /** The caller's `x-amzn-trace-id`, else what follows `trace/` in its user agent. */
  trace?: string;
  tables: string[];
  readUnits: number;
  writeUnits: number;
  /** The AWS error code, if the request failed. */
  error?: string;
};

export type Call = { service: string; operation: string; principalArn: string };

/**
 * What to do with a call instead of, or around, answering it.
 * "drop" cuts the connection before anything ran; "after" runs the call and then cuts it (a timeout after commit).
 */
export type Fault = { status: number; code: string; message: string } | { delayMs: number } | "drop" | "after" | undefined;

/** A response before it is sent. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer | Readable };

/** A request to a service that is added from outside (Lambda Invoke, SNS …). */
export type ServiceCall = {
  request: IncomingMessage;
  url: URL;
  /** X-Amz-Target, or method and path. */
  operation: string;
  body: Buffer;
  principal: Principal;
  /** Throws AwsError AccessDeniedException unless the principal may. */
  authorize(access: AccessRequest): void;
};
/** An AwsError that it throws is sent as JSON with its status. */
export type Service = (call: ServiceCall) => Promise<Answer>;

export type AwsOptions = {
  /** Where everything persists; absent means in memory (S3 then uses a temporary folder). */
  dataDir?: string;
  /** 0 or absent: any free port. */
  port?: number;
  region: string;
  account: string;
  principals: Grants;
  /** Epoch milliseconds, by which objects expire. */
  clock?: () => number;
  fault?: (call: Call) => Fault | Promise<Fault>;
  /** How long a transaction keeps its items in flight, so that overlap shows as it does in AWS. Default 2. */
  transactionHoldMs?: number;
  /** Takes what services publish on topics. */
  publish?: Publish;
  /** Further services by the service name in the caller's credential scope, e.g. `lambda`, `sns`. */
  services?: Record<string, Service>;
};
