import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Construct } from "constructs";
import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { DataResources } from "../../resources/data-resources.ts";

type Trigger = {
  description: string;
  metric: IMetric;
  /** Inclusive. */
  threshold: number;
  /** Default 1. */
  periods?: number;
  /** Of the periods, those that must breach; default all. */
  datapoints?: number;
  /** The alarm starts at values below the threshold. */
  below?: true;
  /** Silence is a failure, not health. */
  silenceBreaches?: true;
};

/** An alarm that notifies the stage's topic when it starts and ends. */
export function alarmOn(
  scope: Construct,
  id: string,
  { data, description, metric, threshold, periods = 1, datapoints, below, silenceBreaches }: Trigger & { data: DataResources },
): Alarm {
  const alarm = new Alarm(scope, id, {
    // The messages name it.
    alarmName: `${scope.node.path.replaceAll("/", "-")}-${id}`,
    alarmDescription: `Vitaline ${data.settings.stage}: ${description}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    datapointsToAlarm: datapoints,
    comparisonOperator: below ? ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: silenceBreaches ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  const action = new SnsAction(data.alarms);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

/**
 * Encrypted and with a retention period, unlike log groups that Lambda creates. A first deployment that failed removes it again, or its
 * name would stop the next one.
 */
export const encryptedLogGroup = (
  scope: Construct,
  id: string,
  { logGroupName, data }: { logGroupName: string; data: DataResources },
): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    encryptionKey: data.filesKey,
    retention: data.settings.keepsData ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
    removalPolicy: data.settings.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
