import { newId } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { openTable, type Row } from "../kit/store/table.ts";

vi.setConfig({ testTimeout: 300_000 });

let it: TestPlatform;
let table: ReturnType<typeof openTable>;
beforeAll(async () => {
  it = await ownPlatform();
  table = openTable(it.dataDir);
  await it.platform.cloud.drained();
});
afterAll(async () => {
  table.close();
  await it.close();
});

const parallelPuts = 20;
async function putAll(rows: readonly Row[]): Promise<void> {
  const waiting = [...rows];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await table.put(row);
  };
  await Promise.all(Array.from({ length: parallelPuts }, work));
}
const made = <Made>(count: number, one: (id: string) => Made): Made[] => Array.from({ length: count }, () => one(newId()));

/** Runs the function as its schedule does; returns how many of its invocations logged the event, and the sum of what they counted. */
async function runScheduled(name: string, event: string): Promise<{ lines: number; count: number }> {
  const before = it.logText().length;
  await it.platform.cloud.runScheduled(name);
  await it.platform.cloud.drained();
  const lines = it
    .logText()
    .slice(before)
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))) as { count?: number });
  return { lines: lines.length, count: lines.reduce((sum, { count = 0 }) => sum + count, 0) };
}

test("A13: every one of more connections than an invocation can probe is probed in one run of the schedule", async () => {
  const { fhirProviders } = keys.partitions;
  const isProvider = ({ sk }: Row): boolean => !sk.includes("#");
  const [model] = (await table.partition(fhirProviders)).filter(isProvider);
  await putAll(made(120, (id) => ({ ...model!, pk: fhirProviders, sk: id, id, name: `Copy ${id}` })));
  await runScheduled("events-health", "probe.failed");
  const rows = await table.partition(fhirProviders);
  const providers = rows.filter(isProvider).map(({ sk }) => sk);
  const probed = rows.flatMap(({ sk }) => (sk.endsWith("#HEALTH") ? [sk.slice(0, -"#HEALTH".length)] : []));
  expect(providers.length).toBeGreaterThan(120);
  expect(new Set(probed)).toEqual(new Set(providers));
});

test("A13: what is due at every one of more tenants than an invocation can deliver for is attempted in one run of the schedule", async () => {
  const dueAt = new Date(Date.now() - 60_000).toISOString();
  const due = made(520, (tenantId): Row => {
    const id = newId();
    const index = { nextAttemptAt: dueAt, gsi1pk: keys.tenantPartitions.dueDeliveries(tenantId), gsi1sk: `${dueAt}#${id}` };
    const delivery = { id, webhookId: newId(), type: "test", at: dueAt, status: "pending", tries: 0, attempts: [], version: 1 };
    const place = { pk: keys.tenantPartitions.deliveries(tenantId), sk: id };
    return { ...place, ...delivery, ...index, tenantId, expiresAt: Math.floor(Date.now() / 1000) + 86_400 };
  });
  await putAll(due);
  await putAll(due.map(({ tenantId }) => ({ pk: keys.partitions.webhookTenants, sk: String(tenantId), tenantId })));
  await runScheduled("events-deliver", "deliver.failed");
  const after = await Promise.all(due.map(({ pk, sk }) => table.row({ pk, sk })));
  // Their webhooks do not exist, which each attempt finds out
  expect(new Set(after.map((row) => `${row?.status} ${String(row?.["code"])}`))).toEqual(new Set(["failed webhook_inactive"]));
});

test("A13: every one of more audit chains than an invocation can verify is verified in one run of the schedule", async () => {
  const { tenantDirectory } = keys.partitions;
  const createdAt = new Date().toISOString();
  await putAll(made(1010, (id) => ({ pk: tenantDirectory, sk: id, id, name: `Clinic ${id}`, organizationType: "clinic", createdAt })));
  const tenants = (await table.partition(tenantDirectory)).filter((row) => "organizationType" in row).map(({ sk }) => sk);
  const { lines, count } = await runScheduled("events-verify", "verify.done");
  expect(lines).toBeGreaterThan(1);
  expect(count).toBe(tenants.length + 1);
  for (const { id } of it.demo.tenants) {
    const head = await table.row({ pk: keys.tenantPartitions.chain(id), sk: "HEAD" });
    expect([id, head?.["lastVerifiedAt"]]).toEqual([id, expect.any(String)]);
  }
});
