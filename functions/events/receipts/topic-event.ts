import { AppError } from "@vitaline/core";
import * as z from "zod/mini";

const TopicEvent = z.object({ Records: z.array(z.object({ Sns: z.object({ Message: z.string() }) })) });

/**
 * What was published on the topic. AppError `invalid_request` for an event of another kind.
 * Source: "Using Lambda with Amazon SNS" in the AWS Lambda Developer Guide.
 */
export function textsIn(event: unknown): string[] {
  const { data } = z.safeParse(TopicEvent, event);
  if (!data) throw new AppError("invalid_request", "This is no event of a topic.");
  return data.Records.map(({ Sns }) => Sns.Message);
}
