import { sha256In, newId } from "@vitaline/core";
import { expect, test } from "vitest";
import { dueKey, dueShards, outgoingKey, schedule, shards, shardsFrom, urgentShard } from "./due.ts";
import { partitions } from "./keys.ts";

const dueAt = "2026-11-25T12:00:00.000Z";
const shardOf = (pk: string): string => pk.split("#").at(-1) ?? "";

test("due rows and outgoing messages use all shards and no other partition", () => {
  const ids = Array.from({ length: 400 }, (_, at) => at);
  const used = [
    ids.map(() => dueKey({ kind: "event", id: newId(), dueAt })),
    ids.map((at) => dueKey({ kind: "idempotency", id: sha256In("test", String(at)), dueAt })),
    ids.map((at) => outgoingKey({ kind: "message", id: `m${at}`, dueAt })),
  ].map((keys) => new Set(keys.map((key) => shardOf(key.primaryKeyIn("t1").pk))));
  for (const some of used) expect([...some].toSorted()).toEqual([...shards]);
});

test("a mail about an emergency lies in a shard of its own, before which there is no other work", () => {
  const shardsOf = (kind: "emergency" | "daily") =>
    new Set(Array.from({ length: 50 }, () => shardOf(dueKey({ kind, id: newId(), dueAt }).primaryKeyIn("t1").pk)));
  expect([...shardsOf("emergency")]).toEqual([urgentShard]);
  expect(shardsOf("daily").has(urgentShard)).toBe(false);
  expect([...dueShards].toSorted()).toEqual([...shards, urgentShard]);
});

test("a due row lies in its shard, sorted by time", () => {
  const row = { kind: "erasure", tenantId: "t1", id: newId(), dueAt, expiresAt: 1 } as const;
  const { key } = schedule(row);
  expect(key).toMatchObject({ scope: "tenant", entity: "due" });
  const { pk, sk } = dueKey(row).primaryKeyIn("t1");
  expect(pk).toBe(partitions.due(shardOf(pk)));
  expect(sk).toBe(`${dueAt}#erasure#t1#${row.id}`);
});

test("the rotated shards start with another one each time", () => {
  expect(shardsFrom(0)).toEqual(["0", "1", "2", "3"]);
  expect(shardsFrom(5)).toEqual(["1", "2", "3", "0"]);
});
