import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { metricNamespace } from "@vitaline/core/metrics.ts";
import type { DataResources } from "../../resources/data-resources.ts";

const fiveMinutes = Duration.minutes(5);
type Options = { statistic: string; dimensions?: Record<string, string>; period?: Duration };

/** A metric that functions log (packages/core/metrics.ts). */
export const loggedMetric = (data: DataResources, metricName: string, { statistic, dimensions, period }: Options): Metric =>
  new Metric({
    namespace: metricNamespace(data.settings.stage),
    metricName,
    statistic,
    dimensionsMap: dimensions,
    period: period ?? fiveMinutes,
  });

/** The metric of an AWS service. */
const awsMetric = (namespace: string, metricName: string, { statistic, dimensions, period }: Options): Metric =>
  new Metric({ namespace: `AWS/${namespace}`, metricName, statistic, dimensionsMap: dimensions, period: period ?? fiveMinutes });

/** What the operator's first ten figures and the alarms of the platform as a whole watch. */
export const cloudWatchMetrics = (data: DataResources) => {
  const table = { TableName: data.served.tableName };
  // A table's metrics leave out its indexes. Source: "DynamoDB metrics and dimensions" in the Amazon DynamoDB Developer Guide.
  const index = { ...table, GlobalSecondaryIndexName: "gsi1" };
  return {
    canaryFailures: loggedMetric(data, "CanaryFailed", { statistic: "Maximum", period: Duration.minutes(1) }),
    certificateDays: loggedMetric(data, "CertificateDays", { statistic: "Minimum", period: Duration.hours(1) }),
    toolFailures: loggedMetric(data, "ToolFailed", { statistic: "Average" }),
    toolDuration: loggedMetric(data, "ToolDuration", { statistic: "p99" }),
    ehrCircuits: loggedMetric(data, "EhrCircuitsOpened", { statistic: "Sum" }),
    toolRunsLimited: loggedMetric(data, "ToolRunsLimited", { statistic: "Sum" }),
    refusedSignIns: loggedMetric(data, "AuthenticationRefused", { statistic: "Sum" }),
    textFailures: loggedMetric(data, "MessageFailed", { statistic: "Average", dimensions: { channel: "sms" }, period: Duration.hours(1) }),
    reminderAge: loggedMetric(data, "BacklogAge", { statistic: "Maximum", dimensions: { operation: "remind" } }),
    probeAge: loggedMetric(data, "BacklogAge", { statistic: "Maximum", dimensions: { operation: "health" } }),
    dueWorkAge: loggedMetric(data, "BacklogAge", { statistic: "Maximum", dimensions: { operation: "retry" } }),
    sharesNotStarted: loggedMetric(data, "SharesNotStarted", { statistic: "Sum" }),
    eventsGivenUp: loggedMetric(data, "EventsGivenUp", { statistic: "Sum" }),
    recordsRefused: loggedMetric(data, "RecordsRefused", { statistic: "Sum" }),
    // Metrics of a web ACL for CloudFront have no region. Source: "AWS WAF metrics and dimensions" in the AWS WAF Developer Guide.
    firewallBlocks: awsMetric("WAFV2", "BlockedRequests", {
      statistic: "Sum",
      dimensions: { WebACL: `vitaline-${data.settings.stage}`, Rule: "ALL" },
    }),
    tableReadThrottles: awsMetric("DynamoDB", "ReadThrottleEvents", { statistic: "Sum", dimensions: table }),
    tableWriteThrottles: awsMetric("DynamoDB", "WriteThrottleEvents", { statistic: "Sum", dimensions: table }),
    indexReadThrottles: awsMetric("DynamoDB", "ReadThrottleEvents", { statistic: "Sum", dimensions: index }),
    indexWriteThrottles: awsMetric("DynamoDB", "WriteThrottleEvents", { statistic: "Sum", dimensions: index }),
    mailBounces: awsMetric("SES", "Reputation.BounceRate", { statistic: "Maximum", period: Duration.hours(1) }),
    mailComplaints: awsMetric("SES", "Reputation.ComplaintRate", { statistic: "Maximum", period: Duration.hours(1) }),
    cost: awsMetric("Billing", "EstimatedCharges", { statistic: "Maximum", dimensions: { Currency: "USD" }, period: Duration.hours(6) }),
  };
};
