import { sha256In } from "@vitaline/core";
import type { TestAws } from "../../../test/kit/aws.ts";
import * as z from "zod/mini";
import { StreamEvent, type StreamRecord } from "./stream-event.ts";

export type Delivered = { shardId: string; record: StreamRecord };

/**
 * Splits the table's stream into shards as DynamoDB does: all changes of a partition key in one shard, in order. A full shard
 * is closed and continued by a child shard with another id.
 */
export function shardedStream(test: TestAws, { shards, recordsPerShard }: { shards: number; recordsPerShard: number }) {
  const stream = test.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const seen = Array.from({ length: shards }, () => 0);
  const taken: Delivered[][] = Array.from({ length: shards }, () => []);
  return {
    /** All records so far, by shard lineage. */
    async read(): Promise<Delivered[][]> {
      for (let records = await stream.read("test", 1000); records.length > 0; records = await stream.read("test", 1000)) {
        for (const record of z.parse(StreamEvent, { shardId: "all", Records: records }).Records) {
          const shard = Number.parseInt(sha256In("test-shard", record.dynamodb.Keys.pk.S).slice(0, 6), 16) % shards;
          const generation = Math.floor((seen[shard] ?? 0) / recordsPerShard);
          seen[shard] = (seen[shard] ?? 0) + 1;
          taken[shard]?.push({ shardId: `shardId-${shard}-${generation}`, record });
        }
        await stream.ack("test", records.at(-1)?.dynamodb.SequenceNumber ?? "");
      }
      return taken;
    },
  };
}
