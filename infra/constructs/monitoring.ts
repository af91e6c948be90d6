import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Construct } from "constructs";
import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { DataResources } from "../resources/data-resources.ts";

type Trigger = {
  description: string;
  metric: IMetric;
  /** It goes off at this value and above. */
  threshold: number;
  /** Periods in a row that must reach it; 1 unless told. */
  periods?: number;
};

/** An alarm that tells the stage's topic when it goes off and when it is over. No traffic is no alarm. */
export function alarmOn(
  scope: Construct,
  id: string,
  { data, description, metric, threshold, periods = 1 }: Trigger & { data: DataResources },
): Alarm {
  const alarm = new Alarm(scope, id, {
    alarmDescription: `Vitaline ${data.settings.stage}: ${description}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(data.alarms);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

/** An encrypted log group with an end; one that AWS would make by itself has neither key nor end. */
export const encryptedLogGroup = (
  scope: Construct,
  id: string,
  { logGroupName, data }: { logGroupName: string; data: DataResources },
): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    encryptionKey: data.filesKey,
    retention: data.settings.keepsData ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
    removalPolicy: data.settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
