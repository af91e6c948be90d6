import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../../packages/webhooks/deliveries/receiver.fixture.ts";
import { openLine } from "../../kit/line.ts";
import type { Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { projected, recount, type Totals } from "../../kit/store/recount.ts";
import { auditsIn, readRows } from "../../kit/store/table.ts";

let it: TestPlatform;
let one: string;
let two: string;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  [one, two] = (await Promise.all(it.demo.tenants.slice(0, 2).map(({ admin }) => it.tokenOf(admin.email, admin.password)))) as [
    string,
    string,
  ];
});
afterAll(() => it.close());

const line = (tenant = 0, patient = 0) => openLine(it.api, it.demo.tenants[tenant]!.apiKey, it.demo.patients[patient]!);
const get = async (token: string, path: string): Promise<Json> => (await it.api("GET", `/api/tenant${path}`, { token })).json;
const counts = async (token: string) => {
  await it.platform.cloud.drained();
  return get(token, "/dashboard/routing?range=all");
};

const ofOwnTenants = (totals: Totals) =>
  Object.entries(totals)
    .filter(([name]) => it.demo.tenants.some(({ id }) => name.includes(id)))
    .toSorted(([a], [b]) => a.localeCompare(b));

test("a caller who is not a patient leaves a name and a number: listed, exported and counted for that clinic alone", async () => {
  const before = { routing: await counts(one), leads: (await get(one, "/leads/export?format=json")).rows };
  const call = line();
  const said = {
    reason: "wants to become a patient",
    outcome: "callback",
    callerName: "=robin newcome",
    callbackNumber: "617 555 0168",
    note: "Afternoons are best",
  };
  const left = await call.useTool("logRoutingEvent", said, "call_lead");
  expect(left).toMatchObject({ status: 200, ok: true, lines: 1, speech: expect.stringMatching(/^Thank you, I've noted your name/) });
  expect((await call.useTool("logRoutingEvent", said, "call_lead")).speech).toBe(left.speech);
  expect(await line().useTool("logRoutingEvent", { reason: "billing", outcome: "resolved" })).toMatchObject({ ok: true });

  const [newest] = await get(one, "/leads?limit=1");
  expect(newest).toMatchObject({ reason: "new_patient", callId: call.callKey, handledAt: null });
  const answer = await it.api("GET", "/api/tenant/leads/export", { token: one });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.json).toMatchObject({ rows: before.leads + 1, complete: true, contentType: "text/csv" });
  expect(answer.json.text.split("\r\n")[1]).toContain(",new_patient,'=robin Newcome,617 555 0168,,Afternoons are best,");
  const added = (await counts(one)).filter(
    ({ count, ...way }: Json) =>
      !before.routing.some((known: Json) => known.count === count && known.reason === way.reason && known.outcome === way.outcome),
  );
  expect(added).toMatchObject([
    { reason: "billing", outcome: "resolved" },
    { reason: "new_patient", outcome: "callback" },
  ]);
  expect((await it.api("GET", "/api/tenant/leads/export", { token: two })).text).not.toContain("Newcome");
  expect(await counts(two)).not.toContainEqual(expect.objectContaining({ reason: "new_patient" }));
  expect((await it.api("GET", "/api/tenant/leads/export?format=xml", { token: one })).status).toBe(400);

  const rows = (await Promise.all(it.demo.tenants.map(({ id }) => readRows(it.dataDir, `TENANT#${id}#`)))).flat();
  expect(ofOwnTenants(projected(rows))).toEqual(ofOwnTenants(recount(rows)));
  expect(auditsIn(rows).map(({ action }) => action)).toEqual(expect.arrayContaining(["tool.logRoutingEvent", "lead.export"]));
  expect(JSON.stringify(rows)).not.toMatch(/Newcome|555 ?0168|Afternoons/);
});

test("the deployed functions have every permission for creating, updating and messaging patients", async () => {
  const newcomer = { firstName: "Robin", lastName: "Newcome", dateOfBirth: "1985-03-14", phoneNumber: "617 555 0168" };
  expect(await line().useTool("createPatientFhir", newcomer)).toMatchObject({ ok: true, lines: 1 });
  const { given, family, birthDate, phone, zip } = it.demo.patients[1]!;
  const call = line(0, 1);
  await call.useTool("verifyPatientIdentity", {
    firstName: given,
    lastName: family,
    dateOfBirth: birthDate,
    phoneNumber: phone,
    zipCode: zip,
  });
  expect(await call.useTool("updatePatientFhir", { email: "moved at example dot com" })).toMatchObject({ ok: true, lines: 1 });
  expect(await call.useTool("sendCommunicationFhir", { category: "callback_request", message: "Please call me" })).toMatchObject({
    ok: true,
    lines: 1,
  });
  expect(JSON.stringify(await readRows(it.dataDir))).not.toMatch(/Newcome|moved@|Please call me/);
});

test("D10: a promise to a caller is a task of that clinic alone, with a webhook event, until it is closed", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const body = { url: `${it.reachable(receiver.origin)}/tasks`, events: ["task.created"] };
  const webhook = (await it.api("POST", "/api/tenant/webhooks", { token: one, body })).json;
  onTestFinished(async () => void (await it.api("DELETE", `/api/tenant/webhooks/${webhook.id}`, { token: one })));
  const call = line(0, 1);
  const said = { firstName: "Ottilie", lastName: "Promised", dateOfBirth: "1985-03-04", phoneNumber: "617 555 0187" };
  expect(await call.useTool("createPatientFhir", said, "call_task")).toMatchObject({ ok: true, speech: expect.stringMatching(/in touch/) });
  const [task] = await get(one, "/tasks?closed=false&limit=1");
  expect(task).toMatchObject({ kind: "registration", callId: call.callKey, closedAt: null });
  expect(JSON.stringify(task)).not.toContain("Promised");
  await it.platform.cloud.drained();
  expect(await get(one, `/webhook-deliveries?webhookId=${webhook.id}`)).toMatchObject([{ type: "task.created", status: "delivered" }]);
  const path = `/api/tenant/tasks/${task.id}`;
  const read = await it.api("GET", path, { token: one });
  expect(read.headers.get("cache-control")).toBe("no-store");
  expect(read.json).toMatchObject({ ...task, about: { name: "Ottilie Promised", dateOfBirth: "1985-03-04" } });
  for (const method of ["GET", "PUT"] as const)
    expect((await it.api(method, path, { token: two, ...(method === "PUT" ? { body: { closed: true } } : {}) })).status).toBe(404);
  expect((await it.api("PUT", path, { token: one, body: { closed: true } })).json).toMatchObject({ closedAt: expect.any(String) });
  expect((await get(one, "/tasks?closed=false")).map(({ id }: Json) => id)).not.toContain(task.id);
  expect(
    auditsIn(await readRows(it.dataDir, `TENANT#${it.demo.tenants[0]?.id}#AUDIT#`)).map(({ action, resourceId }) => [action, resourceId]),
  ).toEqual(
    expect.arrayContaining([
      ["task.read", task.id],
      ["task.close", task.id],
    ]),
  );
});
