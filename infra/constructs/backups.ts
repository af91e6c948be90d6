import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from "aws-cdk-lib/aws-backup";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import { backupDays } from "@vitaline/contract";
import type { DataResources } from "../resources/data-resources.ts";
import { acknowledge } from "./acknowledge.ts";
import { alarmOn } from "./monitoring/alarm.ts";

/** After this time no one, AWS included, can remove the lock of a vault in compliance mode. */
const lockChangeable = Duration.days(3);

/**
 * A backup of the table each day, in a locked vault and, if the stage names one, in a vault elsewhere. Kept exactly as long as
 * certificates of erasures say: not deleted before, because the vault is locked, and not kept longer.
 */
export function backUp(data: DataResources, encryptionKey: Key): void {
  const kept = Duration.days(backupDays);
  const isProduction = data.settings.archive.mode === "compliance";
  const vault = new BackupVault(data, "BackupVault", {
    backupVaultName: `vitaline-${data.settings.stage}`,
    encryptionKey,
    blockRecoveryPointDeletion: true,
    // A vault needs two different bounds; the lock keeps each backup for its own time, `kept`.
    lockConfiguration: {
      minRetention: Duration.days(backupDays - 1),
      maxRetention: kept,
      ...(isProduction ? { changeableFor: lockChangeable } : {}),
    },
    // Its name is fixed: one that a failed first deployment left would stop the next.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const { backupCopyVault } = data.settings;
  const plan = new BackupPlan(data, "BackupPlan", {
    backupPlanName: `vitaline-${data.settings.stage}`,
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: "daily",
        scheduleExpression: Schedule.cron({ hour: "5", minute: "0" }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(8),
        deleteAfter: kept,
        ...(backupCopyVault
          ? {
              copyActions: [
                { destinationBackupVault: BackupVault.fromBackupVaultArn(data, "BackupCopyVault", backupCopyVault), deleteAfter: kept },
              ],
            }
          : {}),
      }),
    ],
  });
  const role = new Role(data, "BackupRole", {
    assumedBy: new ServicePrincipal("backup.amazonaws.com"),
    description: "What AWS Backup may do to back up the table",
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSBackupServiceRolePolicyForBackup")],
  });
  acknowledge(role, {
    "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]":
      "AWS's own policy for AWS Backup, which only that service can assume. It cannot restore; deleting a backup of the vault is refused by the vault's lock.",
  });
  new BackupSelection(data, "BackupSelection", {
    backupPlan: plan,
    role,
    disableDefaultBackupPolicy: true,
    resources: [BackupResource.fromDynamoDbTable(Table.fromTableArn(data, "BackedUpTable", data.served.tableArn))],
  });
  const metric = (metricName: string, hours = 24): Metric =>
    new Metric({
      namespace: "AWS/Backup",
      metricName,
      statistic: "Sum",
      period: Duration.hours(hours),
      dimensionsMap: { BackupVaultName: vault.backupVaultName },
    });
  alarmOn(data, "BackupFailed", {
    data,
    description: "a backup of the table failed",
    metric: metric("NumberOfBackupJobsFailed"),
    threshold: 1,
  });
  alarmOn(data, "BackupMissing", {
    data,
    description: "the table was not backed up for 36 hours",
    // A backup may begin an hour later than the day before, and take hours more.
    metric: metric("NumberOfBackupJobsCompleted", 6),
    threshold: 0,
    periods: 6,
    below: true,
    silenceBreaches: true,
  });
  if (backupCopyVault)
    alarmOn(data, "BackupCopyFailed", {
      data,
      description: "a backup of the table was not copied into the vault elsewhere",
      metric: metric("NumberOfCopyJobsFailed"),
      threshold: 1,
    });
}
