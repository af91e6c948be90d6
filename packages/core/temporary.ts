type AwsFailure = Error & { $metadata: { httpStatusCode?: number }; $retryable?: unknown };

const isAwsFailure = (error: unknown): error is AwsFailure => error instanceof Error && "$metadata" in error;
// A transaction in progress is our own first try; the SDK has waited for it already.
const throttled =
  /Throttl|TransactionInProgress|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|SlowDown|LimitExceededException/;

/**
 * Whether an AWS call failed for a reason that passes by itself: no answer, an answer of 5xx, too many requests.
 * What was refused for good (denied, malformed, not there) is our mistake, and trying again would only hide it.
 */
export const isTemporary = (error: unknown): boolean => {
  if (!isAwsFailure(error)) return false;
  const { httpStatusCode } = error.$metadata;
  return httpStatusCode === undefined || httpStatusCode >= 500 || error.$retryable !== undefined || throttled.test(error.name);
};
