import { isDeeperThan } from "@vitaline/core";

/** Values outside these bounds are platform errors and are dropped, so that one bad field does not cost the rest of a report. */
export const maxCallSeconds = 86_400;
const firstInstantMs = 0;
const lastInstantMs = Date.UTC(2100, 0);
const highestCost = 1e6;
const longestLatencyMs = 600_000;
const largestAnalysisBytes = 64 * 1024;
const deepestAnalysisLevels = 100;
/** Costs are rounded to a millionth: DynamoDB rejects numbers below 1e-130. */
const costSteps = 1e6;

const isBetween = (least: number, number: number, most: number): boolean => number >= least && number <= most;

/** ISO 8601 in UTC from milliseconds since 1970; undefined outside 1970 to 2100. */
export const sanitizeInstant = (ms: number): string | undefined =>
  isBetween(firstInstantMs, ms, lastInstantMs) ? new Date(ms).toISOString() : undefined;

/** Seconds, 0 to one day; undefined otherwise. */
export const sanitizeSeconds = (seconds: number): number | undefined => (isBetween(0, seconds, maxCallSeconds) ? seconds : undefined);

/** Whole seconds between two ISO 8601 instants, 0 to one day; undefined otherwise. */
export const secondsBetween = (from: string | undefined, to: string | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : sanitizeSeconds(Math.round((Date.parse(to) - Date.parse(from)) / 1000));

/** An amount of money with six decimals, 0 to a million; undefined otherwise. */
export const sanitizeCost = (amount: number): number | undefined =>
  isBetween(0, amount, highestCost) ? Math.round(amount * costSteps) / costSteps : undefined;

/** Whole milliseconds, 0 to ten minutes; undefined otherwise. */
export const sanitizeLatency = (ms: number): number | undefined => (isBetween(0, ms, longestLatencyMs) ? Math.round(ms) : undefined);

/** A score with six decimals, up to a million in either direction; undefined otherwise. */
export const sanitizeScore = (score: number): number | undefined =>
  isBetween(-highestCost, score, highestCost) ? Math.round(score * costSteps) / costSteps : undefined;

/** Undefined if empty, larger than 64 KB as JSON, or nested deeper than 100 levels. */
export const sanitizeAnalysis = (analysis: Record<string, unknown>): Record<string, unknown> | undefined => {
  // JSON.stringify would overflow the stack on deeper values.
  if (isDeeperThan(analysis, deepestAnalysisLevels)) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(analysis));
  return Object.keys(analysis).length > 0 && bytes <= largestAnalysisBytes ? analysis : undefined;
};
