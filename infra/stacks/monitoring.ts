import { Duration, Stack, type App } from "aws-cdk-lib";
import { Dashboard, GraphWidget, Metric, type IMetric, SingleValueWidget } from "aws-cdk-lib/aws-cloudwatch";
import { PlatformAlarms } from "../constructs/monitoring/platform-alarms.ts";
import { loggedMetric, cloudWatchMetrics } from "../constructs/monitoring/platform-metrics.ts";
import { type FunctionName, functionNames } from "../config/functions.ts";
import { lambdaName } from "../resources/names.ts";
import { stackProps } from "../config/settings.ts";
import type { DataResources } from "../resources/data-resources.ts";
import type { EventsStack } from "./events.ts";
import type { RoutesStack } from "./routes.ts";

const fiveMinutes = Duration.minutes(5);

/** The dashboard, and the alarms on the platform as a whole. */
export class MonitoringStack extends Stack {
  constructor(app: App, { data, routes, events }: { data: DataResources; routes: RoutesStack; events: EventsStack }) {
    super(app, `vitaline-${data.settings.stage}-monitoring`, {
      ...stackProps(data.settings),
      description: "Vitaline: dashboard and alarms",
    });
    new PlatformAlarms(this, "Platform", data);
    const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 12, height: 6 });
    /** By name: imports of the functions would forbid to rename or remove one. */
    const ofFunction = (name: FunctionName, metricName: string, statistic: string, label?: string): Metric =>
      new Metric({
        namespace: "AWS/Lambda",
        metricName,
        statistic,
        period: fiveMinutes,
        dimensionsMap: { FunctionName: lambdaName(name, data) },
        label,
      });
    const ofFunctions = (metricName: string, statistic: string): IMetric[] =>
      functionNames.map((name) => ofFunction(name, metricName, statistic, name));
    const ofTable = (metricName: string): Metric =>
      new Metric({
        namespace: "AWS/DynamoDB",
        metricName,
        statistic: "Sum",
        period: fiveMinutes,
        dimensionsMap: { TableName: data.served.tableName },
      });
    const http = routes.http.api;
    const metrics = cloudWatchMetrics(data);
    /** What an operator looks at first. */
    const firstFigures: [title: string, metric: IMetric][] = [
      ["Public address fails", metrics.canaryFailures],
      ["Tools that fail", metrics.toolFailures],
      ["Tools, p99 ms", metrics.toolDuration],
      ["Requests", http.metricCount({ period: fiveMinutes, statistic: "Sum" })],
      ["Server errors", http.metricServerError({ period: fiveMinutes, statistic: "Sum" })],
      ["Refused sign-ins", metrics.refusedSignIns],
      ["Blocked requests", metrics.firewallBlocks],
      ["Totals behind, ms", ofFunction("events/project", "IteratorAge", "Maximum")],
      ["Events that failed", events.failures.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes })],
      ["Cost this month, USD", metrics.cost],
    ];
    new Dashboard(this, "Dashboard", {
      dashboardName: `vitaline-${data.settings.stage}`,
      widgets: [
        ...rowsOfFive(firstFigures),
        [
          graph("Requests", [
            http.metricCount({ period: fiveMinutes }),
            http.metricClientError({ period: fiveMinutes }),
            http.metricServerError({ period: fiveMinutes }),
          ]),
          graph(
            "Latency, p50 and p99",
            ["p50", "p99"].map((statistic) => http.metricLatency({ period: fiveMinutes, statistic })),
          ),
        ],
        [graph("Invocations", ofFunctions("Invocations", "Sum")), graph("Errors", ofFunctions("Errors", "Sum"))],
        [graph("Duration, p99", ofFunctions("Duration", "p99")), graph("Throttles", ofFunctions("Throttles", "Sum"))],
        [
          graph("Table: capacity", [ofTable("ConsumedReadCapacityUnits"), ofTable("ConsumedWriteCapacityUnits")]),
          graph("Table: throttled", [ofTable("ReadThrottleEvents"), ofTable("WriteThrottleEvents")]),
        ],
        [
          graph(
            "Tenants over their limit, EHRs that fail",
            ["ToolRunsLimited", "EhrCircuitsOpened", "EhrsToldToWait"].map((name) => loggedMetric(data, name, { statistic: "Sum" })),
          ),
        ],
        [graph("Events that failed", [events.failures.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes })])],
      ],
    });
  }
}

const rowsOfFive = (figures: [title: string, metric: IMetric][]): SingleValueWidget[][] =>
  [figures.slice(0, 5), figures.slice(5)].map((row) =>
    row.map(([title, metric]) => new SingleValueWidget({ title, metrics: [metric], width: 4, height: 4, sparkline: true })),
  );
