export type Metric = { namespace: string; name: string; dimensions: Record<string, string> };
/** `atMs`: now by default. */
export type Datum = Metric & { value: number; atMs?: number };
export type RecordMetric = (datum: Datum) => void;

export type Metrics = {
  record: RecordMetric;
  /** Undefined without data. `fromMs` is inclusive, `toMs` exclusive; both are whole minutes. */
  statistic(metric: Metric, statistic: string, span: { fromMs: number; toMs: number }): number | undefined;
  forget(beforeMs: number): void;
};

export const minuteMs = 60_000;

/** Values by minute, at the platform's clock; what is older than `forget` allows is dropped. */
export function openMetrics(clock: () => number): Metrics {
  const byMetric = new Map<string, Map<number, number[]>>();
  return {
    record({ value, atMs = clock(), ...metric }) {
      const minute = Math.floor(atMs / minuteMs);
      const key = keyOf(metric);
      const minutes = byMetric.get(key) ?? new Map<number, number[]>();
      byMetric.set(key, minutes);
      minutes.set(minute, [...(minutes.get(minute) ?? []), value]);
    },
    statistic(metric, statistic, { fromMs, toMs }) {
      const minutes = byMetric.get(keyOf(metric)) ?? new Map<number, number[]>();
      const values = [...minutes].flatMap(([minute, found]) => (minute * minuteMs >= fromMs && minute * minuteMs < toMs ? found : []));
      return values.length === 0 ? undefined : statisticOf(values, statistic);
    },
    forget(beforeMs) {
      for (const minutes of byMetric.values())
        for (const minute of minutes.keys()) if (minute * minuteMs < beforeMs) minutes.delete(minute);
    },
  };
}

const keyOf = ({ namespace, name, dimensions }: Metric): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Throws for a statistic that is not understood here, so that no alarm watches nothing. */
function statisticOf(values: number[], statistic: string): number {
  const [, percentile] = /^p(\d+(?:\.\d+)?)$/.exec(statistic) ?? [];
  if (percentile !== undefined) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil((Number(percentile) / 100) * sorted.length) - 1)] ?? 0;
  }
  switch (statistic) {
    case "Sum":
      return sum(values);
    case "Average":
      return sum(values) / values.length;
    case "Maximum":
      return Math.max(...values);
    case "Minimum":
      return Math.min(...values);
    case "SampleCount":
      return values.length;
    default:
      throw new Error(`The statistic ${statistic} is not understood here.`);
  }
}
