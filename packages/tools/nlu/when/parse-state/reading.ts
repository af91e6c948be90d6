import type { DateRange } from "./parse-state.ts";

/**
 * Without `dates` any day, without `time` and `window` any time. Days are yyyy-mm-dd at the office, times minutes after midnight there.
 * Days and times may be past or closed.
 */
export type TimeReading = {
  kind: "reading";
  dates?: DateRange[];
  time?: number;
  window?: { from: number; until: number };
  isApproximate: boolean;
};

/** `ambiguous`: to be asked about. `unknown`: not understood, or not for sure. */
export type WhenReading = TimeReading | { kind: "ambiguous"; readings: TimeReading[] } | { kind: "unknown" };

export const unknown: WhenReading = { kind: "unknown" };

/** Any day and any time. */
export const anyReading: TimeReading = { kind: "reading", isApproximate: false };

export const readingsIn = (read: WhenReading): TimeReading[] =>
  read.kind === "ambiguous" ? read.readings : read.kind === "reading" ? [read] : [];

const maxReadings = 4;

/** Each different reading once; too many to ask about are unknown. */
export function asked(readings: TimeReading[]): WhenReading {
  const all = [...new Map(readings.map((one) => [JSON.stringify(one), one])).values()];
  const [only] = all;
  if (!only || all.length > maxReadings) return unknown;
  return all.length === 1 ? only : { kind: "ambiguous", readings: all };
}
