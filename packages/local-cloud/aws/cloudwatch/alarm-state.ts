import { type Metric, type Metrics, minuteMs } from "./metrics.ts";

export type MissingData = "breaching" | "notBreaching" | "ignore" | "missing";
export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

export type AlarmRule = {
  metric: Metric;
  statistic: string;
  periodMs: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  threshold: number;
  comparison: keyof typeof comparisons;
  missing: MissingData;
};

export const comparisons = {
  GreaterThanOrEqualToThreshold: { holds: (value: number, threshold: number) => value >= threshold, words: "greater than or equal to" },
  GreaterThanThreshold: { holds: (value: number, threshold: number) => value > threshold, words: "greater than" },
  LessThanThreshold: { holds: (value: number, threshold: number) => value < threshold, words: "less than" },
  LessThanOrEqualToThreshold: { holds: (value: number, threshold: number) => value <= threshold, words: "less than or equal to" },
} as const;

/** Periods that CloudWatch looks at beyond the evaluation periods when some are without data. */
const furtherPeriods = 2;

export const spanOf = ({ periodMs, evaluationPeriods }: AlarmRule): number => (evaluationPeriods + furtherPeriods) * periodMs;

/** Newest first; undefined where there is no data. */
type Points = (number | undefined)[];

/**
 * The state at a time. `sinceMs`: when the platform started; a period before it without data is no silence. Source: "Configuring how
 * CloudWatch alarms treat missing data" in the Amazon CloudWatch User Guide.
 */
export function stateAt(
  rule: AlarmRule,
  metrics: Pick<Metrics, "statistic">,
  { nowMs, sinceMs, former }: { nowMs: number; sinceMs: number; former: AlarmState },
): { state: AlarmState; reason: string } {
  const endMs = Math.floor(nowMs / minuteMs) * minuteMs;
  const count = rule.evaluationPeriods + furtherPeriods;
  const spans = Array.from({ length: count }, (_, index) => ({
    fromMs: endMs - (index + 1) * rule.periodMs,
    toMs: endMs - index * rule.periodMs,
  }));
  const points = spans.map((span) => metrics.statistic(rule.metric, rule.statistic, span));
  const isBefore = spans.map(({ fromMs }) => fromMs < sinceMs);
  const state = evaluate(rule, points, isBefore, former);
  return { state, reason: reasonOf(rule, points, state) };
}

function evaluate(rule: AlarmRule, points: Points, isBefore: boolean[], former: AlarmState): AlarmState {
  const { evaluationPeriods, datapointsToAlarm, missing } = rule;
  const breaches = (value: number): boolean => comparisons[rule.comparison].holds(value, rule.threshold);
  const known = points.filter((point) => point !== undefined);
  const enough = (breaching: number): boolean => breaching >= datapointsToAlarm;
  if (known.length >= evaluationPeriods) return enough(known.slice(0, evaluationPeriods).filter(breaches).length) ? "ALARM" : "OK";
  if (missing === "breaching" || missing === "notBreaching") {
    const recent = points.slice(0, evaluationPeriods);
    const breaching = recent.filter((point, index) =>
      point === undefined ? missing === "breaching" && !isBefore[index] : breaches(point),
    );
    return enough(breaching.length) ? "ALARM" : "OK";
  }
  if (known.length === 0) return missing === "ignore" ? former : "INSUFFICIENT_DATA";
  if (!known.some(breaches)) return "OK";
  const oldest = points.findLastIndex((point) => point !== undefined && breaches(point));
  const onlyBreaching = points.slice(0, oldest).every((point) => point === undefined || breaches(point));
  return missing === "missing" && onlyBreaching && oldest + 1 >= datapointsToAlarm ? "ALARM" : former;
}

function reasonOf(rule: AlarmRule, points: Points, state: AlarmState): string {
  const { evaluationPeriods, datapointsToAlarm, threshold, missing } = rule;
  const known = points.slice(0, evaluationPeriods).filter((point) => point !== undefined);
  const shown = known.map((value) => String(Math.round(value * 1000) / 1000)).join(", ");
  const data = known.length === 0 ? `no datapoints, and missing data is ${missing}` : `the last datapoints [${shown}]`;
  const words = comparisons[rule.comparison].words;
  const needed = `${datapointsToAlarm} of ${evaluationPeriods} ${words} the threshold (${threshold})`;
  return `Threshold ${state === "ALARM" ? "crossed" : "not crossed"}: ${data}; an alarm needs ${needed}.`;
}
