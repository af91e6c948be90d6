import { sha256In } from "@vitaline/core";
import { due, type DueRow } from "./entities/due.ts";
import type { TenantKey } from "./entities/entity.ts";
import { outgoing, type OutgoingRow } from "./entities/messages.ts";
import { put, type Write } from "./verbs/write.ts";

/** Due rows and outgoing messages are sharded over four partitions each, so that writers do not share one hot partition. */
export const shards = ["0", "1", "2", "3"] as const;
type Shard = (typeof shards)[number];

/** The shards in rotated order: start with another one each time, so that none is always last. */
export const shardsFrom = (first: number): Shard[] => {
  const start = first % shards.length;
  return [...shards.slice(start), ...shards.slice(0, start)];
};

const shardAt = (position: number): Shard => shards[position % shards.length] ?? shards[0];

/** Mails about emergencies have a shard of their own, so that they wait for no other work. */
export const urgentShard = "urgent";
export const dueShards = [urgentShard, ...shards] as const;

/** The last character of a ULID or a hex digest is random. */
export const dueKey = ({ kind, id, dueAt }: Pick<DueRow, "kind" | "id" | "dueAt">): TenantKey<DueRow> =>
  due(kind === "emergency" ? urgentShard : shardAt(Number.parseInt(id.slice(-1), 36)), dueAt, kind, id);

/** Schedules work for `events/retry` at `dueAt`. One write unit. */
export const schedule = (row: DueRow): Write => put(dueKey(row), row);

/** Ids of outgoing rows are not random, so they are hashed. */
export const outgoingKey = ({ kind, id, dueAt }: Pick<OutgoingRow, "kind" | "id" | "dueAt">): TenantKey<OutgoingRow> =>
  outgoing(shardAt(Number.parseInt(sha256In("outgoing", id).slice(0, 2), 16)), dueAt, kind, id);
