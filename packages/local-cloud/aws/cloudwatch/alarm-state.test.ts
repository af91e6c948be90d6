import { describe, expect, test } from "vitest";
import { type AlarmRule, type AlarmState, type MissingData, stateAt } from "./alarm-state.ts";
import { minuteMs, openMetrics } from "./metrics.ts";

const metric = { namespace: "N", name: "M", dimensions: { of: "this" } };
const rule: AlarmRule = {
  metric,
  statistic: "Maximum",
  periodMs: minuteMs,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  threshold: 1,
  comparison: "GreaterThanOrEqualToThreshold",
  missing: "missing",
};
const startMs = 1_000_000 * minuteMs;

/** A character a minute, oldest first: "X" breaches, "0" does not, "-" is missing. */
function after(history: string, change: Partial<AlarmRule> = {}, { former = "OK" as AlarmState, sinceMs = 0 } = {}): AlarmState {
  let nowMs = startMs;
  const metrics = openMetrics(() => nowMs);
  for (const point of history) {
    if (point !== "-") metrics.record({ ...metric, value: point === "X" ? 1 : 0 });
    nowMs += minuteMs;
  }
  return stateAt({ ...rule, ...change }, metrics, { nowMs, sinceMs, former }).state;
}

describe("an alarm", () => {
  test.each<[string, Record<MissingData, AlarmState>]>([
    ["0-X-X", { missing: "OK", ignore: "OK", breaching: "OK", notBreaching: "OK" }],
    ["----0", { missing: "OK", ignore: "OK", breaching: "OK", notBreaching: "OK" }],
    ["-----", { missing: "INSUFFICIENT_DATA", ignore: "OK", breaching: "ALARM", notBreaching: "OK" }],
    ["0XX-X", { missing: "ALARM", ignore: "ALARM", breaching: "ALARM", notBreaching: "ALARM" }],
    ["--X--", { missing: "ALARM", ignore: "OK", breaching: "ALARM", notBreaching: "OK" }],
  ])("treats the missing data of %s as AWS documents it", (history, wanted) => {
    for (const missing of Object.keys(wanted) as MissingData[])
      expect([missing, after(history, { missing })]).toEqual([missing, wanted[missing]]);
  });

  test("needs as many breaching datapoints as it states, in any order among its evaluation periods", () => {
    const twoOfThree = { datapointsToAlarm: 2 };
    expect(after("00X0X", twoOfThree)).toBe("ALARM");
    expect(after("0X00X", twoOfThree)).toBe("OK");
    expect(after("00XXX")).toBe("ALARM");
    expect(after("000XX")).toBe("OK");
  });

  test("does not take the time before the platform started for silence", () => {
    const silent = { missing: "breaching" } as const;
    expect(after("-----", silent, { sinceMs: startMs + 4 * minuteMs })).toBe("OK");
    expect(after("-----", silent, { sinceMs: startMs + 2 * minuteMs })).toBe("ALARM");
    expect(after("--XXX", silent, { sinceMs: startMs + 4 * minuteMs })).toBe("ALARM");
  });

  test("ends when its cause is over, and an ignored silence changes nothing", () => {
    expect(after("XX000", {}, { former: "ALARM" })).toBe("OK");
    expect(after("-----", { missing: "ignore" }, { former: "ALARM" })).toBe("ALARM");
  });

  test("compares in the direction that it states", () => {
    const below = { comparison: "LessThanThreshold", datapointsToAlarm: 1, evaluationPeriods: 1 } as const;
    expect([after("0", below), after("X", below)]).toEqual(["ALARM", "OK"]);
  });
});

describe("a statistic", () => {
  const of = (values: number[], statistic: string): number | undefined => {
    const metrics = openMetrics(() => startMs);
    for (const value of values) metrics.record({ ...metric, value });
    return metrics.statistic(metric, statistic, { fromMs: startMs, toMs: startMs + minuteMs });
  };
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

  test("is computed over all values of its span", () => {
    const found = ["Sum", "Average", "Minimum", "Maximum", "SampleCount", "p50", "p99"].map((statistic) => of(hundred, statistic));
    expect(found).toEqual([5050, 50.5, 1, 100, 100, 50, 99]);
    expect(of([], "Sum")).toBeUndefined();
    expect(() => of([1], "tm99")).toThrow("tm99");
  });

  test("is of one metric: another dimension is another metric", () => {
    const metrics = openMetrics(() => startMs);
    metrics.record({ ...metric, value: 7 });
    const span = { fromMs: startMs, toMs: startMs + minuteMs };
    expect(metrics.statistic({ ...metric, dimensions: { of: "that" } }, "Sum", span)).toBeUndefined();
    expect(metrics.statistic({ ...metric, dimensions: {} }, "Sum", span)).toBeUndefined();
    expect(metrics.statistic(metric, "Sum", { ...span, fromMs: startMs + minuteMs })).toBeUndefined();
    metrics.forget(startMs + minuteMs);
    expect(metrics.statistic(metric, "Sum", span)).toBeUndefined();
  });
});
