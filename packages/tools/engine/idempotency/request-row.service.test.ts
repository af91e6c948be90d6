import { keys, put, remove, type IdempotencyRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import { expectProtocol, nothing, type User } from "../../../../test/kit/store/locks.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../../test/kit/aws.ts";
import { decideRequest, transitionOf } from "./request-row.ts";

let aws: TestAws;
beforeAll(async () => void (aws = await startTestAws()));
afterAll(() => aws.close());

const dayMs = 86_400_000;

const request: User = {
  ...{ name: "a request", limit: 1, lifeMs: dayMs, staleAfterMs: 30_000, again: "busy", isOwnersOwn: true, key: keys.idempotency },
  async take(store, key, { attempt }, nowMs) {
    const row = (await store.get(key)) as IdempotencyRow | undefined;
    const decision = decideRequest(row, row && "retry", nowMs);
    if (decision !== "run") return decision === "wait" ? "busy" : "settled";
    const transition = transitionOf({ row, deduplication: "requestRow", requestId: attempt }, "started");
    const started: IdempotencyRow = {
      ...{ status: "started", tool: "scheduleAppointment", callKey: "c", startedAtMs: nowMs, requestId: attempt },
      expiresAt: (nowMs + dayMs) / 1000,
    };
    return (await store.writeUnaudited(put(key as Key<IdempotencyRow>, started, transition?.condition))) ? "acquired" : "busy";
  },
  async giveBack(store, key, { attempt }) {
    const row = (await store.get(key)) as IdempotencyRow | undefined;
    const transition = transitionOf({ row: undefined, deduplication: "requestRow", requestId: attempt }, "failed");
    if (row?.status !== "done") await store.writeUnaudited(remove(key, transition?.condition));
  },
  async settle(store, key, { attempt }) {
    const row = (await store.get(key)) as IdempotencyRow | undefined;
    if (row?.requestId !== attempt) return;
    const { condition } = transitionOf({ row: undefined, deduplication: "requestRow", requestId: attempt }, "answered");
    await store.writeUnaudited(put(key as Key<IdempotencyRow>, { ...row, status: "done" }, condition));
  },
  read(row) {
    if (!row) return nothing;
    const { status, requestId, startedAtMs, expiresAt } = row as IdempotencyRow;
    const holder = { attempt: requestId, lockedAtMs: startedAtMs, ...(status === "done" ? { settled: true as const } : {}) };
    return { untilMs: expiresAt * 1000, holders: { a: holder } };
  },
};

it("a request is at work in one environment at a time, and its answer stays until it expires, wherever a process dies", async () => {
  await expect(expectProtocol(aws, request, process.env["FULL"] ? 200 : 15)).resolves.toBeUndefined();
}, 600_000);
