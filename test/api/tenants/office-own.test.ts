import type { OwnVoiceProvider, VoiceAgent, VoiceProvider } from "@vitaline/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { auditsIn, readRows } from "../../kit/store/table.ts";

type Clinic = { token: string; id: string; officeIds: string[]; fhirProviderId: string; voice: { id: string; sandboxKey: string }[] };

let it: TestPlatform;
let one: Clinic;
let two: Clinic;
const unknownId = "0".repeat(26);

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const clinics = it.demo.tenants.slice(0, 2).map(async ({ id, admin, offices, fhirProviderId, voiceProviders }) => ({
    token: await it.tokenOf(admin.email, admin.password),
    id,
    officeIds: offices.map((office) => office.id),
    fhirProviderId: fhirProviderId ?? "",
    voice: voiceProviders,
  }));
  [one, two] = (await Promise.all(clinics)) as Clinic[] as [Clinic, Clinic];
});
afterAll(() => it?.close());

const ask = <T = Json>({ token }: Clinic, method: string, path: string, body?: unknown, version?: number): Promise<Answer<T>> =>
  it.api<T>(method, path, {
    token,
    ...(body === undefined ? {} : { body }),
    ...(version === undefined ? {} : { headers: { "if-match": `"${version}"` } }),
  });

let offices = 0;
const newOffice = async (who: Clinic): Promise<string> => {
  const { status, json } = await ask(who, "POST", "/api/tenant/offices", { name: `Own office ${++offices}` });
  expect(status).toBe(201);
  return json.id;
};
const agentsOf = (officeId = ""): string => `/api/tenant/offices/${officeId}/voice-agents`;
const newAgent = (voiceProviderId: string, externalAgentId: string) => ({ voiceProviderId, externalAgentId, agentName: "Evening agent" });

describe("voice platforms, as the tenant itself connects them", () => {
  const path = "/api/tenant/voice-providers";
  const account = { providerType: "retellai", providerName: "Night line", config: { apiKey: "key-of-the-night-line" } };
  const allow = async (who: Clinic, ownVoiceProviders: boolean): Promise<void> => {
    const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
    const address = `/api/admin/tenants/${who.id}`;
    const { name, contactEmail, organizationType, isActive } = (await it.api("GET", address, { token })).json;
    const body = { name, contactEmail, organizationType, isActive, policies: { ownVoiceProviders } };
    expect((await it.api("PUT", address, { token, body })).status).toBe(200);
  };

  test("need a policy, and belong to the tenant alone; keys are stored and never answered; all of it is audited as the tenant's own", async () => {
    const [known] = one.voice;
    for (const request of [
      ask(one, "POST", path, account),
      ask(one, "GET", `${path}/${known!.id}`),
      ask(one, "PUT", `${path}/${known!.id}`, { isActive: false }),
      ask(one, "DELETE", `${path}/${known!.id}`),
    ])
      expect(await request).toMatchObject({ status: 403, json: { code: "forbidden" } });

    await allow(one, true);
    await allow(two, true);
    const made = await ask<VoiceProvider>(one, "POST", path, account);
    expect(made).toMatchObject({ status: 201, json: { providerName: "Night line", config: { hasApiKey: true, apiKeyLast4: "line" } } });
    expect(made.text).not.toContain(account.config.apiKey);
    const { id, tenantId } = made.json;
    expect(tenantId).toBe(one.id);
    expect((await ask<OwnVoiceProvider[]>(one, "GET", path)).json.map((each) => each.id)).toContain(id);
    expect(await ask(one, "PUT", `${path}/${id}`, { providerName: "Late line" }, 1)).toMatchObject({ status: 200, json: { version: 2 } });
    expect(await ask(one, "PUT", `${path}/${id}`, { isActive: false }, 1)).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect(await ask(one, "GET", `${path}/${id}`)).toMatchObject({ status: 200, json: { providerName: "Late line", version: 2 } });
    expect((await ask(two, "GET", `${path}/${id}`)).status).toBe(404);
    expect((await ask(two, "PUT", `${path}/${id}`, { isActive: false })).status).toBe(404);

    expect(await ask(one, "DELETE", `${path}/${id}`)).toMatchObject({ status: 422, json: { code: "not_doable" } });
    expect(await ask(one, "PUT", `${path}/${id}`, { isActive: false }, 2)).toMatchObject({ status: 200, json: { version: 3 } });
    expect((await ask(two, "DELETE", `${path}/${id}`)).status).toBe(404);
    await allow(one, false);
    expect((await ask(one, "GET", `${path}/${id}`)).status).toBe(403);
    expect((await ask(one, "DELETE", `${path}/${id}`)).status).toBe(403);
    await allow(one, true);
    expect(await ask(one, "DELETE", `${path}/${id}`, undefined, 2)).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect((await ask(one, "DELETE", `${path}/${id}`, undefined, 3)).status).toBe(204);
    expect((await ask(one, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await ask<OwnVoiceProvider[]>(one, "GET", path)).json.map((each) => each.id)).not.toContain(id);
    expect((await readRows(it.dataDir, `REF#${id}`)).length).toBe(0);

    const audits = auditsIn(await readRows(it.dataDir, `TENANT#${one.id}#AUDIT#`)).filter((row) => row.resourceId === id);
    expect(audits.filter(({ success }) => success).map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ["voiceProvider.create", "user"],
      ["voiceProvider.update", "user"],
      ["voiceProvider.update", "user"],
      ["voiceProvider.delete", "user"],
    ]);
  });
});

describe("voice agents, as the tenant itself sets them", () => {
  test("the tenant sees its voice platforms without credentials, and their agents", async () => {
    const { status, json, text } = await ask<OwnVoiceProvider[]>(one, "GET", "/api/tenant/voice-providers");
    expect([status, json.map(({ id }) => id)]).toEqual([200, expect.arrayContaining(one.voice.map(({ id }) => id))]);
    for (const { sandboxKey } of one.voice) expect(text).not.toContain(sandboxKey);
    expect(text).not.toMatch(/apiKey|secret/i);
    const agents = await ask<Json[]>(one, "GET", `/api/tenant/voice-providers/${json[0]?.id}/agents`);
    expect([agents.status, agents.json.length > 0]).toEqual([200, true]);
    expect((await ask(two, "GET", `/api/tenant/voice-providers/${json[0]?.id}/agents`)).status).toBe(404);
  });

  test("an agent is assigned to an office, updated, protected against stale updates, and removed; all of it is audited", async () => {
    const [officeId] = one.officeIds;
    const made = await ask<VoiceAgent>(one, "POST", agentsOf(officeId), newAgent(one.voice[0]!.id, "own-agent"));
    expect(made).toMatchObject({ status: 201, json: { officeId, agentName: "Evening agent", isActive: true, version: 1 } });
    const { id } = made.json;
    const listed = async () => (await ask<VoiceAgent[]>(one, "GET", "/api/tenant/voice-agents")).json.find((agent) => agent.id === id);
    expect(await listed()).toEqual(made.json);

    const path = `${agentsOf(officeId)}/${id}`;
    expect(await ask(one, "PUT", path, { isActive: false }, 1)).toMatchObject({ status: 200, json: { isActive: false, version: 2 } });
    expect(await ask(one, "PUT", path, { isActive: true }, 1)).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect(await ask(one, "DELETE", path, undefined, 1)).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect((await ask(one, "DELETE", path, undefined, 2)).status).toBe(204);
    expect(await listed()).toBeUndefined();
    const audits = auditsIn(await readRows(it.dataDir, `TENANT#${one.id}#AUDIT#`)).filter((row) => row.resourceId === id);
    expect(audits.map(({ action }) => action).toSorted()).toEqual(["voiceAgent.create", "voiceAgent.delete", "voiceAgent.update"]);
  });

  test("only through its own office, and never for another tenant's or with another tenant's voice platform", async () => {
    const [first, second] = one.officeIds;
    const { json } = await ask<VoiceAgent>(one, "POST", agentsOf(first), newAgent(one.voice[0]!.id, "kept-agent"));
    const refused: [Clinic, string, string, object?][] = [
      [one, "PUT", `${agentsOf(second)}/${json.id}`, { isActive: false }],
      [one, "DELETE", `${agentsOf(second)}/${json.id}`],
      [two, "PUT", `${agentsOf(first)}/${json.id}`, { isActive: false }],
      [two, "DELETE", `${agentsOf(first)}/${json.id}`],
      [two, "POST", agentsOf(first), newAgent(two.voice[0]!.id, "stray-agent")],
      [one, "POST", agentsOf(first), newAgent(two.voice[0]!.id, "stray-agent")],
      [one, "POST", agentsOf(unknownId), newAgent(one.voice[0]!.id, "stray-agent")],
    ];
    const theirs = await ask<VoiceAgent>(two, "POST", agentsOf(two.officeIds[0]), newAgent(two.voice[0]!.id, "their-agent"));
    expect(theirs.status).toBe(201);
    for (const officeId of [first, two.officeIds[0]])
      refused.push(
        [one, "PUT", `${agentsOf(officeId)}/${theirs.json.id}`, { isActive: false }],
        [one, "DELETE", `${agentsOf(officeId)}/${theirs.json.id}`],
      );
    for (const [who, method, path, body] of refused)
      expect([method, path, (await ask(who, method, path, body)).status]).toEqual([method, path, 404]);
    expect((await ask(two, "GET", "/api/tenant/voice-agents")).text).not.toContain(json.id);
    expect((await ask<VoiceAgent[]>(two, "GET", "/api/tenant/voice-agents")).json).toContainEqual(theirs.json);
    expect((await ask<VoiceAgent[]>(one, "GET", "/api/tenant/voice-agents")).json).toContainEqual(json);
  });

  test("an agent is assigned once only, and a disabled office gets none", async () => {
    const [first, second] = one.officeIds;
    const agent = newAgent(one.voice[0]!.id, "single-agent");
    expect((await ask(one, "POST", agentsOf(first), agent)).status).toBe(201);
    expect(await ask(one, "POST", agentsOf(second), agent)).toMatchObject({
      status: 409,
      json: { code: "duplicate", fields: { externalAgentId: expect.any(String) as string } },
    });
    const office = (await ask(one, "GET", `/api/tenant/offices/${second}`)).json;
    await ask(one, "PUT", `/api/tenant/offices/${second}`, { name: office.name, isActive: false });
    expect(await ask(one, "POST", agentsOf(second), newAgent(one.voice[0]!.id, "late-agent"))).toMatchObject({
      status: 422,
      json: { code: "not_doable" },
    });
    await ask(one, "PUT", `/api/tenant/offices/${second}`, { name: office.name, isActive: true });
  });
});

describe("an office's own record system, as the tenant itself chooses it", () => {
  const choose = (who: Clinic, officeId: string | undefined, fhirProviderId: string | null, version?: number) =>
    ask(who, "PUT", `/api/tenant/offices/${officeId}/fhir-provider`, { fhirProviderId }, version);

  test("is one of the tenant's connections, or is inherited again; the office's version increases", async () => {
    const officeId = await newOffice(one);
    const before = (await ask(one, "GET", `/api/tenant/offices/${officeId}`)).json;
    const chosen = await choose(one, officeId, one.fhirProviderId, before.version);
    expect(chosen).toMatchObject({ status: 200, json: { fhirProviderId: one.fhirProviderId, version: before.version + 1 } });
    expect(await choose(one, officeId, null, before.version)).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect(await choose(one, officeId, null, chosen.json.version)).toMatchObject({ status: 200, json: { fhirProviderId: null } });
    expect((await ask(one, "GET", `/api/tenant/offices/${officeId}`)).json).toMatchObject({ fhirProviderId: null, fhirEnabled: true });

    const audits = auditsIn(await readRows(it.dataDir, `TENANT#${one.id}#AUDIT#`)).filter(
      ({ resourceId, action }) => resourceId === officeId && action.startsWith("fhir"),
    );
    expect(audits.toSorted((a, b) => a.id.localeCompare(b.id))).toMatchObject([
      { action: "fhirProvider.assign", resourceType: "Office", tenantId: one.id, success: true },
      { action: "fhirProvider.unassign", resourceType: "Office", tenantId: one.id, success: true },
    ]);
  });

  test("may be the tenant's own, and never another tenant's", async () => {
    const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
    const at = { baseUrl: "https://ehr.example/fhir", tokenUrl: "https://ehr.example/token" };
    const kept = async (who: Clinic): Promise<string> => {
      const address = `/api/admin/tenants/${who.id}`;
      const { name, contactEmail, organizationType, isActive } = (await it.api("GET", address, { token })).json;
      const body = { name, contactEmail, organizationType, isActive, policies: { ownFhirProviders: true } };
      expect((await it.api("PUT", address, { token, body })).status).toBe(200);
      const provider = { name: "Our own", providerType: "custom", ...at, clientId: "c", clientSecret: "s", scopes: "system/*.read" };
      const made = await ask(who, "POST", "/api/tenant/fhir-providers", provider);
      expect(made.status).toBe(201);
      return made.json.id;
    };
    const [ours, theirs] = [await kept(one), await kept(two)];
    const officeId = await newOffice(one);
    expect((await choose(one, officeId, theirs)).status).toBe(404);
    expect(await choose(one, officeId, ours)).toMatchObject({ status: 200, json: { fhirProviderId: ours } });
    expect((await choose(one, officeId, theirs)).status).toBe(404);
    expect((await ask(one, "GET", `/api/tenant/offices/${officeId}`)).json.fhirProviderId).toBe(ours);
    expect((await choose(one, officeId, null)).status).toBe(200);
  });

  test("must be assigned to the tenant, and is never given to another tenant's office", async () => {
    const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
    const provider = {
      name: "Unassigned",
      providerType: "custom",
      baseUrl: "https://ehr.example/fhir",
      tokenUrl: "https://ehr.example/token",
      clientId: "c",
      scopes: "system/*.read",
    };
    const unused = await it.api("POST", "/api/admin/fhir/providers", { token, body: provider });
    expect(unused.status).toBe(201);
    expect((await choose(one, one.officeIds[0], unused.json.id)).status).toBe(404);
    expect((await choose(one, one.officeIds[0], unknownId)).status).toBe(404);
    expect((await choose(two, one.officeIds[0], two.fhirProviderId)).status).toBe(404);
  });
});
