import { isDeeperThan } from "@vitaline/core";

/** A platform's number outside these bounds is a mistake, and counts as absent: one odd field must not cost the rest of a report. */
export const longestCallSeconds = 86_400;
const firstInstantMs = 0;
const lastInstantMs = Date.UTC(2100, 0);
const highestCost = 1e6;
const longestLatencyMs = 600_000;
const largestAnalysisBytes = 64 * 1024;
const deepestAnalysisLevels = 100;
/** What a cost is kept to. DynamoDB takes no number below 1e-130. */
const costSteps = 1e6;

const within = (least: number, number: number, most: number): boolean => number >= least && number <= most;

/** ISO 8601 in UTC of milliseconds since 1970; outside 1970 to 2100 undefined. */
export const believedInstant = (ms: number): string | undefined =>
  within(firstInstantMs, ms, lastInstantMs) ? new Date(ms).toISOString() : undefined;

/** Seconds of a call, or into one; more than a day or less than nothing is undefined. */
export const believedSeconds = (seconds: number): number | undefined => (within(0, seconds, longestCallSeconds) ? seconds : undefined);

/** Whole seconds from one instant to another, ISO 8601; undefined where one is, and for more than a day or less than nothing. */
export const secondsBetween = (from: string | undefined, to: string | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : believedSeconds(Math.round((Date.parse(to) - Date.parse(from)) / 1000));

/** Money, kept to its sixth decimal; more than a million or less than nothing is undefined. */
export const believedCost = (amount: number): number | undefined =>
  within(0, amount, highestCost) ? Math.round(amount * costSteps) / costSteps : undefined;

/** Milliseconds until an answer, kept whole; more than ten minutes or less than nothing is undefined. */
export const believedLatency = (ms: number): number | undefined => (within(0, ms, longestLatencyMs) ? Math.round(ms) : undefined);

/** What a platform made of a call; more than 64 KB, deeper than a hundred levels, or nothing, is undefined. */
export const believedAnalysis = (analysis: Record<string, unknown>): Record<string, unknown> | undefined => {
  // What is deeper may be beyond what can be written as JSON.
  if (isDeeperThan(analysis, deepestAnalysisLevels)) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(analysis));
  return Object.keys(analysis).length > 0 && bytes <= largestAnalysisBytes ? analysis : undefined;
};
