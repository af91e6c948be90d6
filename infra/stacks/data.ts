import { type App, CfnOutput, Duration, RemovalPolicy, Stack, Tags } from "aws-cdk-lib";
import { AttributeType, Billing, StreamViewType, TableEncryptionV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key, type KeyProps, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, ObjectLockRetention, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { retentionDays } from "@vitaline/contract";
import { acknowledge } from "../constructs/acknowledge.ts";
import { createAppSecrets } from "../constructs/app-secrets.ts";
import { refuseOverwrites } from "../constructs/archive-policy.ts";
import { backUp } from "../constructs/backups.ts";
import { replicate, watchReplication } from "../constructs/replication.ts";
import { type Settings, stackProps } from "../config/settings.ts";
import type { DataResources, ServedTable } from "../resources/data-resources.ts";
import { callsPrefix, exportsPrefix, keptEventsPrefix, retentionTag } from "../resources/names.ts";

const pitrDays = 35;
const unarchivedDays = 90;

/** Durable resources: the table, keys, buckets, app secrets and the alarm topic. */
export class DataStack extends Stack implements DataResources {
  readonly settings: Settings;
  readonly tableKey: Key;
  readonly vaultKey: Key;
  readonly filesKey: Key;
  readonly certificateKey: Key;
  readonly table: TableV2;
  readonly served: ServedTable;
  readonly files: Bucket;
  readonly archive: Bucket;
  readonly unarchived: Bucket;
  readonly accessLogs: Bucket;
  readonly alarms: Topic;
  readonly appSecrets: DataResources["appSecrets"];

  constructor(app: App, settings: Settings) {
    super(app, `vitaline-${settings.stage}-data`, {
      ...stackProps(settings),
      terminationProtection: settings.keepsData,
      description: "Vitaline: what must outlive code",
    });
    this.settings = settings;
    this.tableKey = this.#key("TableKey", "table", "The table, through DynamoDB alone");
    this.vaultKey = this.#key("VaultKey", "vault", "Secrets and patient data, by purpose");
    this.filesKey = this.#key("FilesKey", "files", "Files, logs, queues and alarms");
    this.certificateKey = this.#key("CertificateKey", "certificates", "Signs certificates of erasures", {
      keySpec: KeySpec.RSA_3072,
      keyUsage: KeyUsage.SIGN_VERIFY,
      enableKeyRotation: false,
    });
    this.#grantFilesKeyToServices();

    this.table = new TableV2(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      // Calls by time. Sparse: other rows have no gsi1pk.
      globalSecondaryIndexes: [
        {
          indexName: "gsi1",
          partitionKey: { name: "gsi1pk", type: AttributeType.STRING },
          sortKey: { name: "gsi1sk", type: AttributeType.STRING },
        },
      ],
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.tableKey),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: "expiresAt",
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: pitrDays },
      deletionProtection: settings.keepsData,
      removalPolicy: this.#removal,
    });

    // Also while a restored table is served: CloudFormation refuses to remove an export that deployed stacks still import.
    for (const value of [this.table.tableName, this.table.tableArn, this.table.tableStreamArn]) this.exportValue(value);
    this.served = this.#servedTable();

    this.accessLogs = this.#bucket("AccessLogs", {
      encryption: BucketEncryption.S3_MANAGED,
      versioned: true,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(1) }],
    });
    acknowledge(this.accessLogs, {
      "HIPAA.Security-S3BucketReplicationEnabled":
        "Access logs of a year, versioned; the audit of patient data is in the table and its point-in-time backups.",
      "HIPAA.Security-S3DefaultEncryptionKMS":
        "S3 delivers access logs only into buckets with SSE-S3, which this one has; the lines name keys of objects, which hold ids alone.",
    });

    this.files = this.#bucket("Files", {
      ...this.#encrypted,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: "files/",
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1), noncurrentVersionExpiration: Duration.days(35) },
        { prefix: exportsPrefix, expiration: Duration.days(7), noncurrentVersionExpiration: Duration.days(1) },
        // Erasures delete these files too. Files of events recorded later expire like all others; their rows expire at the same time.
        { prefix: keptEventsPrefix, expiration: Duration.days(30), noncurrentVersionExpiration: Duration.days(1) },
        // One rule for each retention period; the retention tag of a file selects the rule.
        ...retentionDays.map((days) => ({
          id: `${retentionTag}-${days}`,
          prefix: callsPrefix,
          tagFilters: { [retentionTag]: String(days) },
          expiration: Duration.days(days),
          noncurrentVersionExpiration: Duration.days(1),
        })),
      ],
    });
    this.archive = this.#bucket("Archive", {
      ...this.#encrypted,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: "archive/",
      objectLockEnabled: true,
      objectLockDefaultRetention:
        settings.archive.mode === "compliance"
          ? ObjectLockRetention.compliance(Duration.days(settings.archive.days))
          : ObjectLockRetention.governance(Duration.days(settings.archive.days)),
    });
    refuseOverwrites(this.archive);
    this.unarchived = this.#bucket("Unarchived", {
      ...this.#encrypted,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: "unarchived/",
      lifecycleRules: [{ expiration: Duration.days(unarchivedDays), noncurrentVersionExpiration: Duration.days(1) }],
    });
    acknowledge(this.unarchived, {
      "HIPAA.Security-S3BucketReplicationEnabled":
        "A copy of stream records that failed, kept until they are redriven; the table holds the same rows, with point-in-time recovery.",
    });
    if (settings.replicas) replicate(this, settings.replicas);
    else
      for (const bucket of [this.files, this.archive])
        acknowledge(bucket, {
          "HIPAA.Security-S3BucketReplicationEnabled":
            "Objects are versioned over three zones and kept for their retention; the setting replicas copies them to the operator's buckets, as data may not leave a region unasked.",
        });

    const firstSessionKey = this.#key("SessionKey", "session-signing", "Signs session tokens, until npm run rotate replaces it", {
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      enableKeyRotation: false,
    });
    Tags.of(firstSessionKey).add("vitaline:stage", settings.stage);
    this.appSecrets = createAppSecrets(this, {
      ...{ encryptionKey: this.vaultKey, removalPolicy: this.#removal },
      firstSessionKeyArn: firstSessionKey.keyArn,
    });

    this.alarms = new Topic(this, "Alarms", {
      masterKey: this.filesKey,
      enforceSSL: true,
      displayName: `Vitaline ${settings.stage} alarms`,
    });
    // A topic policy replaces SNS's own, which lets the account publish
    this.alarms.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [this.alarms.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    if (settings.alarmEmail)
      acknowledge(this.alarms.addSubscription(new EmailSubscription(settings.alarmEmail)), {
        "Serverless-SNSRedrivePolicy":
          "Its only subscriber is a mailbox: SNS tries again for hours by itself, and a queue could not send the mail either. CloudWatch keeps the history of each alarm for 30 days.",
      });

    if (settings.replicas) watchReplication(this, settings.replicas);
    if (settings.keepsData) backUp(this, this.#key("BackupKey", "backups", "Backups of the table"));

    new CfnOutput(this, "TableName", { value: this.served.tableName });
    new CfnOutput(this, "ArchiveBucket", { value: this.archive.bucketName });
    new CfnOutput(this, "UnarchivedBucket", { value: this.unarchived.bucketName });
    new CfnOutput(this, "AppSecretSeconds", { value: String(settings.appSecretSeconds) });
    new CfnOutput(this, "VaultKeyArn", { value: this.vaultKey.keyArn });
    new CfnOutput(this, "CertificateKeyArn", { value: this.certificateKey.keyArn });
  }

  #servedTable(): ServedTable {
    const { tableName, tableStreamArn } = this.settings;
    if (tableName === undefined || tableStreamArn === undefined)
      return { tableName: this.table.tableName, tableArn: this.table.tableArn, streamArn: this.table.tableStreamArn ?? "" };
    return {
      tableName,
      tableArn: this.formatArn({ service: "dynamodb", resource: "table", resourceName: tableName }),
      streamArn: tableStreamArn,
    };
  }

  get #removal(): RemovalPolicy {
    return this.settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  }

  get #encrypted(): Partial<BucketProps> {
    return { encryption: BucketEncryption.KMS, encryptionKey: this.filesKey, bucketKeyEnabled: true, versioned: true };
  }

  #key(id: string, use: string, description: string, props: KeyProps = {}): Key {
    const key = new Key(this, id, {
      description: `Vitaline ${this.settings.stage}: ${description}`,
      enableKeyRotation: true,
      removalPolicy: this.#removal,
      ...props,
    });
    // functions/keys may tag only keys without this tag, so all other keys need one.
    Tags.of(key).add("vitaline:use", use);
    return key;
  }

  #bucket(id: string, props: BucketProps): Bucket {
    return new Bucket(this, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: this.#removal,
      autoDeleteObjects: !this.settings.keepsData,
      ...props,
    });
  }

  /** CloudWatch writes encrypted logs; alarms and receipts go to encrypted topics, and those to encrypted queues. */
  #grantFilesKeyToServices(): void {
    const actions = ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*", "kms:DescribeKey"];
    this.filesKey.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(`logs.${this.region}.amazonaws.com`)],
        actions,
        resources: ["*"],
        conditions: { ArnLike: { "kms:EncryptionContext:aws:logs:arn": this.formatArn({ service: "logs", resource: "log-group:*" }) } },
      }),
    );
    this.filesKey.addToResourcePolicy(
      new PolicyStatement({
        principals: ["cloudwatch", "ses", "sms-voice", "sns"].map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
        resources: ["*"],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
  }
}
