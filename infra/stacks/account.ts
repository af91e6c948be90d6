import { type App, type CfnElement, Duration, RemovalPolicy, Stack, Tags } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { CfnConfigurationRecorder, CfnDeliveryChannel } from "aws-cdk-lib/aws-config";
import { CfnDetector } from "aws-cdk-lib/aws-guardduty";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { CfnHub } from "aws-cdk-lib/aws-securityhub";
import { stackProps } from "../config/settings.ts";
import { acknowledge } from "../constructs/acknowledge.ts";
import { Trail } from "../constructs/monitoring/trail.ts";
import type { DataResources } from "../resources/data-resources.ts";

/** Six years, as HIPAA demands of records of activity (45 CFR 164.316(b)(2)(i)). */
const keptDays = 6 * 366;

/**
 * What watches the account: CloudTrail, Config, GuardDuty, Security Hub and a budget. For an account that no organization watches. It has
 * one of each, so one stage of it may have this stack.
 */
export class AccountStack extends Stack {
  constructor(app: App, data: DataResources) {
    const { settings } = data;
    super(app, `vitaline-${settings.stage}-account`, {
      ...stackProps(settings),
      terminationProtection: settings.keepsData,
      description: "Vitaline: what watches the account",
    });
    const { bucket, key } = this.#records(data);
    new Trail(this, "Trail", { data, bucket, key });
    this.#recordConfiguration(bucket, key);
    new CfnDetector(this, "Threats", {
      enable: true,
      findingPublishingFrequency: "FIFTEEN_MINUTES",
      features: ["S3_DATA_EVENTS", "LAMBDA_NETWORK_LOGS"].map((name) => ({ name, status: "ENABLED" })),
    });
    new CfnHub(this, "Standards", { enableDefaultStandards: true });
    if (settings.alarmEmail) this.#limitCost(settings.monthlyCost, settings.alarmEmail);
  }

  #records(data: DataResources): { bucket: Bucket; key: Key } {
    const removalPolicy = data.settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const key = new Key(this, "Key", {
      description: `Vitaline ${data.settings.stage}: records of the account's activity`,
      enableKeyRotation: true,
      removalPolicy,
    });
    // As every key that functions/keys must not turn into a signing key.
    Tags.of(key).add("vitaline:use", "account-records");
    const bucket = new Bucket(this, "Records", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      versioned: true,
      serverAccessLogsBucket: data.accessLogs,
      serverAccessLogsPrefix: "account/",
      lifecycleRules: [{ expiration: Duration.days(keptDays), noncurrentVersionExpiration: Duration.days(35) }],
      removalPolicy,
    });
    acknowledge(bucket, {
      "HIPAA.Security-S3BucketReplicationEnabled":
        "Records of the account's activity, without patient data: versioned, over three zones, and CloudTrail keeps 90 days of its own.",
    });
    return { bucket, key };
  }

  /** Source: "Permissions for the Amazon S3 bucket for the AWS Config delivery channel" in the AWS Config Developer Guide. */
  #recordConfiguration(bucket: Bucket, key: Key): void {
    const role = new Role(this, "ConfigRole", {
      assumedBy: new ServicePrincipal("config.amazonaws.com"),
      description: "What AWS Config may read and write",
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AWS_ConfigRole")],
    });
    const objects = bucket.arnForObjects(`config/AWSLogs/${this.account}/*`);
    new ManagedPolicy(this, "ConfigPolicy", {
      roles: [role],
      statements: [
        new PolicyStatement({ actions: ["s3:PutObject"], resources: [objects] }),
        new PolicyStatement({ actions: ["s3:GetBucketAcl", "s3:ListBucket"], resources: [bucket.bucketArn] }),
        new PolicyStatement({
          actions: ["kms:GenerateDataKey", "kms:Decrypt"],
          resources: [key.keyArn],
          conditions: { StringEquals: { "kms:ViaService": `s3.${this.region}.amazonaws.com` } },
        }),
      ],
    });
    acknowledge(this, {
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWS_ConfigRole]":
        "AWS's own policy for Config, which only that service can assume; it reads the configuration of resources and none of their data.",
      [`AwsSolutions-IAM5[Resource::<${this.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/config/AWSLogs/${this.account}/*]`]:
        "Config names its snapshots; it may only put them, under its own prefix of this bucket.",
    });
    const recorder = new CfnConfigurationRecorder(this, "Recorder", {
      roleArn: role.roleArn,
      recordingGroup: { allSupported: true, includeGlobalResourceTypes: true },
    });
    const channel = new CfnDeliveryChannel(this, "Delivery", { s3BucketName: bucket.bucketName, s3KeyPrefix: "config" });
    // A recorder starts once it can deliver, and a channel needs its recorder.
    channel.node.addDependency(recorder);
  }

  #limitCost(amount: number, address: string): void {
    const subscribers = [{ subscriptionType: "EMAIL", address }];
    new CfnBudget(this, "Budget", {
      budget: { budgetType: "COST", timeUnit: "MONTHLY", budgetLimit: { amount, unit: "USD" } },
      notificationsWithSubscribers: (
        [
          ["ACTUAL", 80],
          ["FORECASTED", 100],
        ] as const
      ).map(([notificationType, threshold]) => ({
        notification: { notificationType, threshold, thresholdType: "PERCENTAGE", comparisonOperator: "GREATER_THAN" },
        subscribers,
      })),
    });
  }
}
