import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { KeptEvent } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import type { AwsOptions } from "../../../packages/local-cloud/aws/index.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { auditsIn, readRows, type Row } from "../../kit/store/table.ts";

type Hook = NonNullable<AwsOptions["fault"]>;
let hook: Hook | undefined;
let it: TestPlatform;
let admin: string;
beforeAll(async () => {
  it = await sharedPlatform({ fault: (call) => hook?.(call) });
  admin = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
});
afterEach(() => void (hook = undefined));
afterAll(() => it.close());

const tenantAt = (at: 0 | 1) => it.demo.tenants[at] as TestPlatform["demo"]["tenants"][number];
const secret = "Larkmere wants a refill";
const report = (at: 0 | 1, id: string) =>
  it.api("POST", "/api/vapi/server", {
    key: tenantAt(at).apiKey,
    body: {
      message: {
        type: "end-of-call-report",
        call: { id },
        endedReason: "customer-ended-call",
        durationSeconds: 60,
        artifact: { transcript: secret },
        analysis: { successEvaluation: "true" },
      },
    },
  });
/** Functions that process calls; projection and archive retry by themselves. */
const ofEvents = (principalArn: string): boolean => /voice|retry/i.test(principalArn);
const bucketRefuses = (): void => {
  hook = ({ service, operation, principalArn }) =>
    service === "s3" && operation === "PutObject" && ofEvents(principalArn)
      ? { status: 403, code: "AccessDenied", message: "no" }
      : undefined;
};
const list = async (): Promise<KeptEvent[]> =>
  z
    .parse(z.array(KeptEvent), (await it.api("GET", "/api/admin/kept-events", { token: admin })).json)
    .filter(({ tenantId }) => it.demo.tenants.some(({ id }) => id === tenantId));
const replay = ({ tenantId, id }: { tenantId: string | null; id: string }) =>
  it.api("POST", `/api/admin/tenants/${tenantId}/kept-events/${id}/replay`, { token: admin });
const retryDue = async (): Promise<void> => {
  await it.platform.cloud.runScheduled("retry");
  await it.platform.cloud.drained();
};
const callIn = (rows: Row[], at: 0 | 1, callId: string): Row | undefined => {
  const { pk, sk } = keys.call(keys.callKeyOf("vapi", callId)).primaryKeyIn(tenantAt(at).id);
  return rows.find((row) => row.pk === pk && row.sk === sk);
};
const totalOf = async (at: 0 | 1): Promise<number> => {
  const { email, password } = tenantAt(at).admin;
  const { json } = await it.api("GET", "/api/tenant/dashboard/metrics?timeRange=all", { token: await it.tokenOf(email, password) });
  return json.totalCalls as number;
};

test("an event that cannot be processed is accepted, stored encrypted and listed, and an administrator's replay makes it one call, counted once", async () => {
  await it.platform.cloud.drained();
  const before = [await totalOf(0), await totalOf(1)];
  bucketRefuses();
  expect((await report(0, "kept-1")).status).toBe(200);
  expect((await report(1, "kept-2")).status).toBe(200);
  const kept = await list();
  expect(kept.map(({ tenantId, from, reason, tries }) => ({ tenantId, from, reason, tries }))).toEqual([
    { tenantId: tenantAt(1).id, from: "vapi", reason: "AccessDenied", tries: 0 },
    { tenantId: tenantAt(0).id, from: "vapi", reason: "AccessDenied", tries: 0 },
  ]);
  const rows = await readRows(it.dataDir);
  expect(JSON.stringify(rows)).not.toContain("Larkmere wants");
  expect(callIn(rows, 0, "kept-1")).toBeUndefined();

  for (const event of kept) expect(await replay(event)).toMatchObject({ status: 200, json: { id: event.id } });
  await retryDue();
  expect((await list()).map(({ tries }) => tries)).toEqual([1, 1]);
  hook = undefined;
  for (const event of kept) await replay(event);
  await retryDue();
  expect(await list()).toEqual([]);
  const after = await readRows(it.dataDir);
  for (const at of [0, 1] as const) expect(callIn(after, at, `kept-${at + 1}`)).toMatchObject({ status: "completed", success: true });
  await report(0, "kept-1");
  await it.platform.cloud.drained();
  expect([await totalOf(0), await totalOf(1)]).toEqual(before.map((total) => total + 1));
  const audits = auditsIn(after).filter(
    ({ action, resourceId }) => action === "keptEvent.replay" && kept.some(({ id }) => id === resourceId),
  );
  expect(audits).toHaveLength(4);
  for (const audit of audits) expect(audit).toMatchObject({ actorKind: "user", resourceId: expect.any(String), success: true });
  expect(it.logText()).toContain("event.kept");
  expect(it.logText()).not.toContain("Larkmere wants");
});

test("an event is replayed for its own tenant alone, and an unknown one is not found", async () => {
  bucketRefuses();
  await report(0, "kept-3");
  const [event] = await list();
  const id = event?.id ?? "";
  expect(await replay({ tenantId: tenantAt(1).id, id })).toMatchObject({ status: 404, json: { code: "not_found" } });
  hook = undefined;
  expect(await replay({ tenantId: tenantAt(0).id, id })).toMatchObject({ status: 200 });
  await retryDue();
  expect(await replay({ tenantId: tenantAt(0).id, id })).toMatchObject({ status: 404 });
});

test("without the table nothing is stored, and the platform is asked to send again", async () => {
  hook = ({ service, operation, principalArn }) =>
    service === "dynamodb" && (operation === "PutItem" || operation === "UpdateItem") && ofEvents(principalArn)
      ? { status: 500, code: "InternalServerError", message: "later" }
      : undefined;
  const refused = await report(0, "kept-4");
  expect(refused).toMatchObject({ status: 503, json: { code: "unavailable" } });
  expect(refused.headers.get("retry-after")).toBe("60");
  hook = undefined;
  expect(await list()).toEqual([]);
  expect((await report(0, "kept-4")).status).toBe(200);
});

test("a change that this release cannot read is kept, and projected once a release can, with the function's own rights", async () => {
  const { aws, region, operator, functions } = it.platform.cloud;
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: aws.url, region, credentials: operator }));
  const TableName = functions.find(({ name }) => name.endsWith("events-project"))!.env["TABLE_NAME"]!;
  const { id: tenantId, admin: clinic } = tenantAt(1);
  const id = newId();
  const key = keys.task(id).primaryKeyIn(tenantId);
  const now = new Date();
  const task = {
    ...{ id, at: now.toISOString(), dueAt: now.toISOString(), kind: "of_the_next_release", topic: "other", version: 1 },
    expiresAt: Math.floor(now.getTime() / 1000) + 86_400,
  };
  await table.send(new PutCommand({ TableName, Item: { ...key, ...task } }));
  await it.platform.cloud.drained();
  await it.platform.cloud.runScheduled("events-project");
  expect(await list()).toMatchObject([{ tenantId, from: "project", reason: "fields: kind" }]);
  const content = (await readRows(it.dataDir)).find(({ pk, body }) => pk.includes(tenantId) && String(body).includes(id))!;
  const body = String(content["body"]).replaceAll("of_the_next_release", "message");
  await table.send(new PutCommand({ TableName, Item: { ...key, ...task, kind: "message" } }));
  await table.send(new PutCommand({ TableName, Item: { ...content, body } }));
  await it.platform.cloud.runScheduled("events-project");
  expect(await list()).toEqual([]);
  const token = await it.tokenOf(clinic.email, clinic.password);
  const { text } = await it.api("GET", "/api/tenant/to-do", { token });
  expect(text).toContain(id);
});
