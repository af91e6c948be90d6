import { replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { keys, type KeptEventContentRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { project } from "./project.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const change = (pk: string, sk: string, atSeconds: number, position: string) => ({
  eventName: "INSERT" as const,
  dynamodb: {
    SequenceNumber: position,
    ApproximateCreationDateTime: atSeconds,
    Keys: { pk: { S: pk }, sk: { S: sk } },
    NewImage: { endSeenAt: { S: "yesterday" }, rows: { S: "many" } },
  },
});

test("an unreadable record is listed once, for its tenant or the platform, without a replay", async () => {
  const [tenantId] = it.tenants;
  const call = keys.call(keys.callKeyOf("vapi", "bad")).primaryKeyIn(tenantId);
  const chain = keys.platformChain().primaryKey;
  const Records = [change(chain.pk, chain.sk, 1_790_000_000, "2"), change(call.pk, call.sk, 1_790_000_001, "1")];
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  for (let time = 0; time < 2; time++) await project(it.platform(), { shardId: "s", Records });
  vi.restoreAllMocks();
  const { rows } = await listKeptEvents(it.platform(), { limit: 10 });
  expect(rows).toMatchObject([
    { tenantId, from: "project", at: new Date(1_790_000_001_000).toISOString(), tries: 0, nextTryAt: null, replayable: false },
    { tenantId: null, from: "project", at: new Date(1_790_000_000_000).toISOString(), replayable: false },
  ]);
  expect(JSON.stringify(rows)).not.toContain("yesterday");
  const kept = await it.inTenant(tenantId).store.query<KeptEventContentRow>(`TENANT#${tenantId}#INBOX`);
  expect(kept.rows).toMatchObject([{ from: "project", body: expect.stringContaining("yesterday") }]);
  await expect(replayKeptEvent(it.inTenant(tenantId), rows[0]?.id ?? "")).rejects.toMatchObject({ code: "not_doable" });
});
