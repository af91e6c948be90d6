const RealDate = Date;

/** The time in which this process lives: it stands still until it is moved. */
/** `at` moves it forward only. */
export type DemoClock = { at(ms: number): void; set(ms: number): void; pass(seconds: number): void; now(): number; real(): Date };

/** Replaces the process's `Date`, so that the product's code, its libraries and the callers of a history live in one time. */
export function installClock(startMs: number): DemoClock {
  let nowMs = startMs;
  class DemoDate extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [nowMs] : given) as [number]));
    }
    static override now(): number {
      return nowMs;
    }
  }
  globalThis.Date = DemoDate as DateConstructor;
  return {
    at: (ms) => void (nowMs = Math.max(nowMs, Math.round(ms))),
    set: (ms) => void (nowMs = Math.round(ms)),
    pass: (seconds) => void (nowMs += Math.round(seconds * 1000)),
    now: () => nowMs,
    real: () => new RealDate(),
  };
}
