import { sha256In } from "@vitaline/core";
import * as z from "zod/mini";

const AttributeMap = z.record(z.string(), z.unknown());

export const StreamRecord = z.object({
  eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
  /** Set when DynamoDB deleted an expired row. Source: "DynamoDB Streams and Time to Live". */
  userIdentity: z.nullish(z.object({ type: z.literal("Service"), principalId: z.literal("dynamodb.amazonaws.com") })),
  dynamodb: z.object({
    SequenceNumber: z.string().check(z.regex(/^\d{1,40}$/)),
    /** Epoch seconds. */
    ApproximateCreationDateTime: z.optional(z.number()),
    Keys: z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) }),
    NewImage: z.optional(AttributeMap),
    OldImage: z.optional(AttributeMap),
  }),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

/**
 * A batch from one shard of the table's stream, in order. Lambda passes `shardId` only to event source mappings with a
 * tumbling window; the last invocation of a window may have no records.
 * Source: "Implementing stateful DynamoDB stream processing in Lambda" in the Lambda Developer Guide.
 */
export const StreamEvent = z.object({ shardId: z.string().check(z.minLength(1)), Records: z._default(z.array(StreamRecord), []) });
export type StreamEvent = z.infer<typeof StreamEvent>;

/** The response to a batch. With a tumbling window, Lambda treats a response without `state` as a failure. */
export const batchSucceeded = { state: {}, batchItemFailures: [] };

/** A short name for the shard, safe in keys and attribute names. */
export const shardHash = (shardId: string): string => sha256In("shard", shardId).slice(0, 12);

const positionDigits = 40;

/** A sequence number with a fixed width, so positions compare as text. */
export const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(positionDigits, "0");

/** An unmarshalled row. */
export type Image = Record<string, unknown>;

/** Converts DynamoDB JSON to plain values. TypeError for anything else. */
export const unmarshall = (image: Record<string, unknown>): Image =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, unmarshallValue(value)]));

const unmarshallValue = (value: unknown): unknown => {
  const [type = "", inner] = Object.entries(value as object)[0] ?? [];
  const read = readers[type];
  if (!read) throw new TypeError("Not an attribute value");
  return read(inner);
};

const readers: Readonly<Record<string, (inner: unknown) => unknown>> = {
  S: (text) => text,
  N: Number,
  BOOL: (flag) => flag,
  NULL: () => null,
  B: (base64) => base64,
  SS: (texts) => new Set(texts as string[]),
  NS: (numbers) => new Set((numbers as string[]).map(Number)),
  BS: (blobs) => new Set(blobs as string[]),
  L: (list) => (list as unknown[]).map(unmarshallValue),
  M: (map) => unmarshall(map as Record<string, unknown>),
};
