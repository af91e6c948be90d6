import { callMetrics } from "@vitaline/calls";
import { NewVoiceAgent, NewVoiceProvider } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { allowLoopback } from "@vitaline/outbound";
import { keys, put, update, type CallRow, type TenantContext } from "@vitaline/store";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider, deleteVoiceProvider, loadVoicePlatform, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { recordInOffice } from "../../lib/call-events/record.ts";
import { handler as project } from "../project/handler.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { conversation, said, startElevenLabsApi, type Conversation, type ElevenLabsApi } from "./elevenlabs-api.fixture.ts";
import { handler } from "./handler.ts";

vi.setConfig({ testTimeout: 60_000 });

const invokedFunctionArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-events-reconcile";

type Clinic = { ctx: TenantContext; providerId: string; key: string; officeId: string };
let it: TestAws;
let api: ElevenLabsApi;
let one: Clinic;
let two: Clinic;
let printed = "";
beforeAll(async () => {
  it = await startTestAws();
});
beforeEach(async () => {
  api = await startElevenLabsApi();
  process.env["EGRESS_LOOPBACK_ORIGINS"] = api.origin;
  allowLoopback(invokedFunctionArn);
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
  [one, two] = [await addClinic("One"), await addClinic("Two")];
});
afterEach(async () => {
  vi.restoreAllMocks();
  it.fault();
  for (const { ctx, providerId } of [one, two]) await updateVoiceProvider(ctx, providerId, { isActive: false }, undefined);
  await api.close();
  delete process.env["EGRESS_LOOPBACK_ORIGINS"];
});
afterAll(() => it.close());

let clinics = 0;
/** A tenant with an ElevenLabs account, with agent_1 assigned to its office two days ago. */
async function addClinic(name: string): Promise<Clinic> {
  const id = `${it.tenants[0].slice(0, -3)}${String(clinics++).padStart(3, "0")}`;
  await addTenantRow(it.platform(), id, name);
  const ctx = it.inTenant(id);
  const key = `key-of-${id}`;
  const office = { name: "Main", isActive: true, address: undefined, phone: undefined, email: undefined };
  const { id: officeId } = await createOffice(ctx, office);
  const typed = { providerType: "elevenlabs", providerName: name, config: { apiKey: key, baseUrl: api.origin } };
  const { id: providerId } = await createVoiceProvider(ctx, NewVoiceProvider.parse(typed));
  await assignVoiceAgent(
    ctx,
    officeId,
    NewVoiceAgent.parse({ voiceProviderId: providerId, externalAgentId: "agent_1", agentName: "Front" }),
  );
  api.conversations.set(key, []);
  await markAt({ ctx, providerId }, ago(2 * 86_400));
  return { ctx, providerId, key, officeId };
}
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
const markAt = ({ ctx, providerId }: Pick<Clinic, "ctx" | "providerId">, at: Date) =>
  it.platform().platform.writeUnaudited(
    put(keys.reconciled(providerId), {
      id: providerId,
      tenantId: ctx.tenantId,
      until: at.toISOString(),
      checkedAt: at.toISOString(),
      expiresAt: Math.floor(Date.now() / 1000) + 86_400,
    }),
  );
const markOf = async ({ providerId }: Clinic) => (await it.platform().platform.get(keys.reconciled(providerId)))?.until ?? "";
const run = (remainingMs = 60_000, event = {}) =>
  handler(event, {
    awsRequestId: "reconcile",
    functionName: "reconcile",
    invokedFunctionArn,
    getRemainingTimeInMillis: () => remainingMs,
  });
/** Conversations that started an hour ago, one second apart. */
const add = (clinic: Clinic, ids: string[], more: Partial<Conversation> = {}): Conversation[] => {
  const begun = Math.floor(Date.now() / 1000) - 3600;
  const all = api.conversations.get(clinic.key)!;
  const made = ids.map((id, index) => conversation(id, begun + all.length + index, more));
  all.push(...made);
  return made;
};
const callOf = ({ ctx }: Clinic, id: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("elevenlabs", id)));
const recorded = async (clinic: Clinic, ids: string[]) => {
  const calls = await Promise.all(ids.map((id) => callOf(clinic, id)));
  return ids.filter((_, index) => calls[index]);
};
const fetched = () => api.asked.flatMap(({ path }) => path.split("/v1/convai/conversations/")[1] ?? []);
const numbered = (count: number, prefix = "conv"): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

test("an end without a webhook is recorded for its tenant and its agent's office, and the next run does not request it again", async () => {
  add(one, ["conv-a"]);
  add(two, ["conv-b"]);
  await run();
  expect(await callOf(one, "conv-a")).toMatchObject({
    platform: "elevenlabs",
    status: "completed",
    durationSeconds: 60,
    endedReason: "Client disconnected",
    success: true,
    officeId: one.officeId,
    costAmount: 0.05,
    transcript: { bytes: expect.any(Number) },
  });
  expect(await callOf(two, "conv-b")).toMatchObject({ officeId: two.officeId });
  expect([await callOf(two, "conv-a"), await callOf(one, "conv-b")]).toEqual([undefined, undefined]);
  expect(fetched().sort()).toEqual(["conv-a", "conv-b"]);
  const [list] = api.asked;
  expect(Object.fromEntries(list!.query)).toMatchObject({ summary_mode: "exclude", sort_direction: "asc", page_size: "100" });
  await run();
  expect(fetched()).toHaveLength(2);
  expect(Date.parse(await markOf(one))).toBeGreaterThan(ago(60).getTime());
});

test("a conversation from a webhook, from the list, or from both in any order is one call, counted once", async () => {
  const stream = shardedStream(it, { shards: 1, recordsPerShard: 1_000_000 });
  const [byHook, byBoth, late] = add(one, ["hook-only", "both", "late-hook"]);
  const { decodeCallEvent } = await loadVoicePlatform("elevenlabs");
  const webhook = (data: Conversation | undefined) =>
    decodeCallEvent({ type: "post_call_transcription", event_timestamp: Math.floor(Date.now() / 1000), data })!;
  for (const told of [byHook, byBoth, byBoth]) await recordInOffice(one.ctx, webhook(told));
  const before = await callOf(one, "both");
  await run();
  await recordInOffice(one.ctx, webhook(late));
  await run();
  expect(fetched()).toEqual(["late-hook"]);
  expect(await callOf(one, "both")).toEqual(before);
  const [records = []] = await stream.read();
  const batch = { Records: records.map(({ record }) => record), shardId: "shardId-0" };
  await project(batch, { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 });
  expect(await callMetrics(one.ctx, "all")).toMatchObject({ totalCalls: 3 });
});

test("all pages are read, and recorded conversations are not requested", async () => {
  api.pageSize = 7;
  const ids = numbered(30);
  add(one, ids);
  await run();
  expect(await recorded(one, ids)).toEqual(ids);
  expect(api.asked.filter(({ key, path }) => key === one.key && path.endsWith("/conversations"))).toHaveLength(5);
  expect(new Set(fetched()).size).toBe(30);
  expect(fetched()).toHaveLength(30);
});

test("a conversation in progress is recorded when it has ended", async () => {
  const [going] = add(one, ["going"], { status: "in-progress" });
  const [processing] = add(one, ["processing"], { status: "processing" });
  add(one, ["after"]);
  await run();
  expect(await recorded(one, ["going", "processing", "after"])).toEqual(["after"]);
  expect(Date.parse(await markOf(one)) / 1000).toBe(going!.metadata.start_time_unix_secs);
  for (const each of [going!, processing!]) each.status = "done";
  await run();
  expect(await recorded(one, ["going", "processing", "after"])).toHaveLength(3);
  expect(fetched().sort()).toEqual(["after", "going", "processing"]);
});

test("a conversation open for more than a day delays nothing", async () => {
  const begun = Math.floor(ago(30 * 3600).getTime() / 1000);
  api.conversations.set(one.key, [conversation("stuck", begun, { status: "in-progress" })]);
  await run();
  expect(Date.parse(await markOf(one))).toBeGreaterThan(ago(60).getTime());
});

test("conversations of agents of other tenants are not recorded, even when named with the tenant's key", async () => {
  add(one, ["stranger", "stranger-named"], { agent_id: "agent_9" });
  const callKey = keys.callKeyOf("elevenlabs", "stranger-named");
  await recordInOffice(one.ctx, { platform: "elevenlabs", callId: "stranger-named", status: "in_progress" });
  await run();
  expect(fetched()).toEqual([]);
  expect(await callOf(one, "stranger")).toBeUndefined();
  expect(await one.ctx.store.get<CallRow>(keys.call(callKey))).toMatchObject({ status: "in_progress" });
  expect(Date.parse(await markOf(one))).toBeGreaterThan(ago(60).getTime());
});

test("a platform error for one tenant affects no other, and the next run resumes at the same position", async () => {
  api.pageSize = 5;
  const ids = numbered(12);
  for (const clinic of [one, two]) add(clinic, ids);
  const faults: Record<string, (response: Parameters<NonNullable<ElevenLabsApi["fault"]>>[1]) => unknown> = {
    unavailable: (response) => response.writeHead(503).end(said),
    "too often": (response) => response.writeHead(429).end(said),
    "half an answer": (response) => response.socket?.destroy(),
  };
  for (const [what, fail] of Object.entries(faults)) {
    const before = await markOf(one);
    api.fault = ({ key, path }, response) => key === one.key && path.endsWith("/conv-7") && (fail(response), true);
    await run();
    expect([what, await recorded(one, ids)]).toEqual([what, ids.slice(0, 7)]);
    expect([what, await recorded(two, ids)]).toEqual([what, ids]);
    const fifth = api.conversations.get(one.key)![4]!.metadata.start_time_unix_secs;
    expect([what, Date.parse(await markOf(one)) / 1000]).toEqual([what, fifth]);
    expect(before <= (await markOf(one))).toBe(true);
  }
  api.fault = undefined;
  await run();
  expect(await recorded(one, ids)).toEqual(ids);
  expect(fetched().filter((id) => id === "conv-3")).toHaveLength(2);
});

test("a refused key, an invalid list and an endless list are logged", async () => {
  add(two, ["conv-a"]);
  const before = await markOf(one);
  const faults: NonNullable<ElevenLabsApi["fault"]>[] = [
    (_asked, response) => (response.writeHead(401).end(JSON.stringify({ detail: said })), true),
    (_asked, response) => (response.writeHead(200).end(`<html>${said}</html>`), true),
    (_asked, response) => (response.writeHead(200).end(JSON.stringify({ conversations: said, has_more: false })), true),
    (_asked, response) => (response.writeHead(200).end(JSON.stringify({ conversations: [{ x: said }], has_more: false })), true),
    (_asked, response) => (response.writeHead(200).end(JSON.stringify({ conversations: [], has_more: true, next_cursor: "1" })), true),
    (_asked, response) => {
      const many = Array.from({ length: 101 }, (_, index) => conversation(`c${index}`, 1_800_000_000));
      const listed = many.map(({ metadata, ...rest }) => ({ ...rest, start_time_unix_secs: metadata.start_time_unix_secs }));
      response.writeHead(200).end(JSON.stringify({ conversations: listed, has_more: false }));
      return true;
    },
  ];
  for (const fault of faults) {
    api.fault = (asked, response) => asked.key === one.key && fault(asked, response);
    await run();
    expect(await markOf(one)).toBe(before);
  }
  expect(await recorded(two, ["conv-a"])).toEqual(["conv-a"]);
  expect(printed).toContain('"event":"reconcile.failed"');
});

test("a conversation that cannot be read, or that is a different one, is requested again, and later ones are recorded", async () => {
  const [gone, other] = add(one, ["gone", "other", "fine"]);
  api.fault = ({ path }, response) => {
    if (path.endsWith("/gone")) return (response.writeHead(404).end(said), true);
    if (!path.endsWith("/other")) return false;
    return (response.writeHead(200).end(JSON.stringify(conversation("somebody-elses", other!.metadata.start_time_unix_secs))), true);
  };
  await run();
  expect(await recorded(one, ["gone", "other", "fine", "somebody-elses"])).toEqual(["fine"]);
  expect(Date.parse(await markOf(one)) / 1000).toBe(gone!.metadata.start_time_unix_secs);
  api.fault = undefined;
  await run();
  expect(await recorded(one, ["gone", "other", "fine"])).toHaveLength(3);
});

test("a run that dies keeps its records, and the next one continues", async () => {
  api.pageSize = 4;
  const ids = numbered(12);
  add(one, ids);
  let writes = 0;
  // The database fails in the middle of the second page.
  it.fault(({ operation }) =>
    operation === "UpdateItem" && ++writes > 20 ? { status: 403, code: "AccessDeniedException", message: "gone" } : undefined,
  );
  await run();
  it.fault();
  const before = await recorded(one, ids);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(12);
  await run();
  expect(await recorded(one, ids)).toEqual(ids);
});

test("without time left nothing is started, and with little time a run stops between two conversations", async () => {
  add(one, numbered(3));
  await run(5000);
  expect(api.asked).toEqual([]);
  const before = await markOf(one);
  const realNow = Date.now;
  let lateMs = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + lateMs);
  api.fault = ({ path }) => {
    if (path.endsWith("/conv-0")) lateMs = 38_500;
    return false;
  };
  await run();
  clock.mockRestore();
  expect(await recorded(one, numbered(3))).toEqual(["conv-0"]);
  expect(await markOf(one)).toBe(before);
  await run();
  expect(await recorded(one, numbered(3))).toHaveLength(3);
});

test("a list in the wrong order loses nothing: the position moves only at its end", async () => {
  api.order = "desc";
  api.pageSize = 2;
  const ids = numbered(6);
  add(one, ids);
  const before = await markOf(one);
  api.fault = ({ path }, response) => path.endsWith("/conv-1") && (response.writeHead(503).end(), true);
  await run();
  expect(await markOf(one)).toBe(before);
  api.fault = undefined;
  await run();
  expect(await recorded(one, ids)).toEqual(ids);
  expect(Date.parse(await markOf(one))).toBeGreaterThan(ago(60).getTime());
});

test("inactive tenants and providers and other platforms are not requested", async () => {
  add(one, ["conv-a"]);
  add(two, ["conv-b"]);
  const tenant = keys.tenantConfig();
  const audit = { category: "configuration_change", action: "test", resourceType: "Tenant" } as const;
  await one.ctx.store.commit([update(tenant, { set: { isActive: false } })], audit);
  await updateVoiceProvider(two.ctx, two.providerId, { isActive: false }, undefined);
  const config = { apiKey: "key-of-vapi", baseUrl: api.origin };
  await createVoiceProvider(two.ctx, NewVoiceProvider.parse({ providerType: "vapi", providerName: "V", config }));
  await run();
  expect(api.asked).toEqual([]);
});

test("a new provider is read from its creation, and a long inactive one for a week at most", async () => {
  await markAt(two, ago(20 * 86_400));
  await it.platform().platform.writeUnaudited({ verb: "delete", key: keys.reconciled(one.providerId) });
  await run();
  const afterOf = ({ key }: Clinic) => Number(api.asked.find((asked) => asked.key === key)?.query.get("call_start_after_unix"));
  expect(ago(1200).getTime() / 1000).toBeLessThan(afterOf(one));
  expect(Math.abs(afterOf(two) - ago(7 * 86_400 + 600).getTime() / 1000)).toBeLessThan(60);
});

test("the mark of a deleted provider is removed; that of an inactive one stays, so that it continues where it was", async () => {
  const { id } = await createVoiceProvider(
    one.ctx,
    NewVoiceProvider.parse({
      ...{ providerType: "elevenlabs", providerName: "Former", config: { apiKey: "key-of-former", baseUrl: api.origin } },
      isActive: false,
    }),
  );
  const former = { ...one, providerId: id };
  await markAt(former, ago(600));
  await updateVoiceProvider(two.ctx, two.providerId, { isActive: false }, undefined);
  await run();
  expect((await markOf(former)) && (await markOf(two))).not.toBe("");
  await deleteVoiceProvider(one.ctx, id, undefined);
  await run();
  expect(await markOf(former)).toBe("");
  expect((await markOf(one)) && (await markOf(two))).not.toBe("");
});

test("a run logs neither conversations nor keys", async () => {
  add(one, ["conv-a"]);
  api.fault = ({ key }, response) => key === two.key && (response.writeHead(500).end(said), true);
  await run();
  expect(await recorded(one, ["conv-a"])).toEqual(["conv-a"]);
  expect(printed).toContain('"event":"conversation.recorded"');
  for (const secret of [said, "Jane", one.key, two.key, "conv-a", api.origin]) expect(printed).not.toContain(secret);
});

test("A13: an invocation with a share reconciles the providers of its share and no other", async () => {
  add(one, ["conv-of-share"]);
  add(two, ["conv-of-another"]);
  await run(60_000, { providerIds: [one.providerId] });
  expect([await recorded(one, ["conv-of-share"]), await recorded(two, ["conv-of-another"])]).toEqual([["conv-of-share"], []]);
});
