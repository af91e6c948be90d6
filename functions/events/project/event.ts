import * as z from "zod/mini";

const Image = z.record(z.string(), z.unknown());

const StreamRecord = z.object({
  eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
  /** There when DynamoDB itself has deleted the row, because it had expired. Source: "DynamoDB Streams and Time to Live". */
  userIdentity: z.nullish(z.object({ type: z.literal("Service"), principalId: z.literal("dynamodb.amazonaws.com") })),
  dynamodb: z.object({
    SequenceNumber: z.string().check(z.regex(/^\d{1,40}$/)),
    /** Epoch seconds. */
    ApproximateCreationDateTime: z.optional(z.number()),
    Keys: z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) }),
    NewImage: z.optional(Image),
    OldImage: z.optional(Image),
  }),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

/**
 * A batch of one shard of the table's stream, in order. Lambda names the shard only to an event source mapping with a
 * tumbling window; the last invocation of a window may hold no record at all.
 * Source: "Implementing stateful DynamoDB stream processing in Lambda" in the Lambda Developer Guide.
 */
export const StreamEvent = z.object({ shardId: z.string().check(z.minLength(1)), Records: z._default(z.array(StreamRecord), []) });
export type StreamEvent = z.infer<typeof StreamEvent>;
