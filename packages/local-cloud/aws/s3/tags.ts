import { AwsError } from "../error.ts";
import type { ConditionContext } from "../types.ts";

export type Tags = Record<string, string>;

const MOST_TAGS = 10;

/** The tags in `x-amz-tagging`, which is written as a query is. Source: "PutObject" in the S3 API reference. */
export const tagsOfHeader = (header: string | string[] | undefined): Tags | undefined =>
  header === undefined ? undefined : checked([...new URLSearchParams(String(header))]);

/** Source: "Object tagging" in the S3 User Guide: ten tags an object, keys of up to 128 characters, values of up to 256. */
export function checked(pairs: [key: string, value: string][]): Tags {
  if (pairs.length > MOST_TAGS) throw new AwsError(400, "BadRequest", "Object tags cannot be greater than 10");
  const tags = Object.fromEntries(pairs);
  const isWrong = pairs.some(([key, value]) => key.length === 0 || key.length > 128 || value.length > 256);
  if (isWrong || Object.keys(tags).length < pairs.length)
    throw new AwsError(400, "InvalidTag", "The tag provided was not a valid tag, or appears more than once.");
  return tags;
}

/** What a policy may ask of the tags in a request, and of those that an object has. Source: "Actions, resources, and condition keys for Amazon S3". */
export const tagContext = (asked: Tags | undefined, existing: Tags | undefined): ConditionContext => ({
  ...named("s3:RequestObjectTag", asked),
  ...named("s3:ExistingObjectTag", existing),
  "s3:RequestObjectTagKeys": asked && Object.keys(asked),
});

const named = (name: string, tags: Tags = {}): ConditionContext =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${name}/${key}`, value]));
