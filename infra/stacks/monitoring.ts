import { Duration, Stack, type App } from "aws-cdk-lib";
import { Dashboard, GraphWidget, Metric, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { stackProps } from "../config/settings.ts";
import type { ApiStack } from "./api.ts";
import type { DataResources } from "../resources/data-resources.ts";
import type { EventsStack } from "./events.ts";

const fiveMinutes = Duration.minutes(5);

/** The dashboard. Alarms are created with the resources that they watch. */
export class MonitoringStack extends Stack {
  constructor(app: App, { data, api, events }: { data: DataResources; api: ApiStack; events: EventsStack }) {
    super(app, `vitaline-${data.settings.stage}-monitoring`, { ...stackProps(data.settings), description: "Vitaline: dashboard" });
    const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 12, height: 6 });
    const ofFunctions = (
      metric: "metricInvocations" | "metricErrors" | "metricThrottles" | "metricDuration",
      statistic: string,
    ): IMetric[] =>
      [...api.functions, ...events.functions].map(([name, fn]) => fn[metric]({ period: fiveMinutes, statistic, label: name }));
    const ofTable = (metricName: string): Metric =>
      new Metric({
        namespace: "AWS/DynamoDB",
        metricName,
        statistic: "Sum",
        period: fiveMinutes,
        dimensionsMap: { TableName: data.served.tableName },
      });
    const http = api.http.api;
    new Dashboard(this, "Dashboard", {
      dashboardName: `vitaline-${data.settings.stage}`,
      widgets: [
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
        [graph("Invocations", ofFunctions("metricInvocations", "Sum")), graph("Errors", ofFunctions("metricErrors", "Sum"))],
        [graph("Duration, p99", ofFunctions("metricDuration", "p99")), graph("Throttles", ofFunctions("metricThrottles", "Sum"))],
        [
          graph("Table: capacity", [ofTable("ConsumedReadCapacityUnits"), ofTable("ConsumedWriteCapacityUnits")]),
          graph("Table: throttled", [ofTable("ReadThrottleEvents"), ofTable("WriteThrottleEvents")]),
        ],
        [graph("Events that failed", [events.failures.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes })])],
      ],
    });
  }
}
