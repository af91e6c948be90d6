import { afterAll, beforeAll, expect } from "vitest";
import { selfSigned } from "../../kit/certificate.ts";
import type { Answer, Json } from "../../kit/api.ts";
import { readRows } from "../../kit/store/table.ts";
import { isId, isInstant, unknownId, openApiTest, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";
import { startSecretEhr, type SecretEhr } from "../../kit/secret-ehr.ts";

let apiTest: ApiTest;
let ehr: SecretEhr;
beforeAll(async () => {
  apiTest = await openApiTest();
  ehr = await startSecretEhr(apiTest.it.reachable);
});
afterAll(async () => {
  await apiTest?.close();
  await ehr?.close();
});

const list = "/api/admin/fhir/providers";
const scopes = "system/Patient.read system/Appointment.write";
const form = (change: object = {}) => ({
  name: "County EHR",
  providerType: "custom",
  fhirVersion: "R4",
  ...ehr.r4,
  clientId: "our-client",
  clientSecret: "the-client-secret-8642",
  scopes,
  redirectUri: "https://desk.example/callback",
  authUrl: "https://ehr.example/authorize",
  isActive: true,
  description: "The county's",
  ...change,
});
const post = (body: object): Promise<Answer<Json>> => apiTest.root.ask("POST", list, body);
const put = (id: string, body: object): Promise<Answer<Json>> => apiTest.root.ask("PUT", `${list}/${id}`, body);
const add = async (change: object = {}): Promise<Json> => {
  const { status, json, text } = await post(form(change));
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json;
};
const listed = async (id: string): Promise<Json> => (await apiTest.root.ask("GET", list)).json.find((row: Json) => row.id === id);
const check = async (id: string): Promise<Json> => (await apiTest.root.ask("POST", `${list}/${id}/check`)).json;
const refuses = async (field: string, value: unknown, sentence: string) => {
  const { id } = await add();
  for (const { status, json } of [await post(form({ [field]: value })), await put(id, form({ [field]: value }))])
    expect([field, value, status, json.error, json.fields]).toEqual([field, value, 400, sentence, { [field]: sentence }]);
  return sentence;
};
const takes = async (field: string, value: unknown) => {
  expect([field, value, (await post(form({ [field]: value }))).status]).toEqual([field, value, 201]);
};

proves("D2.3-010", async () => {
  const made = await add({ providerType: "nextgen" });
  const wanted = {
    ...{ id: made.id, name: "County EHR", providerName: "County EHR", providerType: "nextgen" },
    ...{ fhirVersion: "R4", baseUrl: ehr.r4.baseUrl, clientId: "our-client", createdAt: isInstant },
  };
  expect(made.id).toEqual(isId);
  expect(made).toMatchObject(wanted);
  expect(await listed(made.id)).toMatchObject(wanted);
});

proves("D2.3-011", async () => {
  const clientSecret = "never-to-be-seen-9753";
  const { status, json, text } = await post(form({ clientSecret }));
  expect([status, json.hasClientSecret, json.clientAuth]).toEqual([201, true, "client_secret"]);
  expect(json).not.toHaveProperty("clientSecret");
  const changed = await put(json.id, form({ clientSecret, name: "Renamed" }));
  const all = await apiTest.root.ask("GET", list);
  const ofTenant = await apiTest.one.ask("GET", "/api/tenant/dashboard/fhir-providers");
  for (const shown of [
    text,
    changed.text,
    all.text,
    ofTenant.text,
    JSON.stringify(await readRows(apiTest.it.dataDir)),
    apiTest.it.logText(),
  ])
    expect(shown).not.toContain(clientSecret);
  expect(await check(json.id)).toMatchObject({ status: "healthy" });
  expect(ehr.shown.at(-1)).toBe(`our-client:${clientSecret}`);
});

proves("D2.3-012", async () => {
  const made = await add({ scopes: "patient/*.read user/Observation.read system/Appointment.write" });
  expect(await listed(made.id)).toMatchObject({ scopes: "patient/*.read user/Observation.read system/Appointment.write" });
  expect(made).toMatchObject({ access: "Read/Write", resourceCount: 3 });
  const asked = await add({ scopes: "patient/*.read user/*.read" });
  expect(asked).toMatchObject({ scopes: "patient/*.read user/*.read", access: "Read Only" });
  for (const wrong of [5, ["patient/*.read"], ""]) expect((await post(form({ scopes: wrong }))).status).toBe(400);
});

proves("D2.3-013", async () => {
  const made = await add();
  const wanted = { redirectUri: "https://desk.example/callback", authUrl: "https://ehr.example/authorize", tokenUrl: ehr.r4.tokenUrl };
  expect(made).toMatchObject(wanted);
  expect(await listed(made.id)).toMatchObject(wanted);
  const without = await add({ redirectUri: undefined });
  expect(await listed(without.id)).toMatchObject({ ...wanted, redirectUri: null });
});

proves("D2.3-014", async () => {
  const { certificate } = selfSigned("ehr.example");
  const made = await add({ certificateData: certificate });
  expect(made.certificateData.trim()).toBe(certificate.trim());
  expect((await listed(made.id)).certificateData.trim()).toBe(certificate.trim());
  expect((await add({ certificateData: undefined })).certificateData).toBeNull();
  for (const wrong of ["text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
    expect(await post(form({ certificateData: wrong }))).toMatchObject({
      status: 400,
      json: { fields: { certificateData: expect.any(String) } },
    });
});

proves("D2.3-015", async () => {
  const { privateKey } = selfSigned("ehr.example");
  const epic = await post(form({ providerType: "epic", clientSecret: undefined, privateKey }));
  expect([epic.status, epic.json.hasPrivateKey]).toEqual([201, true]);
  const bare = await post(form({ providerType: "epic", clientSecret: undefined, privateKey: undefined }));
  expect([bare.status, bare.json.hasPrivateKey]).toEqual([201, false]);
  const kept = await put(epic.json.id, form({ providerType: "epic", clientSecret: undefined, privateKey: "" }));
  expect([kept.status, kept.json.hasPrivateKey]).toEqual([200, true]);
  expect(kept.json).not.toHaveProperty("privateKey");
  const secret = privateKey.split("\n")[1] ?? "";
  for (const shown of [
    epic.text,
    kept.text,
    (await apiTest.root.ask("GET", list)).text,
    JSON.stringify(await readRows(apiTest.it.dataDir)),
  ])
    expect([shown.includes("PRIVATE KEY"), shown.includes(secret)]).toEqual([false, false]);
});

proves("D2.3-016", async () => {
  const { isActive: _state, description: _text, ...bare } = form();
  const { json } = await post(bare);
  expect(json).toMatchObject({ isActive: true, description: null, connectionStatus: "unknown" });
  await check(json.id);
  expect(await listed(json.id)).toMatchObject({ connectionStatus: "healthy" });
  const gone = await add({ isActive: false, baseUrl: `${ehr.origin}/nowhere`, description: "Away" });
  await check(gone.id);
  expect(await listed(gone.id)).toMatchObject({ isActive: false, description: "Away", connectionStatus: "unhealthy" });
});

proves("D1.9-017", async () => {
  const { fhirVersion: _version, ...bare } = form();
  const { json } = await post(bare);
  expect(json.fhirVersion).toBe("R4");
  expect(await listed(json.id)).toMatchObject({ fhirVersion: "R4" });
});

proves("D2.9-009", async () => {
  const { fhirVersion: _version, providerType: _type, ...bare } = form();
  const { status, json } = await post(bare);
  expect([status, json.providerType, json.fhirVersion]).toEqual([201, "epic", "R4"]);
  expect(await listed(json.id)).toMatchObject({ providerType: "epic", fhirVersion: "R4" });
});

proves("D2.5-014", async ({ sees }) => {
  for (const name of ["", "   ", undefined, null]) sees(await refuses("name", name, "Provider name is required"));
  expect((await add({ name: "E" })).name).toBe("E");
});
proves("D2.5-015", async () => {
  for (const providerType of ["epic", "cerner", "allscripts", "nextgen", "custom"])
    expect((await add({ providerType })).providerType).toBe(providerType);
  for (const providerType of ["athena", "Epic", "", null])
    expect(await post(form({ providerType }))).toMatchObject({ status: 400, json: { fields: { providerType: expect.any(String) } } });
});
proves("D2.5-016", async () => {
  for (const fhirVersion of ["R4", "STU3", "DSTU2"]) expect((await add({ fhirVersion })).fhirVersion).toBe(fhirVersion);
  for (const fhirVersion of ["R5", "r4", "", null])
    expect(await post(form({ fhirVersion }))).toMatchObject({ status: 400, json: { fields: { fhirVersion: expect.any(String) } } });
});
const noUrls = ["no address", "ehr.example/r4", "http://"];
proves("D2.5-017", async ({ sees }) => {
  for (const baseUrl of [...noUrls, 5, "", undefined, null]) sees(await refuses("baseUrl", baseUrl, "Must be a valid URL"));
});
proves("D2.5-018", async ({ sees }) => {
  for (const clientId of ["", " ", undefined, null]) sees(await refuses("clientId", clientId, "Client ID is required"));
});
proves("D2.5-019", async ({ quoted, sees }) => {
  for (const change of [{ clientSecret: "" }, { clientSecret: null }, { clientSecret: undefined, clientAuth: "client_secret" }]) {
    const { status, json } = await post(form(change));
    expect([change, status, json.error, json.fields]).toEqual([change, 400, quoted[0], { clientSecret: quoted[0] }]);
    sees(json.error);
  }
});
proves("D2.5-020", async () => {
  const { id } = await add();
  for (const clientSecret of ["", null, undefined]) {
    expect(await put(id, form({ clientSecret }))).toMatchObject({ status: 200, json: { hasClientSecret: true } });
    await check(id);
    expect(ehr.shown.at(-1)).toBe("our-client:the-client-secret-8642");
  }
  await put(id, form({ clientSecret: "replaced-1111" }));
  await check(id);
  expect(ehr.shown.at(-1)).toBe("our-client:replaced-1111");
});
proves("D2.5-021", async ({ sees }) => {
  for (const value of ["", "  ", undefined, null]) sees(await refuses("scopes", value, "Scopes are required"));
});
proves("D2.5-022", async ({ sees }) => {
  for (const value of noUrls) sees(await refuses("redirectUri", value, "Must be a valid URL"));
  for (const value of ["", undefined, "https://desk.example/back"]) await takes("redirectUri", value);
});
proves("D2.5-023", async ({ sees }) => {
  for (const field of ["authUrl", "tokenUrl"]) {
    for (const value of [...noUrls, ""]) sees(await refuses(field, value, "Must be a valid URL"));
    await takes(field, "https://ehr.example/oauth2");
  }
});
proves("D2.5-024", async () => {
  for (const field of ["certificateData", "privateKey", "description"])
    for (const value of [undefined, "", null]) await takes(field, value);
  const { id } = await add({ description: "" });
  expect(await listed(id)).toMatchObject({ certificateData: null, hasPrivateKey: false, description: null });
});
proves("D2.5-025", async () => {
  const { isActive: _state, ...bare } = form();
  expect((await post(bare)).json.isActive).toBe(true);
  for (const isActive of [true, false]) expect((await add({ isActive })).isActive).toBe(isActive);
  for (const isActive of ["true", 1, null]) expect((await post(form({ isActive }))).status).toBe(400);
});

proves("D2.7-023", async () => {
  const made = [await add({ name: "First" }), await add({ name: "Second", providerType: "cerner" })];
  const all = await apiTest.root.ask("GET", list);
  expect([all.status, Array.isArray(all.json)]).toEqual([200, true]);
  for (const provider of made) expect(all.json).toContainEqual(provider);
  expect(all.json.map(({ id }: Json) => id)).toContain(apiTest.tenants[0].fhirProviderId);
  expect((await apiTest.one.ask("GET", list)).status).toBe(403);
});
proves("D2.7-024", async () => {
  const { id } = await add();
  expect([404, 405]).toContain((await apiTest.root.ask("GET", `${list}/${id}`)).status);
  const { clientSecret: _secret, ...shown } = form();
  expect(await listed(id)).toMatchObject(shown);
});
proves("D2.7-025", async () => {
  const { clientSecret: _secret, ...shown } = form();
  const { status, json, headers } = await post(form());
  expect([status, headers.get("content-type")]).toEqual([201, expect.stringContaining("application/json")]);
  expect(json).toMatchObject({ ...shown, id: isId });
  expect(await listed(json.id)).toEqual(json);
});
proves("D2.7-026", async () => {
  const { id, createdAt } = await add();
  const { clientSecret: _secret, ...body } = form({
    name: "Moved",
    scopes: "system/Patient.read",
    clientId: "new-client",
    isActive: false,
  });
  expect(await put(id, body)).toMatchObject({ status: 200, json: { ...body, id, createdAt, hasClientSecret: true } });
  expect(await listed(id)).toMatchObject(body);
  await check(id);
  expect(ehr.shown.at(-1)).toBe("new-client:the-client-secret-8642");
  expect((await put(unknownId, body)).status).toBe(404);
});

const presets = async (): Promise<Record<string, Json>> =>
  Object.fromEntries((await apiTest.root.ask("GET", "/api/admin/fhir/presets")).json.map((preset: Json) => [preset.providerType, preset]));
const isUrl = expect.toSatisfy((text) => URL.canParse(text));
proves("D2.9-008", async ({ quoted, sees }) => {
  const { providerType } = (await post({ ...form(), providerType: undefined })).json;
  const { scopes: usual } = (await presets())[providerType];
  expect(usual).toBe(quoted[0]);
  sees(usual);
});
proves("D2.9-010", async () => {
  const found = await presets();
  for (const type of ["epic", "cerner", "allscripts", "nextgen"])
    expect(found[type]).toMatchObject({
      authUrl: isUrl,
      tokenUrl: isUrl,
      scopes: expect.stringMatching(/^(\w+\/(\*|\w+)\.(read|write) ?)+$/),
    });
});
proves("D2.9-011", async ({ quoted, sees }) => {
  const { epic } = await presets();
  expect(epic).toMatchObject({ baseUrl: isUrl, redirectUri: `${apiTest.it.origin}${quoted[0]}` });
  sees(epic.redirectUri);
});
proves("D2.9-012", async () => {
  const { cerner } = await presets();
  expect(cerner.authUrl).toMatch(/\{tenant\w*\}/);
  const { authUrl, tokenUrl } = cerner;
  const placed = form({ providerType: "cerner", authUrl, tokenUrl });
  expect(await post(placed)).toMatchObject({ status: 422, json: { error: expect.stringMatching(/\{tenant\w*\}/) } });
  expect((await post({ ...placed, isActive: false })).status).toBe(201);
  const replaced = { ...placed, authUrl: authUrl.replace(/\{tenant\w*\}/, "t1"), tokenUrl: tokenUrl.replace(/\{tenant\w*\}/, "t1") };
  expect((await post(replaced)).status).toBe(201);
});
proves("D2.9-013", async () => {
  const { allscripts, nextgen, epic, custom } = await presets();
  expect(custom).toBeUndefined();
  for (const own of [allscripts, nextgen]) expect(own).toMatchObject({ authUrl: isUrl, tokenUrl: isUrl, scopes: expect.any(String) });
  expect(new Set([epic, allscripts, nextgen].map(({ authUrl }) => new URL(authUrl).host)).size).toBe(3);
});
