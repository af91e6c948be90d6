import { readKeptEvent } from "@vitaline/calls";
import { keys, type CallRow, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { ingestOrKeep } from "./ingest.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
});
afterAll(() => it.close());
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => {
  it.fault();
  vi.restoreAllMocks();
});

const filesAway = () =>
  it.fault(({ service }) => (service === "s3" ? { status: 500, code: "InternalError", message: "later" } : undefined));
const report = (callId: string, more: object = {}) => ({
  message: { type: "end-of-call-report", call: { id: callId }, analysis: { summary: "They said hi." }, ...more },
});
const tenantAt = (at: 0 | 1) => it.inTenant(it.tenants[at]);
const callOf = (at: 0 | 1, callId: string) => tenantAt(at).store.get<CallRow>(keys.call(keys.callKeyOf("vapi", callId)));
const keptIds = async (): Promise<string[]> =>
  (await Promise.all(["0", "1", "2", "3"].map((shard) => it.platform().platform.query<DueRow>(partitions.due(shard))))).flatMap(
    ({ rows }) => rows.flatMap((row) => (row.kind === "event" ? [row.id] : [])),
  );
const deep = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as unknown;

test("events that cannot be recorded are stored unchanged for their own tenant alone, recorded ones are not", async () => {
  expect(await ingestOrKeep(tenantAt(0), "vapi", report("c1"))).toBe(true);
  expect([(await callOf(0, "c1"))?.status, await keptIds()]).toEqual(["completed", []]);
  filesAway();
  expect(await ingestOrKeep(tenantAt(0), "vapi", report("c2"))).toBe(true);
  const [id = ""] = await keptIds();
  expect(await readKeptEvent(tenantAt(0), id)).toEqual({ from: "vapi", body: JSON.stringify(report("c2")) });
  expect(await readKeptEvent(tenantAt(1), id)).toBeUndefined();
  expect([await callOf(0, "c2"), await callOf(1, "c1")]).toEqual([undefined, undefined]);
});

test("a body nested too deeply to store is still recorded; if that fails, the platform must send it again", async () => {
  const body = report("c3", { odd: deep(100_000) });
  filesAway();
  await expect(ingestOrKeep(tenantAt(0), "vapi", body)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
  it.fault();
  expect(await ingestOrKeep(tenantAt(0), "vapi", body)).toBe(true);
  expect((await callOf(0, "c3"))?.status).toBe("completed");
});
