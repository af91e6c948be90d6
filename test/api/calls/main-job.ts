import { createHash } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { replay, runCall, type FinishedCall } from "../../call/run-call.ts";
import type { ScenarioName } from "../../call/scenarios.ts";
import type { TestPlatform } from "../../kit/platform.ts";

type Metrics = { totalCalls: number; successfulCalls: number; revenueEvents: number; resolutionRate: number };

export async function metricsOf(test: TestPlatform, tenantIndex: number): Promise<Metrics> {
  const tenant = tenantAt(test, tenantIndex);
  await test.platform.cloud.drained();
  const token = await test.tokenOf(tenant.admin.email, tenant.admin.password);
  const { status, json, text } = await test.api("GET", "/api/tenant/dashboard/metrics", { token });
  if (status !== 200) throw new Error(`metrics of ${tenant.name}: ${status} ${text}`);
  return json as Metrics;
}

export function tenantAt({ demo }: TestPlatform, index: number) {
  const tenant = demo.tenants[index];
  if (!tenant) throw new Error("The demo data has no such tenant");
  return tenant;
}

export function phone(test: TestPlatform, tenantIndex: number, scenario: ScenarioName, patientIndex = 0): Promise<FinishedCall> {
  const patient = test.demo.patients[patientIndex];
  if (!patient) throw new Error("The demo data has no such patient");
  return runCall({ origin: test.origin, apiKey: tenantAt(test, tenantIndex).apiKey, platform: "vapi", scenario, patient });
}

async function readAtEhr<T>(test: TestPlatform, reference: string): Promise<T> {
  const response = await fetch(`${test.demo.ehr.r4.baseUrl}/${reference}`, { headers: { accept: "application/fhir+json" } });
  if (!response.ok) throw new Error(`${reference} at the EHR: ${response.status}`);
  return (await response.json()) as T;
}

async function appointmentsAtEhr(test: TestPlatform): Promise<string> {
  type Found = { total: number; entry: { resource: { id: string; status: string; meta: { versionId: string } } }[] };
  const { total, entry } = await readAtEhr<Found>(test, "Appointment?_sort=-date&_count=100");
  return createHash("sha256")
    .update(JSON.stringify([total, ...entry.map(({ resource: { id, status, meta } }) => [id, status, meta.versionId])]))
    .digest("hex");
}

export async function tableOf({ platform }: TestPlatform): Promise<Map<string, Record<string, unknown>>> {
  const { awsUrl, cloud } = platform;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: awsUrl, region: cloud.region, credentials: cloud.operator }));
  const rows = new Map<string, Record<string, unknown>>();
  for (let from: Record<string, unknown> | undefined, more = true; more; more = from !== undefined) {
    const page = await client.send(new ScanCommand({ TableName: cloud.tableNames[0], ExclusiveStartKey: from }));
    for (const row of page.Items ?? []) rows.set(`${String(row["pk"])} ${String(row["sk"])}`, row);
    from = page.LastEvaluatedKey;
  }
  return rows;
}

/** Keys of changed rows, except the time of a key's last use. */
const changedRows = (before: Map<string, object>, after: Map<string, object>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => !key.includes("#KEYUSE ") && JSON.stringify(before.get(key), setsAsLists) !== JSON.stringify(after.get(key), setsAsLists),
  );

const setsAsLists = (_key: string, value: unknown): unknown => (value instanceof Set ? [...value].sort() : value);

/**
 * A call books an appointment that appears at the EHR and on its own tenant's dashboard, exactly once. Returns the violations as
 * sentences.
 */
export async function mainJobFailures(test: TestPlatform): Promise<string[]> {
  const failures: string[] = [];
  const expectSame = (what: string, is: unknown, wanted: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
  };
  const counts = ({ totalCalls, successfulCalls, revenueEvents }: Metrics) => [totalCalls, successfulCalls, revenueEvents];
  const plusOne = (before: Metrics) => counts(before).map((count) => count + 1);
  const [one, two] = [await metricsOf(test, 0), await metricsOf(test, 1)];

  const call = await phone(test, 0, "book");
  expectSame(
    "what the call changed",
    call.changes.map(({ what }) => what),
    ["booked"],
  );
  expectSame("tenant one's count", counts(await metricsOf(test, 0)), plusOne(one));
  expectSame("tenant two's count", counts(await metricsOf(test, 1)), counts(two));
  const id = call.changes[0]?.appointmentId;
  const appointment = await readAtEhr<{ status: string; slot: { reference: string }[] }>(test, `Appointment/${id}`);
  expectSame("the appointment", appointment.status, "booked");
  expectSame("its slot", (await readAtEhr<{ status: string }>(test, appointment.slot[0]?.reference ?? "Slot/none")).status, "busy");

  await test.platform.cloud.drained();
  const before = await tableOf(test);
  const appointments = await appointmentsAtEhr(test);
  for (const { status, path } of await replay(call)) expectSame(`${path}, again,`, status, 200);
  await test.platform.cloud.drained();
  expectSame("rows that a replay changed", changedRows(before, await tableOf(test)), []);
  expectSame("the EHR's appointments after a replay", await appointmentsAtEhr(test), appointments);

  await phone(test, 1, "book", 1);
  expectSame("tenant one's count after tenant two's call", counts(await metricsOf(test, 0)), plusOne(one));
  expectSame("tenant two's count after its call", counts(await metricsOf(test, 1)), plusOne(two));
  return failures;
}
