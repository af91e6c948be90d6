export { type AlarmRule, type AlarmState, comparisons, type MissingData, spanOf, stateAt } from "./alarm-state.ts";
export { readEmbeddedMetrics } from "./embedded-metrics.ts";
export { type Datum, type Metrics, minuteMs, openMetrics, type RecordMetric } from "./metrics.ts";
