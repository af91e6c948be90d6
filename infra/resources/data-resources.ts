import type { Stack } from "aws-cdk-lib";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Settings } from "../config/settings.ts";
import type { AppSecret } from "./names.ts";

export type ServedTable = { tableName: string; tableArn: string; streamArn: string };

/** What grants, constructs and the other stacks use of the data stack. */
export type DataResources = Stack & {
  readonly settings: Settings;
  readonly tableKey: Key;
  readonly vaultKey: Key;
  /** Encrypts files, logs, queues and the alarm topic. */
  readonly filesKey: Key;
  /** The one that signs first; tokens of the others are valid too. */
  readonly certificateKey: Key;
  readonly table: TableV2;
  /** The table that functions use: the stack's, or a restored one. */
  readonly served: ServedTable;
  readonly files: Bucket;
  readonly archive: Bucket;
  /** Batches of audit rows that events/archive gave up, until they are redriven. */
  readonly unarchived: Bucket;
  readonly accessLogs: Bucket;
  readonly alarms: Topic;
  readonly appSecrets: Readonly<Record<AppSecret, Secret>>;
};
