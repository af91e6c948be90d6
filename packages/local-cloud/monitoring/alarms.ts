import { type AlarmState, type Metrics, minuteMs, spanOf, stateAt } from "../aws/cloudwatch/index.ts";
import type { AlarmSpec } from "../template/alarms.ts";

export type StateChange = { alarm: AlarmSpec; former: AlarmState; state: AlarmState; reason: string; atMs: number };

export type Alarms = {
  specs: readonly AlarmSpec[];
  stateOf(name: string): AlarmState | undefined;
  /** Evaluates every alarm as of now, which else happens each minute. Returns the changes. */
  evaluate(): StateChange[];
  close(): void;
};

type Options = {
  metrics: Metrics;
  clock: () => number;
  /** Whether it evaluates by itself. */
  byItself: boolean;
  /** Records what services report each minute rather than when something happens. */
  sample: () => void;
  tell: (change: StateChange, topicArn: string) => void;
};

/** A platform that starts is taken to be well: unlike in CloudWatch no alarm begins with a message that it is over. */
export function runAlarms(specs: readonly AlarmSpec[], { metrics, clock, byItself, sample, tell }: Options): Alarms {
  const sinceMs = clock();
  const states = new Map<string, AlarmState>(specs.map(({ name }) => [name, "OK"]));
  const longestMs = Math.max(0, ...specs.map(({ rule }) => spanOf(rule)));

  const evaluate = (): StateChange[] => {
    sample();
    const nowMs = clock();
    const changes = specs.flatMap((alarm): StateChange[] => {
      const former = states.get(alarm.name) ?? "OK";
      const { state, reason } = stateAt(alarm.rule, metrics, { nowMs, sinceMs, former });
      states.set(alarm.name, state);
      return state === former ? [] : [{ alarm, former, state, reason, atMs: nowMs }];
    });
    for (const change of changes) for (const topicArn of change.alarm.actions[change.state]) tell(change, topicArn);
    metrics.forget(nowMs - longestMs - minuteMs);
    return changes;
  };

  const timer = byItself ? setInterval(evaluate, minuteMs) : undefined;
  timer?.unref();
  return { specs, stateOf: (name) => states.get(name), evaluate, close: () => clearInterval(timer) };
}
