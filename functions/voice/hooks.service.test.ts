import { randomUUID } from "node:crypto";
import { readCall } from "@vitaline/calls";
import { ChangedVoiceProvider } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { type HookRow, keys, update } from "@vitaline/store";
import { updateTenant } from "@vitaline/tenants";
import { deleteVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startClinics, type Clinic, type Clinics } from "./clinics.fixture.ts";
import { openGateway, type Gateway } from "./gateway.fixture.ts";
import { inactive, newProvider, newSecret, platforms, postTo, refused, type Headers } from "./hooks.fixture.ts";

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

let printed: string;
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const change = ({ ctx }: Clinic, id: string, body: object) => updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse(body), undefined);
const turn = ({ id }: Clinic, isActive: boolean) =>
  updateTenant(town.aws.platform(), id, { name: "Clinic", organizationType: "clinic", contactEmail: "office@clinic.example", isActive });

const post = (path: string, body: string, headers: Headers) => postTo(gateway.origin, path, body, headers);
/** Changes the first hexadecimal or base64 character of each signature. */
const spoiled = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.endsWith("signature")
        ? value.replace(
            /(^|d=|v0=|v1,)([0-9a-zA-Z+/])(?=[^=,]{20})/,
            (_all, start: string, sign: string) => start + (sign === "0" ? "1" : "0"),
          )
        : value,
    ]),
  );

describe.each(platforms)("a request signed by $type", ({ type, step, sign, small }) => {
  const body = JSON.stringify(small);
  let secret: string;
  let id: string;
  let path: string;
  beforeAll(async () => {
    secret = newSecret();
    id = await newProvider(one, type, { webhookSecret: secret });
    path = `/api/${step}/hook/${id}`;
  });
  const signed = (text = body, { to = path, by = secret, atMs = Date.now() } = {}) => post(to, text, sign(text, by, atMs));

  it("is accepted after one read", async () => {
    town.aws.resetUsage();
    expect((await signed()).status).toBe(200);
    expect(town.aws.usage().map(({ operation }) => operation)).toEqual(["GetItem"]);
  });

  it("is accepted while KMS is down, after its secret was decrypted once", async () => {
    await signed();
    town.aws.fault(({ service }) => (service === "kms" ? { status: 503, code: "KMSInternalException", message: "later" } : undefined));
    try {
      expect((await signed()).status).toBe(200);
      expect(await signed(body, { by: newSecret() })).toEqual(refused);
    } finally {
      town.aws.fault();
    }
  });

  it("is refused with the same answer for every flaw of the signature", async () => {
    const now = Date.now();
    const good = sign(body, secret, now);
    expect(spoiled(good)).not.toEqual(good);
    for (const headers of [
      {},
      spoiled(good),
      sign(`${body} `, secret, now),
      sign("", secret, now),
      { authorization: `Bearer ${one.apiKey}` },
      { "x-api-key": one.apiKey },
    ])
      expect(await post(path, body, headers as Headers)).toEqual(refused);
    for (const name of Object.keys(good)) {
      const { [name]: _left, ...others } = good;
      expect(await post(path, body, others)).toEqual(refused);
    }
    for (const apart of [-24 * 60, -31, 6, 24 * 60]) expect(await signed(body, { atMs: now + apart * 60_000 })).toEqual(refused);
  });

  it("is refused when one byte was altered", async () => {
    const headers = sign(body, secret, Date.now());
    for (const at of [0, Math.floor(body.length / 2), body.length - 1]) {
      const altered = Buffer.from(body);
      altered[at]! ^= 1;
      expect(await post(path, altered.toString("latin1"), headers)).toEqual(refused);
    }
    expect(await post(path, `${body}\n`, headers)).toEqual(refused);
    expect((await post(path, body, headers)).status).toBe(200);
  });

  it("is refused with the secret of another provider, of the same tenant or of another", async () => {
    const [others, foreign] = [newSecret(), newSecret()];
    await newProvider(one, type, { webhookSecret: others });
    const theirs = await newProvider(two, type, { webhookSecret: foreign });
    for (const by of [others, foreign, ""]) expect(await signed(body, { by })).toEqual(refused);
    expect(await signed(body, { to: `/api/${step}/hook/${theirs}` })).toEqual(refused);
  });

  it("is refused at another platform's address", async () => {
    for (const other of platforms.filter((each) => each.type !== type))
      for (const headers of [sign(body, secret, Date.now()), other.sign(body, secret, Date.now())])
        expect(await post(`/api/${other.step}/hook/${id}`, body, headers)).toEqual(refused);
  });

  it("is refused at the address of an unknown provider, and of a malformed id without a read", async () => {
    const office = await createOffice(one.ctx, { name: randomUUID(), isActive: true });
    for (const unknownId of ["0".repeat(26), office.id])
      expect(await signed(body, { to: `/api/${step}/hook/${unknownId}` })).toEqual(refused);
    town.aws.resetUsage();
    for (const odd of ["x", `${id}0`, "%00", one.id.slice(1)])
      expect(await signed(body, { to: `/api/${step}/hook/${odd}` })).toEqual(refused);
    expect(town.aws.usage()).toEqual([]);
  });

  it("is accepted with the secret before for an hour, and not after that, nor once the secret was removed", async () => {
    const before = secret;
    secret = newSecret();
    await change(one, id, { webhookSecret: secret });
    expect([(await signed()).status, (await signed(body, { by: before })).status]).toEqual([200, 200]);
    const until = (await one.ctx.store.get(keys.hook(id)))?.previous;
    expect(Math.round(((until?.untilMs ?? 0) - Date.now()) / 600_000)).toBe(6);
    await one.ctx.store.commit([update<HookRow>(keys.hook(id), { set: { previous: { ...until!, untilMs: Date.now() - 1 } } })], {
      ...{ category: "configuration_change", action: "voiceProvider.update", resourceType: "VoiceProvider", resourceId: id },
    });
    expect([(await signed()).status, await signed(body, { by: before })]).toEqual([200, refused]);

    const second = secret;
    secret = newSecret();
    await change(one, id, { webhookSecret: secret });
    await change(one, id, { removeWebhookSecret: true });
    secret = newSecret();
    await change(one, id, { webhookSecret: secret });
    expect([(await signed()).status, await signed(body, { by: second })]).toEqual([200, refused]);
  });

  it("is refused as of an unknown provider once its provider was deleted, also with a secret that was read before", async () => {
    const known = newSecret();
    const deleted = await newProvider(one, type, { webhookSecret: known });
    const to = `/api/${step}/hook/${deleted}`;
    expect((await signed(body, { to, by: known })).status).toBe(200);
    await change(one, deleted, { isActive: false });
    await deleteVoiceProvider(one.ctx, deleted, undefined);
    expect(await signed(body, { to, by: known })).toEqual(refused);
    expect((await signed()).status).toBe(200);
  });

  it("is refused while its provider is inactive or without a secret, and with a secret of long before", async () => {
    await change(one, id, { isActive: false });
    expect(await signed()).toEqual(refused);
    await change(one, id, { isActive: true });
    expect((await signed()).status).toBe(200);

    const before = secret;
    for (let turn = 0; turn < 2; turn++) {
      secret = newSecret();
      await change(one, id, { webhookSecret: secret });
    }
    expect(await signed(body, { by: before })).toEqual(refused);
    expect((await signed()).status).toBe(200);

    await change(one, id, { removeWebhookSecret: true });
    expect(await signed()).toEqual(refused);
    await change(one, id, { webhookSecret: secret });
    expect((await signed()).status).toBe(200);
  });

  it("is refused while its tenant is inactive, and accepted for other tenants", async () => {
    const theirs = { by: newSecret(), to: "" };
    theirs.to = `/api/${step}/hook/${await newProvider(two, type, { webhookSecret: theirs.by })}`;
    await turn(one, false);
    try {
      expect([await signed(), (await signed(body, theirs)).status]).toEqual([inactive, 200]);
      // Only the owner of the secret learns it.
      expect(await signed(body, { by: newSecret() })).toEqual(refused);
    } finally {
      await turn(one, true);
    }
    expect((await signed()).status).toBe(200);
  });

  it("may have up to 5.75 MiB", async () => {
    const filled = (bytes: number) => {
      const empty = JSON.stringify({ ...small, filling: "" });
      return JSON.stringify({ ...small, filling: "x".repeat(bytes - empty.length) });
    };
    const most = 5.75 * 1024 * 1024;
    expect((await signed(filled(most))).status).toBe(200);
    expect(await signed(filled(most + 1))).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(await post(path, filled(most + 1), {})).toEqual(refused);
  });

  it("gets an error for an unreadable body only after its signature is verified", async () => {
    for (const [text, code] of [
      ['{"message": ', "invalid_json"],
      ["\u0000", "invalid_json"],
      ["[]", "invalid_request"],
      ['"text"', "invalid_request"],
      ["null", "invalid_request"],
    ] as const) {
      expect(await signed(text)).toMatchObject({ status: 400, body: { code } });
      expect(await post(path, text, {})).toEqual(refused);
    }
  });

  it("is logged without its secret, its signature and its body", async () => {
    const telling = JSON.stringify({ ...small, note: "Ann Larkmere" });
    const [good, stale] = [sign(telling, secret, Date.now()), sign(telling, secret, 1_234_567_890_123)];
    expect((await post(path, telling, good)).status).toBe(200);
    expect(await post(path, telling, stale)).toEqual(refused);
    expect(printed).toContain('"event":"request.answered"');
    for (const never of [secret, "Larkmere", ...Object.values(good), ...Object.values(stale)]) expect(printed).not.toContain(never);
  });
});

describe("V10: a large body", () => {
  const hookOf = async (clinic: Clinic, type: "vapi" | "elevenlabs") => {
    const { step, sign } = platforms.find((platform) => platform.type === type)!;
    const secret = newSecret();
    const path = `/api/${step}/hook/${await newProvider(clinic, type, { webhookSecret: secret })}`;
    return (body: object) => {
      const text = JSON.stringify(body);
      return post(path, text, sign(text, secret, Date.now()));
    };
  };
  const callOf = ({ ctx }: Clinic, platform: "vapi" | "elevenlabs", callId: string) =>
    ctx.store.get(keys.call(keys.callKeyOf(platform, callId)));

  it("of a Vapi report of 3.6 MB is recorded with all its turns, for its own tenant only", async () => {
    const callId = `v10-${randomUUID()}`;
    const turns = Array.from({ length: 3000 }, (_, at) => ({ role: at % 2 ? "user" : "bot", message: "x".repeat(1200), time: at }));
    const message = { type: "end-of-call-report", endedReason: "customer-ended-call", call: { id: callId }, artifact: { messages: turns } };
    expect(JSON.stringify(message).length).toBeGreaterThan(3.6e6);
    expect(await (await hookOf(one, "vapi"))({ message })).toEqual({ status: 200, body: {} });
    expect((await readCall(one.ctx, keys.callKeyOf("vapi", callId))).transcript?.messages).toHaveLength(turns.length);
    expect(await callOf(two, "vapi", callId)).toBeUndefined();
  });

  it("of an ElevenLabs recording of 4.8 MB is acknowledged and not kept, so that the webhook stays on", async () => {
    const conversation = `v10-${randomUUID()}`;
    const data = { agent_id: "agent_1", conversation_id: conversation, full_audio: "QUJD".repeat(1_200_000) };
    const send = await hookOf(two, "elevenlabs");
    expect(await send({ type: "post_call_audio", event_timestamp: Math.floor(Date.now() / 1000), data })).toEqual({
      status: 200,
      body: {},
    });
    for (const clinic of [one, two]) expect(await callOf(clinic, "elevenlabs", conversation)).toBeUndefined();
  });
});
