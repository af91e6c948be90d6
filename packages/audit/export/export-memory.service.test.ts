import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BatchWriteItemCommand, DynamoDBClient, type AttributeValue } from "@aws-sdk/client-dynamodb";
import type { ExportFormat } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { auditCategories, create, keys, type ExportRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { deployedWith } from "../../../test/kit/deployed.ts";

const full = Boolean(process.env["FULL"]);
const rows = full ? 100_000 : 20_000;
const formats = full ? (["csv", "json", "pdf"] as const) : (["pdf"] as const);
const mostMiB = 256;
let it: TestAws;
let seededAt: string;
beforeAll(async () => {
  it = await startTestAws();
  await addAuditRows(it.tenants[0], rows);
  seededAt = new Date().toISOString();
}, 600_000);
afterAll(() => it.close());

const day = new Date().toISOString().slice(0, 10);
/** Rows like those of tool runs, spread over today. */
const addAuditRows = async (tenantId: string, count: number): Promise<void> => {
  const client = new DynamoDBClient({});
  const startMs = Date.parse(`${day}T00:00:00Z`);
  const spanMs = Date.now() - startMs;
  const request = (at: number): { PutRequest: { Item: Record<string, AttributeValue> } } => {
    const ms = startMs + Math.floor((spanMs * at) / count);
    const category = auditCategories[at % 4] ?? "api_call";
    const id = newId(ms);
    const texts = {
      pk: keys.tenantPartitions.audit(tenantId, day.slice(0, 7), category),
      sk: id,
      id,
      at: new Date(ms).toISOString(),
      tenantId,
      category,
      action: "tool.scheduleAppointment",
      actorKind: "api_key",
      actorId: tenantId,
      resourceType: "Patient",
      resourceId: `patient-${at}`,
      clientAddress: "203.0.113.7",
      requestId: "7d0e7a4c-3a53-4c3d-9d3f-0a4f5f6e7d8c",
      callKey: "0123456789abcdef0123456789abcdef01234567",
    };
    const detail = {
      M: { tool: { S: "scheduleAppointment" }, ms: { N: "120" }, platform: { S: "vapi" }, action: { S: "book" }, booked: { BOOL: true } },
    };
    const Item = Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }]));
    return { PutRequest: { Item: { ...Item, detail, success: { BOOL: true }, expiresAt: { N: "4000000000" } } } };
  };
  for (let at = 0; at < count; at += 25)
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { [process.env["TABLE_NAME"] ?? ""]: Array.from({ length: Math.min(25, count - at) }, (_, i) => request(at + i)) },
      }),
    );
};

test.each(formats)(
  `an export of ${rows} rows as %s stays under ${mostMiB} MiB in a process that is started as its function is`,
  async (format: ExportFormat) => {
    const { store, clock } = it.inTenant(it.tenants[0]);
    const row: ExportRow = {
      id: newId(),
      status: "queued",
      format,
      start: day,
      end: day,
      timeZone: "UTC",
      tenantId: it.tenants[0],
      requestedBy: "admin",
      requestedAt: seededAt,
      tries: 1,
      heartbeatAt: clock().toISOString(),
      expiresAt: 4_000_000_000,
    };
    await store.writeUnaudited(create(keys.tenantExport(row.id), row));
    const program = fileURLToPath(new URL("./export-memory.fixture.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, it.tenants[0], row.id], {
      env: { ...process.env, NODE_OPTIONS: deployedWith("events/export").nodeOptions },
    });
    const done = await store.get(keys.tenantExport(row.id));
    expect(done).toMatchObject({ status: "ready", rows });
    const lying = await it.aws.s3.get(process.env["FILES_BUCKET"] ?? "", done?.file ?? "");
    expect(lying?.body).toHaveLength(done?.bytes ?? 0);
    process.stderr.write(
      `An export of ${rows} rows as ${format}: ${stdout} MiB at most, a file of ${((done?.bytes ?? 0) / 1e6).toFixed(1)} MB\n`,
    );
    expect(Number(stdout)).toBeLessThan(mostMiB);
  },
);
