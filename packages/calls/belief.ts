/** A platform's number outside these bounds is a mistake, and counts as absent: one odd field must not cost the rest of a report. */
export const longestCallSeconds = 86_400;
const firstInstantMs = 0;
const lastInstantMs = Date.UTC(2100, 0);
const highestCost = 1e6;
/** What a cost is kept to. DynamoDB takes no number below 1e-130. */
const costSteps = 1e6;

const within = (least: number, number: number, most: number): boolean => number >= least && number <= most;

/** ISO 8601 in UTC of milliseconds since 1970; outside 1970 to 2100 undefined. */
export const believedInstant = (ms: number): string | undefined =>
  within(firstInstantMs, ms, lastInstantMs) ? new Date(ms).toISOString() : undefined;

/** Seconds of a call, or into one; more than a day or less than nothing is undefined. */
export const believedSeconds = (seconds: number): number | undefined => (within(0, seconds, longestCallSeconds) ? seconds : undefined);

/** Money, kept to its sixth decimal; more than a million or less than nothing is undefined. */
export const believedCost = (amount: number): number | undefined =>
  within(0, amount, highestCost) ? Math.round(amount * costSteps) / costSteps : undefined;
