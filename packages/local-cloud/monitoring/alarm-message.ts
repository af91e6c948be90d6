import type { StateChange } from "./alarms.ts";

type Message = { subject: string; text: string; json: string };

/** What a subscriber gets. Source: "Setting up Amazon SNS notifications" in the Amazon CloudWatch User Guide. */
export function alarmMessage({ alarm, former, state, reason, atMs }: StateChange): Message {
  const { name, description, rule, account, region, arn } = alarm;
  const { metric, statistic, periodMs } = rule;
  const at = new Date(atMs).toISOString();
  const json = {
    AlarmName: name,
    AlarmDescription: description,
    AWSAccountId: account,
    NewStateValue: state,
    NewStateReason: reason,
    StateChangeTime: at,
    Region: region,
    AlarmArn: arn,
    OldStateValue: former,
    Trigger: {
      Namespace: metric.namespace,
      MetricName: metric.name,
      Dimensions: Object.entries(metric.dimensions).map(([dimension, value]) => ({ name: dimension, value })),
      Statistic: statistic,
      Period: periodMs / 1000,
      EvaluationPeriods: rule.evaluationPeriods,
      DatapointsToAlarm: rule.datapointsToAlarm,
      Threshold: rule.threshold,
      ComparisonOperator: rule.comparison,
      TreatMissingData: rule.missing,
    },
  };
  const lines = [
    `Alarm "${name}" is now ${state}; it was ${former}.`,
    "",
    `Cause: ${description}`,
    `Reason: ${reason}`,
    `Time: ${at}`,
    `Metric: ${metric.namespace} ${metric.name}, ${statistic} of ${periodMs / 1000} seconds`,
    `Account: ${account}, ${region}`,
  ];
  return { subject: `${state}: "${name}" in ${region}`, text: lines.join("\n"), json: JSON.stringify(json) };
}
