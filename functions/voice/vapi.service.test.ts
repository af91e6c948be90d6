import { randomUUID } from "node:crypto";
import { ChangedVoiceProvider, NewVoiceAgent } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { keys, type CallRow, type CallStateRow } from "@vitaline/store";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";
import { openGateway, type Gateway } from "./gateway.fixture.ts";
import { newProvider, newSecret, platforms, postTo, refused, type Headers, type Platform } from "./hooks.fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

let town: Clinics;
let gateway: Gateway;
let one: Clinic;
let two: Clinic;
beforeAll(async () => {
  [town, gateway] = [await startClinics(), await openGateway()];
  [one, two] = town.clinics;
}, 60_000);
afterAll(() => Promise.all([town.close(), gateway.close()]));

beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => vi.restoreAllMocks());

const change = ({ ctx }: Clinic, id: string, body: object) => updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse(body), undefined);
const post = (path: string, body: string, headers: Headers) => postTo(gateway.origin, path, body, headers);
const databaseReads = () =>
  town.aws
    .usage()
    .map(({ operation }) => operation)
    .filter((operation) => /^(Get|BatchGet|Query|Scan)/.test(operation));

const callOf = ({ ctx }: Clinic, callId: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("vapi", callId)));
const number = "+14155550142";
const phoneNumber = { provider: "twilio", number };
const message = (callId: string, fields: object) =>
  JSON.stringify({ message: { call: { id: callId, type: "inboundPhoneCall" }, ...fields } });
const toolCalls = (callId: string, ...asked: [id: string, name: string, args?: object][]) =>
  message(callId, {
    type: "tool-calls",
    toolCallList: asked.map(([id, name, args = {}]) => ({ id, type: "function", function: { name, arguments: args } })),
  });
const claim = ({ sandbox }: Clinic) => {
  const { given, family, birthDate, phone } = sandbox.patients[0]!;
  return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
};
const ended = { type: "status-update", status: "ended", endedReason: "customer-ended-call" };

const [vapi] = platforms as [Platform];

describe("Vapi at its hook", () => {
  const secret = newSecret();
  let ids: Map<Clinic, string>;
  let officeId: string;
  beforeAll(async () => {
    // The same secret, because only the hook selects the tenant
    ids = new Map([
      [
        one,
        await newProvider(one, "vapi", {
          webhookSecret: secret,
          config: { apiKey: "key-1234567890", model: "openai/gpt-4.1", voice: "bare" },
        }),
      ],
      [two, await newProvider(two, "vapi", { webhookSecret: secret })],
    ]);
    const staffRouting = [{ label: "Nurse", phone: "+14155550177", reasons: [], hours: { start: "00:00", end: "23:59", timezone: "UTC" } }];
    officeId = (await createOffice(one.ctx, { name: "North", isActive: true, phone: "(415) 555-0142", staffRouting })).id;
  });
  const send = (text: string, clinic = one, headers = vapi.sign(text, secret, Date.now())) =>
    post(`/api/vapi/hook/${ids.get(clinic)}`, text, headers);

  it("accepts the secret itself instead of a signature", async () => {
    const text = JSON.stringify(vapi.small);
    const right: Headers[] = [{ "x-vapi-secret": secret }, { "X-Vapi-Secret": secret }, { authorization: `Bearer ${secret}` }];
    for (const headers of right) expect(await send(text, one, headers)).toEqual({ status: 200, body: {} });
    for (const headers of [
      { "x-vapi-secret": `${secret}0` },
      { authorization: `Basic ${secret}` },
      { "x-vapi-secret": one.apiKey },
      { authorization: "Bearer ", "x-vapi-secret": secret },
    ])
      expect(await send(text, one, headers as Headers)).toEqual(refused);
  });

  it("runs tools for the tenant of the hook, even when two tenants share a secret", async () => {
    const callId = randomUUID();
    const asked = toolCalls(callId, ["t1", "verifyPatientIdentity", claim(one)]);
    expect((await send(asked)).body).toMatchObject({ results: [{ toolCallId: "t1", metadata: { verified: true } }] });
    const known = toolCalls(callId, ["t2", "getPatientInfo"]);
    expect((await send(known)).body).toMatchObject({ results: [{ result: expect.stringContaining("the record of") as string }] });
    expect((await send(known, two)).body).toMatchObject({
      results: [{ error: expect.stringContaining("verify who I'm speaking with") as string }],
    });
    await send(message(callId, ended));
    expect(await callOf(one, callId)).toMatchObject({ status: "completed" });
    expect(await callOf(two, callId)).toBeUndefined();
  });

  it("answers a replayed request with the first result and changes nothing", async () => {
    const callId = randomUUID();
    const opened = await send(
      toolCalls(callId, ["t1", "verifyPatientIdentity", claim(one)], ["t2", "scheduleAppointment", { action: "find" }]),
    );
    const [, found] = opened.body["results"] as { metadata: { slots: { slotId: string }[] } }[];
    const booking = toolCalls(callId, ["t3", "scheduleAppointment", { action: "book", slotId: found!.metadata.slots[0]!.slotId }]);
    const headers = vapi.sign(booking, secret, Date.now());
    const first = await send(booking, one, headers);
    expect(first.body).toMatchObject({ results: [{ metadata: { result: "booked" } }] });
    expect([await send(booking, one, headers), await send(booking, one, headers)]).toEqual([first, first]);

    const end = message(callId, ended);
    const signature = vapi.sign(end, secret, Date.now());
    await send(end, one, signature);
    const row = await callOf(one, callId);
    expect(await send(end, one, signature)).toEqual({ status: 200, body: {} });
    expect(await callOf(one, callId)).toEqual(row);
  });

  it("uses the last value of a duplicate key, from the signed bytes", async () => {
    const [first, last] = [randomUUID(), randomUUID()];
    const event = (callId: string) => message(callId, ended).slice(1, -1);
    expect(await send(`{${event(first)},${event(last)}}`)).toEqual({ status: 200, body: {} });
    expect([await callOf(one, first), (await callOf(one, last))?.status]).toEqual([undefined, "completed"]);
    const twice = `{"message":{"type":"tool-calls","type":"hang","call":{"id":"${first}"},"toolCallList":[{"id":"t1","name":"getPatientInfo"}]}}`;
    expect(await send(twice)).toEqual({ status: 200, body: {} });
  });

  it("keeps the language that the caller has changed to, for its own tenant's call, and the caller is verified as before", async () => {
    const callId = randomUUID();
    const stateOf = ({ ctx }: Clinic) => ctx.store.get<CallStateRow>(keys.callState(keys.callKeyOf("vapi", callId)));
    const change = (language: string) => send(message(callId, { type: "language-change-detected", language }));
    expect(await change("es")).toEqual({ status: 200, body: {} });
    expect([(await stateOf(one))?.language, await stateOf(two)]).toEqual(["es", undefined]);
    expect((await send(toolCalls(callId, ["t1", "verifyPatientIdentity", claim(one)]))).body).toMatchObject({
      results: [{ metadata: { verified: true } }],
    });
    expect(await stateOf(one)).toMatchObject({ language: "es", level: 1 });
    await change("en");
    expect(await stateOf(one)).toMatchObject({ language: "en", level: 1 });
  });

  it("records a call for the called office, and transfers it to that office's staff", async () => {
    const [withNumber, elsewhere] = [randomUUID(), randomUUID()];
    await send(message(withNumber, { ...ended, phoneNumber }));
    await send(message(elsewhere, { ...ended, phoneNumber: { number: "+14155550199" } }));
    expect([(await callOf(one, withNumber))?.officeId, (await callOf(one, elsewhere))?.officeId]).toEqual([officeId, undefined]);
    await send(message(withNumber, { ...ended, phoneNumber }), two);
    expect((await callOf(two, withNumber))?.officeId).toBeUndefined();
    const callId = randomUUID();
    expect((await send(message(callId, { type: "transfer-destination-request", phoneNumber }))).body).toMatchObject({
      destination: { number: "+14155550177" },
    });
  });

  it("gets the assistant in two reads, at its hook and by the tenant's key: the office's agent with the provider's model and the place as variables, or an error sentence", async () => {
    const ask = (clinic = one, more: object = { phoneNumber }) =>
      send(message(randomUUID(), { type: "assistant-request", ...more }), clinic);
    const noAgent = {
      status: 200,
      body: {
        error:
          "This number is not set up for the assistant yet. Please call the office directly. Este número todavía no está configurado para el asistente. Por favor llame directamente al consultorio.",
      },
    };
    expect(await ask()).toEqual(noAgent);
    const assignment = { voiceProviderId: ids.get(one), externalAgentId: "assistant-north", agentName: "North" };
    await assignVoiceAgent(one.ctx, officeId, NewVoiceAgent.parse(assignment));
    town.aws.resetUsage();
    expect(await ask()).toEqual({
      status: 200,
      body: {
        assistantId: "assistant-north",
        assistantOverrides: {
          model: { provider: "openai", model: "gpt-4.1" },
          variableValues: {
            tenant_name: "One",
            time_zone: expect.any(String) as string,
            office_name: "North",
            office_phone: "(415) 555-0142",
          },
        },
      },
    });
    expect(town.aws.usage().map(({ operation }) => operation)).toEqual(["GetItem", "Query"]);
    expect([await ask(two), await ask(one, {}), await ask(one, { phoneNumber: { number: "+14155550199" } })]).toEqual([
      noAgent,
      noAgent,
      noAgent,
    ]);

    await change(one, ids.get(one)!, { isDefault: true });
    expect((await ask(one, {})).body).toMatchObject({ assistantId: "assistant-north" });
    expect(await ask(two, {})).toEqual(noAgent);

    const text = message(randomUUID(), { type: "assistant-request", phoneNumber });
    town.aws.resetUsage();
    expect((await post("/api/vapi/server", text, { authorization: `Bearer ${one.apiKey}` })).body).toMatchObject({
      assistantId: "assistant-north",
    });
    expect(databaseReads()).toEqual(["GetItem", "Query"]);
  });
});
