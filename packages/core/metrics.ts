import type { LogFields } from "./log.ts";

type MetricLine = {
  /** Fields of the line; a set of them each, and none for the total. Few values each, as every combination is a metric that costs. */
  dimensions: readonly (readonly (keyof LogFields)[])[];
  values: Readonly<Record<string, { field: keyof LogFields; unit: "Count" | "Milliseconds" | "Seconds" }>>;
};

const counted = <Name extends string>(name: Name) =>
  ({ dimensions: [[]], values: { [name]: { field: "count", unit: "Count" } } }) as {
    dimensions: [[]];
    values: Record<Name, { field: "count"; unit: "Count" }>;
  };

/** Told by Lambda, so that a deployment can tell a new version's failures. */
const ofVersion = ["functionName", "functionVersion"] as const;

/** Events of the log that CloudWatch counts as metrics. A value of 0 or 1 makes its average a rate. Infra defines the alarms on them. */
export const metricLines = {
  "tool.answered": {
    dimensions: [[], ["tool", "outcome"], ofVersion],
    values: { ToolFailed: { field: "failed", unit: "Count" }, ToolDuration: { field: "ms", unit: "Milliseconds" } },
  },
  "request.failed": {
    dimensions: [ofVersion],
    values: { RequestFailed: { field: "count", unit: "Count" } },
  },
  "authentication.refused": {
    dimensions: [[], ["operation"]],
    values: { AuthenticationRefused: { field: "count", unit: "Count" } },
  },
  "message.receipt": {
    dimensions: [["channel"]],
    values: { MessageFailed: { field: "failed", unit: "Count" } },
  },
  "backlog.found": {
    dimensions: [["operation"]],
    values: { BacklogAge: { field: "ageSeconds", unit: "Seconds" } },
  },
  "canary.answered": {
    dimensions: [[]],
    values: {
      CanaryFailed: { field: "failed", unit: "Count" },
      CanaryDuration: { field: "ms", unit: "Milliseconds" },
      CertificateDays: { field: "days", unit: "Count" },
    },
  },
  "tool.limited": counted("ToolRunsLimited"),
  "ehr.circuit_opened": counted("EhrCircuitsOpened"),
  "ehr.told_to_wait": counted("EhrsToldToWait"),
  "share.not_started": counted("SharesNotStarted"),
  "event.given_up": counted("EventsGivenUp"),
  "projection.refused": counted("RecordsRefused"),
  "audit.changed": counted("AuditChanged"),
  "audit.damaged": counted("AuditFlaws"),
} satisfies Record<string, MetricLine>;

/** A stage's namespace in CloudWatch. */
export const metricNamespace = (stage: string): string => `Vitaline/${stage}`;

export type Running = { functionName: string | undefined; functionVersion: string | undefined };

/**
 * What makes a line of a function's log a metric; nothing elsewhere. Source: "Specification: Embedded metric format" in the Amazon
 * CloudWatch User Guide.
 */
export function embeddedMetrics(event: string, fields: LogFields, now: Date, { functionName, functionVersion }: Running): object {
  const line = (metricLines as Record<string, MetricLine>)[event];
  const [, stage] = /^vitaline-([a-z0-9]+)-/.exec(functionName ?? "") ?? [];
  if (!line || !stage) return {};
  const values = Object.entries(line.values).flatMap(([name, { field, unit }]) =>
    typeof fields[field] === "number" ? [{ name, unit, value: fields[field] }] : [],
  );
  const Metrics = values.map(({ name: Name, unit: Unit }) => ({ Name, Unit }));
  const directive = { Namespace: metricNamespace(stage), Dimensions: line.dimensions, Metrics };
  return {
    ...(line.dimensions.some((set) => set.includes("functionVersion")) ? { functionName, functionVersion } : {}),
    ...Object.fromEntries(values.map(({ name, value }) => [name, value])),
    _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] },
  };
}
