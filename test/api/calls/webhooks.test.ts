import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startReceiver, verified, type Receiver } from "../../../packages/webhooks/deliveries/receiver.fixture.ts";
import { openLine } from "../../kit/line.ts";
import type { Api, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { readRows } from "../../kit/store/table.ts";

let receiver: Receiver;
let outside: string;
let it: TestPlatform;
let tokens: string[];
beforeAll(async () => {
  receiver = await startReceiver();
  it = await sharedPlatform({ voices: true, calls: true });
  outside = it.reachable(receiver.origin);
  tokens = await Promise.all(it.demo.tenants.slice(0, 2).map(({ admin }) => it.tokenOf(admin.email, admin.password)));
});
afterAll(async () => {
  await it.close();
  await receiver.close();
});

const ask = (which: 0 | 1, method: string, path: string, body?: object) =>
  it.api(method, `/api/tenant${path}`, { token: tokens[which] ?? "", ...(body ? { body } : {}) });
const events = ["call.completed", "appointment.booked", "appointment.changed", "appointment.cancelled", "lead.captured", "routing.logged"];
const subscribe = async (which: 0 | 1, path: string, more: object = {}): Promise<Json> => {
  const { status, json } = await ask(which, "POST", "/webhooks", { url: outside + path, events, ...more });
  expect(status).toBe(201);
  return json;
};
const bookable = async (line: ReturnType<typeof openLine>) => {
  await line.verify();
  const { found } = await line.find();
  return line.book(found?.slots?.[0]?.slotId ?? "");
};
const answeredFor = async (officeId: string): Promise<Api> => {
  const [tenant] = it.demo.tenants;
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const voiceProviderId = tenant!.voiceProviders.find(({ providerType }) => providerType === "vapi")!.id;
  const agent = { voiceProviderId, externalAgentId: `agent-of-${officeId}`, agentName: "Front desk" };
  const { status, text } = await it.api("POST", `/api/admin/offices/${officeId}/voice-agents`, { token, body: agent });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return (method, path, asking = {}) => {
    const { message } = (asking.body ?? {}) as { message: { call: object } };
    return it.api(method, path, {
      ...asking,
      body: { message: { ...message, call: { ...message.call, assistantId: agent.externalAgentId } } },
    });
  };
};

test("a clinic's own webhooks and calendars get the events of its calls from the deployed functions, and no other clinic's do", async () => {
  const [tenant] = it.demo.tenants;
  const office = tenant!.offices[0]!;
  const { id, secret } = await subscribe(0, "/crm", { includeContact: true });
  await subscribe(1, "/others");
  const { json: feed, headers } = await ask(0, "POST", `/offices/${office.id}/calendar-feed`);
  expect(headers.get("cache-control")).toBe("no-store");
  expect((await ask(0, "GET", `/offices/${office.id}/calendar-feed`)).json).toEqual({ isOn: true, createdAt: feed.createdAt });

  const line = openLine(await answeredFor(office.id), tenant!.apiKey, it.demo.patients[0]!);
  const booked = await bookable(line);
  expect(booked.found).toMatchObject({ result: "booked" });
  const { appointmentId, start } = booked.found!.appointment as { appointmentId: string; start: string };
  await line.useTool("logRoutingEvent", {
    reason: "billing",
    outcome: "callback",
    callerName: "Robin Newcome",
    callbackNumber: "617 555 0168",
  });
  await line.useTool("scheduleAppointment", { action: "cancel", appointmentId });
  await line.end();

  const got = () => receiver.at("/crm").map((one) => verified(secret, one) as Json);
  const wanted = ["appointment.booked", "appointment.cancelled", "call.completed", "lead.captured", "routing.logged"];
  await vi.waitFor(
    () =>
      expect(
        got()
          .map(({ type }: Json) => type)
          .toSorted(),
      ).toEqual(wanted),
    { timeout: 150_000, interval: 500 },
  );
  const of = (type: string) => got().find((one: Json) => one.type === type).data;
  const about = { callId: line.callKey, office: { id: office.id, name: office.name } };
  const at = new Date(start).toISOString();
  expect(of("appointment.booked")).toMatchObject({ ...about, appointmentId, status: "booked", start: at, patientId: expect.any(String) });
  expect(of("appointment.cancelled")).toMatchObject({ ...about, appointmentId, status: "cancelled", start: at });
  expect(of("call.completed")).toMatchObject({ callId: line.callKey, platform: "vapi", platformCallId: line.callId });
  expect(of("routing.logged")).toMatchObject({ ...about, reason: "billing", outcome: "callback" });
  expect(of("lead.captured")).toMatchObject({ ...about, contact: { name: "Robin Newcome", phone: "617 555 0168" } });
  expect(receiver.at("/others")).toEqual([]);

  await vi.waitFor(async () => {
    const { json } = await ask(0, "GET", `/webhook-deliveries?webhookId=${id}`);
    expect(json.map(({ status }: Json) => status)).toEqual(wanted.map(() => "delivered"));
  });
  const [newest] = (await ask(0, "GET", "/webhook-deliveries?limit=1")).json;
  expect((await ask(0, "POST", `/webhook-deliveries/${newest.id}/replay`)).status).toBe(202);
  await vi.waitFor(() => expect(receiver.at("/crm").filter((one) => one.id === newest.id)).toHaveLength(2), {
    timeout: 90_000,
    interval: 500,
  });
  expect(
    new Set(
      receiver
        .at("/crm")
        .filter((one) => one.id === newest.id)
        .map(({ body }) => body),
    ).size,
  ).toBe(1);

  const address = new URL(feed.url as string).pathname;
  const calendar = await it.api("GET", address);
  expect([calendar.status, calendar.headers.get("content-type"), calendar.headers.get("cache-control")]).toEqual([
    200,
    "text/calendar; charset=utf-8",
    "private, max-age=300",
  ]);
  const utc = `${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  expect(calendar.text.split("BEGIN:VEVENT").filter((event) => event.includes(`DTSTART:${utc}`))).toEqual([
    expect.stringContaining("STATUS:CANCELLED"),
  ]);
  for (const { given, family } of it.demo.patients) expect(calendar.text).not.toMatch(new RegExp(`${given}|${family}`));
  const etag = calendar.headers.get("etag") ?? "";
  expect((await it.api("GET", address, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await ask(1, "DELETE", `/offices/${office.id}/calendar-feed`)).status).toBe(404);
  expect((await ask(0, "DELETE", `/offices/${office.id}/calendar-feed`)).status).toBe(204);
  expect((await it.api("GET", address)).status).toBe(404);

  const clear = JSON.stringify(await readRows(it.dataDir)) + it.logText();
  const token = address.split("/").at(-1)!.slice(0, 43);
  for (const hidden of [secret, secret.slice("whsec_".length), token, "Newcome", "555 0168"]) expect(clear).not.toContain(hidden);
});

test("the deployed functions have every permission for managing webhooks", async () => {
  const { id, secret, version } = await subscribe(0, "/desk", { events: ["lead.captured"] });
  const { json: rotated } = await ask(0, "POST", `/webhooks/${id}/rotate-secret`);
  expect((await ask(0, "POST", `/webhooks/${id}/test`)).status).toBe(202);
  await vi.waitFor(() => expect(receiver.at("/desk")).toHaveLength(1), { timeout: 90_000, interval: 500 });
  for (const each of [secret, rotated.secret]) expect(verified(each, receiver.at("/desk")[0]!)).toMatchObject({ type: "webhook.test" });
  receiver.answers("/gone", 410);
  const changed = await ask(0, "PUT", `/webhooks/${id}`, { url: `${outside}/gone`, description: "CRM" });
  expect(changed).toMatchObject({ status: 200, json: { description: "CRM", version: version + 1 } });
  await ask(0, "POST", `/webhooks/${id}/test`);
  const listed = async () => (await ask(0, "GET", "/webhooks")).json.find((one: Json) => one.id === id);
  await vi.waitFor(async () => expect(await listed()).toMatchObject({ isActive: false, disabledReason: "gone" }), {
    timeout: 90_000,
    interval: 500,
  });
  expect(await ask(0, "POST", "/webhooks", { url: "https://10.0.0.1/", events })).toMatchObject({
    status: 400,
    json: { code: "invalid_request" },
  });
  expect((await ask(0, "DELETE", `/webhooks/${id}`)).status).toBe(204);
  expect(await listed()).toBeUndefined();
});
