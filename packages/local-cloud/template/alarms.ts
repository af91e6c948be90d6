import { type AlarmRule, comparisons, type MissingData } from "../aws/cloudwatch/index.ts";
import { StartError } from "../lib/run.ts";
import { type Placed, refuse, type Resources } from "./resources.ts";

export type AlarmSpec = {
  name: string;
  arn: string;
  account: string;
  region: string;
  description: string;
  rule: AlarmRule;
  /** Topics, by the state that the alarm changes to. */
  actions: Record<"ALARM" | "OK" | "INSUFFICIENT_DATA", string[]>;
};

type Properties = {
  AlarmDescription?: string;
  Namespace?: string;
  MetricName?: string;
  Dimensions?: { Name: string; Value: string }[];
  Statistic?: string;
  ExtendedStatistic?: string;
  Period?: number;
  EvaluationPeriods?: number;
  DatapointsToAlarm?: number;
  Threshold?: number;
  ComparisonOperator?: string;
  TreatMissingData?: MissingData;
  ActionsEnabled?: boolean;
  AlarmActions?: string[];
  OKActions?: string[];
  InsufficientDataActions?: string[];
};

export const readAlarms = (resources: Resources): AlarmSpec[] =>
  resources.ofType("AWS::CloudWatch::Alarm").map((alarm) => {
    refuse(alarm, "Metrics", "ThresholdMetricId", "EvaluateLowSampleCountPercentile");
    const properties = alarm.properties as Properties;
    const acts = properties.ActionsEnabled !== false;
    return {
      name: alarm.ref,
      arn: alarm.attributes["Arn"] ?? "",
      account: alarm.stack.account,
      region: alarm.stack.region,
      description: properties.AlarmDescription ?? "",
      rule: ruleOf(alarm, properties),
      actions: {
        ALARM: acts ? (properties.AlarmActions ?? []) : [],
        OK: acts ? (properties.OKActions ?? []) : [],
        INSUFFICIENT_DATA: acts ? (properties.InsufficientDataActions ?? []) : [],
      },
    };
  });

function ruleOf({ where }: Placed, properties: Properties): AlarmRule {
  const { Namespace, MetricName, Dimensions = [], Threshold, ComparisonOperator = "", EvaluationPeriods = 1 } = properties;
  const statistic = properties.Statistic ?? properties.ExtendedStatistic;
  if (!Namespace || !MetricName || !statistic || Threshold === undefined)
    throw new StartError(`${where}: an alarm here watches one statistic of one metric.`);
  if (!(ComparisonOperator in comparisons)) throw new StartError(`${where}: alarms do not compare with ${ComparisonOperator} here.`);
  return {
    metric: { namespace: Namespace, name: MetricName, dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])) },
    statistic,
    periodMs: (properties.Period ?? 60) * 1000,
    evaluationPeriods: EvaluationPeriods,
    datapointsToAlarm: properties.DatapointsToAlarm ?? EvaluationPeriods,
    threshold: Threshold,
    comparison: ComparisonOperator as AlarmRule["comparison"],
    missing: properties.TreatMissingData ?? "missing",
  };
}
