import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { readCall, recordCallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { keys, put, remove, type AuditRow, type CallRow, type StatsRow, type ToolRunRow } from "@vitaline/store";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { project } from "./project.ts";
import { shardedStream, type Delivered } from "../../lib/dynamodb-stream/stream.fixture.ts";

let test: TestAws;
beforeAll(async () => {
  test = await startTestAws();
});
afterAll(() => test.close());

/** mulberry32: the same seed gives the same run. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const seed = Number(process.env["SEED"] ?? 20_260_501);
const facts = process.env["FULL"] ? 5000 : 250;
const random = randomFrom(seed);
const chance = (p: number) => random() < p;
const below = (n: number) => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

const statuses: CallStatus[] = [
  "queued",
  "ringing",
  "in_progress",
  "in_progress",
  "completed",
  "completed",
  "completed",
  "no_answer",
  "failed",
  "cancelled",
  "unknown",
];
const offices = [newId(), newId()];
const tools = ["verifyPatientIdentity", "getPatientInfo", "scheduleAppointment"];
const dayMs = 86_400_000;
const audit = { category: "configuration_change", action: "test.seed", resourceType: "Test" } as const;
const optional = <T>(value: T): T | undefined => (chance(0.5) ? value : undefined);

/** One change: a call event, a tool run, or a directory row created, changed or deleted. */
const happen = async (platform: PlatformStore) => {
  const ctx = test.inTenant(pick(test.tenants));
  const callId = `call-${below(facts / 12)}`;
  const kind = random();
  if (kind < 0.6) {
    await recordCallEvent(ctx, {
      platform: "vapi",
      callId,
      status: optional(pick(statuses)) ?? pick(statuses),
      startedAt: optional(new Date(Date.now() - below(5) * dayMs).toISOString()),
      durationSeconds: optional(below(900) + 0.4),
      forwarded: optional(chance(0.3)),
      success: optional(chance(0.7)),
      officeId: optional(pick(offices)),
    });
  } else if (kind < 0.9) {
    const tool = pick(tools);
    const officeId = optional(pick(offices));
    const detail = { tool, ms: below(300), platform: "vapi", ...(chance(0.4) ? { booked: true } : {}), ...(officeId ? { officeId } : {}) };
    await ctx.store.commit([], {
      category: "api_call",
      action: `tool.${tool}`,
      resourceType: "Patient",
      success: chance(0.8),
      callKey: optional(keys.callKeyOf("vapi", callId)),
      detail,
    });
  } else if (kind < 0.93) {
    const signIn = { category: "configuration_change", action: "session.login", resourceType: "User" } as const;
    const refused = { success: false, code: "invalid_credentials" } as const;
    const person = platform.as({ kind: "user", id: `user-${below(30)}`, role: "system_admin" });
    await (chance(0.3)
      ? platform.as({ kind: "nobody", id: "anonymous" }).commit([], { ...signIn, ...refused })
      : person.commit([], signIn));
  } else if (kind < 0.96) {
    const user = keys.userDirectory(`user-${below(30)}`);
    const row = {
      id: "u",
      email: "u@example.org",
      role: "system_admin",
      firstName: "A",
      lastName: "B",
      isActive: chance(0.5),
      hasTotp: chance(0.5),
      createdAt: new Date().toISOString(),
    } as const;
    await platform.commit([chance(0.3) ? remove(user) : put(user, row)], audit);
  } else {
    const row = {
      id: "t",
      name: "T",
      organizationType: "clinic",
      contactEmail: "t@example.org",
      isActive: chance(0.5),
      createdAt: new Date().toISOString(),
    } as const;
    await platform.inTenant(`tenant${below(20)}`).commit([put(keys.tenantDirectory(), row)], audit);
  }
};

const crash = new Error("The function stopped here");
let crashes = 0;

/** A store whose process may die before a write, or after it without a response. */
const mortal = (store: PlatformStore, p: number): PlatformStore => ({
  ...store,
  inTenant: (tenantId) => mortal(store.inTenant(tenantId), p),
  writeUnaudited: async <Row>(write: Parameters<PlatformStore["writeUnaudited"]>[0]) => {
    const dies = chance(p);
    const before = chance(0.5);
    if (dies) crashes++;
    if (dies && before) throw crash;
    const row = await store.writeUnaudited<Row>(write);
    if (dies) throw crash;
    return row;
  },
  writeAllUnaudited: async (writes) => {
    const dies = chance(3 * p);
    const before = chance(0.5);
    if (dies) crashes++;
    if (dies && before) throw crash;
    const isWritten = await store.writeAllUnaudited(writes);
    if (dies) throw crash;
    return isWritten;
  },
});

const deliver = async (ctx: PlatformContext, batch: Delivered[], p = 0.08): Promise<boolean> => {
  const [first] = batch;
  if (!first) return true;
  try {
    await project({ ...ctx, platform: mortal(ctx.platform, p) }, { shardId: first.shardId, Records: batch.map(({ record }) => record) });
    return true;
  } catch (error) {
    if (error !== crash) throw error;
    return false;
  }
};

/** Retries as Lambda does: the whole batch, or its halves. */
const deliverAtLast = async (ctx: PlatformContext, batch: Delivered[]): Promise<void> => {
  while (!(await deliver(ctx, batch))) {
    if (batch.length === 1 || chance(0.5)) continue;
    const middle = 1 + below(batch.length - 1);
    await deliverAtLast(ctx, batch.slice(0, middle));
    await deliverAtLast(ctx, batch.slice(middle));
    return;
  }
};

type Counted = Record<string, Record<string, number>>;
const scan = async (): Promise<({ pk: string; sk: string } & Record<string, unknown>)[]> => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const rows: Record<string, unknown>[] = [];
  for (let from: Record<string, unknown> | undefined, more = true; more; more = from !== undefined) {
    const page = await client.send(
      new ScanCommand({ TableName: process.env["TABLE_NAME"], ExclusiveStartKey: from, ConsistentRead: true }),
    );
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  }
  return rows as ({ pk: string; sk: string } & Record<string, unknown>)[];
};

/** The totals recounted from the table's current rows. */
const recount = (rows: Awaited<ReturnType<typeof scan>>): Counted => {
  const counted: Counted = {};
  const add = (pk: string, sk: string, name: string, value: number) => {
    const row = (counted[`${pk}|${sk}`] ??= {});
    if (value !== 0) row[name] = (row[name] ?? 0) + value;
  };
  for (const { pk, sk, ...row } of rows) {
    const stats = `TENANT#${pk.split("#")[1]}#STATS`;
    const everywhere = (officeId: string | number | boolean | undefined, day: string, name: string, value: number) => {
      const rowsOfDay = ["TOTAL", `DAY#${day.slice(0, 10)}`];
      const ofOffice = [`OFFICE#${officeId}`, `OFFICE#${officeId}#DAY#${day.slice(0, 10)}`];
      for (const to of officeId === undefined ? rowsOfDay : [...rowsOfDay, ...ofOffice]) add(stats, to, name, value);
    };
    if (sk === "CALL") {
      const { status, forwarded, success, durationSeconds, startedAt, officeId, helped } = row as CallRow;
      if (["queued", "ringing", "in_progress"].includes(status)) continue;
      const resolved = status === "completed" && !forwarded && (success ?? helped ?? false);
      everywhere(officeId, startedAt, "totalCalls", 1);
      everywhere(officeId, startedAt, "successfulCalls", status === "completed" ? 1 : 0);
      everywhere(officeId, startedAt, "resolvedCalls", resolved ? 1 : 0);
      everywhere(officeId, startedAt, "forwardedCalls", forwarded ? 1 : 0);
      everywhere(officeId, startedAt, "durationSeconds", durationSeconds ?? 0);
      add(stats, everyMonth, "totalCalls", 1);
      add(stats, everyMonth, "durationSeconds", durationSeconds ?? 0);
      everywhere(officeId, startedAt, "durationCalls", durationSeconds === undefined ? 0 : 1);
      everywhere(officeId, startedAt, "resolvedSeconds", resolved ? (durationSeconds ?? 0) : 0);
      add("PLATFORM#STATS", "TOTAL", "totalCalls", 1);
      add("PLATFORM#STATS", "TOTAL", "successfulCalls", status === "completed" ? 1 : 0);
    } else if (pk.includes("#AUDIT#")) {
      const { at, action, actorKind, success, code, detail = {} } = row as AuditRow;
      const day = `DAY#${at.slice(0, 10)}`;
      const refused = code === "invalid_credentials";
      add("PLATFORM#STATS", day, "auditEvents", 1);
      add("PLATFORM#STATS", day, "securityEvents", refused ? 1 : 0);
      add("PLATFORM#STATS", day, "accessDenied", refused ? 1 : 0);
      add("PLATFORM#STATS", day, "accessAllowed", refused || actorKind === "system" ? 0 : 1);
      add("PLATFORM#STATS", day, "logins", action === "session.login" && success ? 1 : 0);
      add("PLATFORM#STATS", day, "failedLogins", action === "session.login" && !success ? 1 : 0);
      if (!action.startsWith("tool.")) continue;
      everywhere(detail["officeId"], at, `tool_${detail["tool"]}`, 1);
      everywhere(detail["officeId"], at, `toolok_${detail["tool"]}`, success ? 1 : 0);
      everywhere(detail["officeId"], at, "revenueEvents", success && detail["booked"] ? 1 : 0);
      add("PLATFORM#STATS", "TOTAL", "revenueEvents", success && detail["booked"] ? 1 : 0);
    } else if (pk === "PLATFORM#USERS") {
      add("PLATFORM#STATS", "TOTAL", "totalUsers", 1);
      add("PLATFORM#STATS", "TOTAL", "activeAdmins", row["isActive"] ? 1 : 0);
      add("PLATFORM#STATS", "TOTAL", "adminsWithTotp", row["isActive"] && row["hasTotp"] ? 1 : 0);
    } else if (pk === "PLATFORM#TENANTS") {
      add("PLATFORM#STATS", "TOTAL", "totalTenants", 1);
      add("PLATFORM#STATS", "TOTAL", "activeTenants", row["isActive"] ? 1 : 0);
    }
  }
  const signedIn = rows.filter(({ pk, action, success }) => pk.includes("#AUDIT#") && action === "session.login" && success);
  for (const who of new Set(signedIn.map(({ at, actorId }) => `${String(at).slice(0, 10)} ${String(actorId)}`)))
    add("PLATFORM#STATS", `DAY#${who.split(" ")[0]}`, "activeUsers", 1);
  return counted;
};

/** The sum of the billed months, because a call's row does not store the month of a correction. */
const everyMonth = "MONTH#";

const numbersOf = (row: StatsRow): Record<string, number> =>
  Object.fromEntries(Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] !== 0));

it(`every total equals a recount after ${facts} facts, with batches cut, repeated, overtaken and broken off at any write (seed ${seed})`, async () => {
  const ctx = test.platform();
  const stream = shardedStream(test, { shards: 4, recordsPerShard: 300 });
  const done = [0, 0, 0, 0];
  /** One delivery of a random shard, with any failure that Lambda documents. */
  const step = async () => {
    const shard = below(4);
    const lineage = (await stream.read())[shard] ?? [];
    const from = done[shard] ?? 0;
    const rest = lineage.slice(from, from + 1 + below(25));
    const batch = rest.filter(({ shardId }) => shardId === rest[0]?.shardId);
    if (chance(0.1)) await Promise.all([deliver(ctx, batch), deliver(ctx, batch.slice(0, 1 + below(batch.length)))]);
    await deliverAtLast(ctx, batch);
    if (chance(0.15)) return; // redelivered in other batches
    done[shard] = from + batch.length;
    if (chance(0.15)) {
      const start = below(from + 1);
      const old = lineage.slice(start, Math.min(start + 1 + below(25), done[shard] ?? 0));
      await deliver(
        ctx,
        old.filter(({ shardId }) => shardId === old[0]?.shardId),
      );
    }
  };

  for (let fact = 0; fact < facts; fact++) {
    await happen(ctx.platform);
    if (chance(0.1)) await step();
  }
  const behind = async () => (await stream.read()).some((lineage, shard) => (done[shard] ?? 0) < lineage.length);
  while (await behind()) await step();

  const rows = await scan();
  const projected: Counted = {};
  const parts = new Set(rows.flatMap(({ pk }) => (pk.startsWith("PLATFORM#STATS#") ? [pk] : [])));
  expect(parts.size).toBeGreaterThan(1);
  const whole = rows.map((row) => ({ ...row, pk: row.pk.replace(/^PLATFORM#STATS#.$/, "PLATFORM#STATS") }));
  for (const { pk, sk, ...row } of whole.filter((one) => one.pk.endsWith("#STATS"))) {
    const sums = (projected[`${pk}|${sk.startsWith(everyMonth) ? everyMonth : sk}`] ??= {});
    for (const [name, value] of Object.entries(numbersOf(row as StatsRow))) sums[name] = (sums[name] ?? 0) + value;
  }
  for (const sums of Object.values(projected)) for (const name of Object.keys(sums)) if (sums[name] === 0) delete sums[name];
  expect(projected).toEqual(recount(rows));
  expect(crashes).toBeGreaterThan(facts / 25);

  const audits = rows.filter(({ pk }) => pk.includes("#AUDIT#"));
  const fed = rows.filter(({ pk }) => pk.startsWith("PLATFORM#FEED#"));
  expect(fed.map(({ id }) => id).toSorted()).toEqual(audits.map(({ id }) => id).toSorted());
  const runs = rows.filter(({ sk }) => sk.startsWith("RUN#")).map((row) => row as unknown as ToolRunRow & { pk: string });
  const audited = rows.filter(({ pk, callKey }) => pk.includes("#AUDIT#") && callKey !== undefined);
  expect(runs.map(({ id }) => id).toSorted()).toEqual(audited.map(({ id }) => String(id)).toSorted());
  const calls = new Map(rows.flatMap((row) => (row.sk === "CALL" ? [[row.pk, row as unknown as CallRow & { pk: string }]] : [])));
  for (const { pk, tool } of runs) {
    const call = calls.get(pk);
    // The name of a tool that tells nothing else may wait while the call is in progress.
    if (tool !== "verifyPatientIdentity" || call?.endSeenAt !== undefined) expect(call?.toolsUsed).toContain(tool);
  }
  for (const tenantId of test.tenants) {
    for (const { callKey } of runs.filter(({ pk }) => pk.startsWith(`TENANT#${tenantId}#`)).slice(0, 20)) {
      const { toolRuns, toolsUsed } = await readCall(test.inTenant(tenantId), callKey);
      expect(toolsUsed).toEqual([...new Set(toolRuns.map(({ toolName }) => toolName))].toSorted());
    }
  }
}, 600_000);
