import { Duration } from "aws-cdk-lib";
import { CfnTrail } from "aws-cdk-lib/aws-cloudtrail";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { FilterPattern, type LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { DataResources } from "../../resources/data-resources.ts";
import { alarmOn, encryptedLogGroup } from "./alarm.ts";

type Props = { data: DataResources; bucket: Bucket; key: Key };

/**
 * CloudTrail: all management events, and who beside the functions reads or writes rows, files and the archive. The functions' own
 * access is in the audit log.
 */
export class Trail extends Construct {
  constructor(scope: Construct, id: string, { data, bucket, key }: Props) {
    super(scope, id);
    const trailName = `vitaline-${data.settings.stage}`;
    const trailArn = data.formatArn({ service: "cloudtrail", resource: "trail", resourceName: trailName });
    const policy = allowDelivery(bucket, key, { trailArn, account: data.account });
    const logGroup = encryptedLogGroup(this, "Logs", { logGroupName: `/aws/cloudtrail/${trailName}`, data });
    const { role, rights } = this.#logRole(logGroup);
    const trail = new CfnTrail(this, "Trail", {
      trailName,
      isLogging: true,
      isMultiRegionTrail: true,
      includeGlobalServiceEvents: true,
      enableLogFileValidation: true,
      s3BucketName: bucket.bucketName,
      kmsKeyId: key.keyArn,
      cloudWatchLogsLogGroupArn: logGroup.logGroupArn,
      cloudWatchLogsRoleArn: role.roleArn,
      advancedEventSelectors: [
        { name: "Management", fieldSelectors: [{ field: "eventCategory", equalTo: ["Management"] }] },
        ...dataEvents(data).map(([name, type, arns]) => ({
          name,
          fieldSelectors: [
            { field: "eventCategory", equalTo: ["Data"] },
            { field: "resources.type", equalTo: [type] },
            { field: "resources.ARN", startsWith: arns },
            { field: "userIdentity.arn", notStartsWith: [functionRoles(data)] },
          ],
        })),
      ],
    });
    trail.node.addDependency(policy, rights);
    this.#watchKeys(logGroup, data);
  }

  #logRole(logGroup: LogGroup): { role: Role; rights: ManagedPolicy } {
    const role = new Role(this, "LogRole", {
      assumedBy: new ServicePrincipal("cloudtrail.amazonaws.com"),
      description: "What CloudTrail may write into its log group",
    });
    const rights = new ManagedPolicy(this, "LogPolicy", {
      roles: [role],
      statements: [new PolicyStatement({ actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [logGroup.logGroupArn] })],
    });
    return { role, rights };
  }

  /** A key that is deleted cannot be restored after its waiting time, nor what it encrypts. */
  #watchKeys(logGroup: LogGroup, data: DataResources): void {
    const [metricNamespace, metricName] = ["Vitaline/account", "KeysEnding"];
    new MetricFilter(this, "KeysEnding", {
      logGroup,
      metricNamespace,
      metricName,
      filterPattern: FilterPattern.literal(
        '{ ($.eventSource = "kms.amazonaws.com") && (($.eventName = "ScheduleKeyDeletion") || ($.eventName = "DisableKey")) }',
      ),
    });
    alarmOn(this, "KeyDeletion", {
      data,
      description: "a KMS key was disabled or is going to be deleted",
      metric: new Metric({ namespace: metricNamespace, metricName, statistic: "Sum", period: Duration.minutes(5) }),
      threshold: 1,
    });
  }
}

/** Source: "AdvancedFieldSelector" in the CloudTrail API reference. */
const dataEvents = (data: DataResources): [name: string, type: string, arns: string[]][] => [
  ["Rows", "AWS::DynamoDB::Table", [data.served.tableArn]],
  ["Files", "AWS::S3::Object", [data.files, data.archive].map((bucket) => bucket.arnForObjects(""))],
];

/** Roles of the stage's stacks begin with the stack's name. */
const functionRoles = (data: DataResources): string => `arn:aws:sts::${data.account}:assumed-role/vitaline-${data.settings.stage}-`;

/** Source: "Amazon S3 bucket policy for CloudTrail" and "Configure AWS KMS key policies for CloudTrail" in the CloudTrail User Guide. */
function allowDelivery(bucket: Bucket, key: Key, { trailArn, account }: { trailArn: string; account: string }): Construct {
  const principals = [new ServicePrincipal("cloudtrail.amazonaws.com")];
  const ofTrail = { StringEquals: { "aws:SourceArn": trailArn } };
  bucket.addToResourcePolicy(
    new PolicyStatement({ principals, actions: ["s3:GetBucketAcl"], resources: [bucket.bucketArn], conditions: ofTrail }),
  );
  const { policyDependable } = bucket.addToResourcePolicy(
    new PolicyStatement({
      principals,
      actions: ["s3:PutObject"],
      resources: [bucket.arnForObjects(`AWSLogs/${account}/*`)],
      conditions: ofTrail,
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({ principals, actions: ["kms:GenerateDataKey*", "kms:DescribeKey"], resources: ["*"], conditions: ofTrail }),
  );
  return policyDependable as Construct;
}
