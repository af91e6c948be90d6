import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { FunctionName } from "../config/functions.ts";

/** Logged events that the stage counts: the field `event` of packages/core/log.ts, and the metric's name. */
export const countedEvents = {
  "tool.limited": "ToolRunsLimited",
  "ehr.circuit_opened": "EhrCircuitsOpened",
  "ehr.told_to_wait": "EhrsToldToWait",
} as const;

/** The functions that run tools. */
export const countingFunctions: readonly FunctionName[] = ["voice", "mcp", "tools"];

const namespaceOf = (stage: string): string => `Vitaline/${stage}`;

export function countLoggedEvents(scope: Construct, logGroup: LogGroup, stage: string): void {
  for (const [event, metricName] of Object.entries(countedEvents))
    new MetricFilter(scope, metricName, {
      logGroup,
      filterPattern: FilterPattern.stringValue("$.event", "=", event),
      metricNamespace: namespaceOf(stage),
      metricName,
      metricValue: "1",
    });
}

export const loggedEventMetrics = (stage: string): Metric[] =>
  Object.values(countedEvents).map(
    (metricName) => new Metric({ namespace: namespaceOf(stage), metricName, statistic: "Sum", period: Duration.minutes(5) }),
  );
