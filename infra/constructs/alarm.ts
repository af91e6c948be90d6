import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Construct } from "constructs";
import type { Data } from "../stacks/data.ts";

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
  { data, description, metric, threshold, periods = 1 }: Trigger & { data: Data },
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
