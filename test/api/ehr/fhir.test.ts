import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned, type TestCertificate } from "../../kit/certificate.ts";
import type { Answer, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let admin: string;
let ours: string;
let theirs: string;
let pair: TestCertificate;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const { systemAdmin, tenants } = it.demo;
  admin = await it.tokenOf(systemAdmin.email, systemAdmin.password);
  ours = await it.tokenOf(tenants[0]!.admin.email, tenants[0]!.admin.password);
  theirs = await it.tokenOf(tenants[1]!.admin.email, tenants[1]!.admin.password);
  pair = selfSigned("clinic.example");
});
afterAll(() => it.close());

const list = "/api/admin/fhir/providers";
const form = (more: object = {}) => ({
  name: "Riverside EHR",
  providerType: "custom",
  fhirVersion: "R4",
  baseUrl: it.demo.ehr.r4.baseUrl,
  clientId: "vitaline-demo",
  clientAuth: "platform_key",
  scopes: "patient/*.read user/*.read",
  ...more,
});
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, token = admin): Promise<Answer<Json>> =>
  it.api(method, path, { token, body, headers });
const added = async (more: object = {}): Promise<Json> => {
  const { status, json, text } = await ask("POST", list, form(more));
  if (status !== 201) throw new Error(text);
  return json;
};
const shown = async (id: string): Promise<Json> => (await ask("GET", list)).json.find((one: Json) => one.id === id);
const toldOf = async (field: string, value: unknown, more: object = {}): Promise<string> => {
  const { status, json } = await ask("POST", list, form({ [field]: value, ...more }));
  return status === 400 ? json.fields[field] : `status ${status}`;
};
const patient = () => it.demo.patients[0]!;
const tenantPath = (index: 0 | 1) => `/api/admin/tenants/${it.demo.tenants[index]!.id}`;
const officeOf = (index: 0 | 1) => it.demo.tenants[index]!.offices[0]!.id;

describe("the form", () => {
  test("names the error of a certificate, a key, and a pair that does not match", async () => {
    expect(await toldOf("certificateData", "hello")).toBe("Must be an X.509 certificate in PEM form");
    expect(await toldOf("privateKey", "hello")).toBe("Must be an unencrypted private key in PEM form");
    const other = selfSigned("clinic.example");
    expect(await toldOf("privateKey", other.privateKey, { certificateData: pair.certificate })).toBe("Does not match the certificate");
  });

  test("saves a placeholder while the provider is disabled; with it, neither test nor activation succeeds", async () => {
    const tokenUrl = "https://authorization.example/tenants/{tenant}/token";
    const refused = await ask("POST", list, form({ tokenUrl }));
    expect([refused.status, refused.json.code, refused.json.error]).toEqual([
      422,
      "not_doable",
      "Replace {tenant} before the provider is enabled.",
    ]);
    const { id } = await added({ tokenUrl, isActive: false });
    expect((await ask("PUT", `${list}/${id}`, form({ tokenUrl, isActive: true }))).status).toBe(422);
    expect((await ask("POST", `${list}/${id}/test`, { patientId: "1" })).json).toMatchObject({ success: false, error: "placeholder_left" });
  });
});

describe("the calls", () => {
  test("a client secret and a private key are read back where they are used", async () => {
    const { id } = await added({ clientAuth: "own_key", privateKey: pair.privateKey, certificateData: pair.certificate });
    const { json } = await ask("POST", `${list}/${id}/test`, { patientId: patient().id });
    expect(json).toMatchObject({ success: false, error: "key_not_found" });
    const replaced = await ask(
      "PUT",
      `${list}/${id}`,
      form({ clientAuth: undefined, certificateData: pair.certificate, privateKey: pair.privateKey }),
    );
    expect([replaced.status, replaced.json.hasPrivateKey, replaced.json.clientAuth]).toEqual([200, true, "own_key"]);
    const removed = await ask("PUT", `${list}/${id}`, form({ clientAuth: undefined, removePrivateKey: true }));
    expect([removed.json.hasPrivateKey, removed.json.clientAuth]).toEqual([false, "platform_key"]);
    expect((await ask("POST", `${list}/${id}/test`, { patientId: patient().id })).json.success).toBe(true);
  });

  test("a client secret is not sent to another server unless it is entered again", async () => {
    const secret = { clientAuth: "client_secret", clientSecret: "planted-client-secret" };
    const { id } = await added(secret);
    for (const elsewhere of [{ baseUrl: "https://ehr.example/r4" }, { tokenUrl: "https://ehr.example/token" }]) {
      const { status, json } = await ask("PUT", `${list}/${id}`, form({ clientAuth: undefined, ...elsewhere }));
      const sentence = "The address has changed, so please enter the client secret again.";
      expect([status, json.error, json.fields]).toEqual([400, sentence, { clientSecret: sentence }]);
      expect((await ask("PUT", `${list}/${id}`, form({ ...secret, ...elsewhere }))).status).toBe(200);
      expect((await ask("PUT", `${list}/${id}`, form(secret))).status).toBe(200);
    }
  });

  test("a stale If-Match is 409, the current version is accepted, and unknown ids are 404", async () => {
    const { id, version } = await added();
    const first = await ask("PUT", `${list}/${id}`, form(), { "if-match": `"${version}"` });
    expect([first.status, first.headers.get("etag")]).toEqual([200, '"2"']);
    expect((await ask("PUT", `${list}/${id}`, form(), { "if-match": `"${version}"` })).status).toBe(409);
    for (const nothing of ["0".repeat(26), "not-an-id"]) {
      expect((await ask("PUT", `${list}/${nothing}`, form())).status).toBe(404);
      expect((await ask("POST", `${list}/${nothing}/test`, { patientId: "1" })).status).toBe(404);
      expect((await ask("POST", `${list}/${nothing}/check`)).status).toBe(404);
    }
  });
});

describe("a connection that needs a sign-in", () => {
  test("is authorized on the EHR's own page, in the same browser, and then reads a patient", async () => {
    const { id, isAuthorized } = await added({ grant: "authorization_code", scopes: "user/Patient.read" });
    const tried = async () => (await ask("POST", `${list}/${id}/test`, { patientId: patient().id })).json;
    expect([isAuthorized, (await tried()).error]).toEqual([false, "not_authorized"]);
    const begun = await ask("POST", `${list}/${id}/authorize`);
    const [cookie = ""] = begun.headers.getSetCookie().map((one) => one.split(";")[0]);
    const page = await fetch(begun.json.url, { redirect: "manual" });
    const back = page.headers.get("location") ?? "";
    expect(back.startsWith(`${it.origin}/oauth/custom/callback?`)).toBe(true);
    const follow = async (headers: Record<string, string>) => {
      const { status, headers: told } = await fetch(back, { redirect: "manual", headers });
      return [status, told.get("location")];
    };
    expect(await follow({})).toEqual([303, "/admin?tab=fhir&ehr=expired"]);
    expect(await follow({ cookie })).toEqual([303, `/admin?tab=fhir&ehr=connected&fhirProvider=${id}`]);
    expect(await follow({ cookie })).toEqual([303, "/admin?tab=fhir&ehr=expired"]);
    expect([(await shown(id)).isAuthorized, (await tried()).success]).toEqual([true, true]);
  });
});

describe("presets and discovery", () => {
  test("discovery returns the server's own description", async () => {
    const { status, json } = await ask("POST", "/api/admin/fhir/discover", { baseUrl: it.demo.ehr.r4.baseUrl });
    const { tokenUrl } = it.demo.ehr.r4;
    expect([status, json.tokenUrl, json.authUrl]).toEqual([200, tokenUrl, tokenUrl.replace(/token$/, "authorize")]);
    const nowhere = await ask("POST", "/api/admin/fhir/discover", { baseUrl: `${new URL(it.demo.ehr.r4.baseUrl).origin}/nowhere` });
    expect([nowhere.status, nowhere.json.fields]).toEqual([422, { baseUrl: nowhere.json.error }]);
    expect((await ask("POST", "/api/admin/fhir/discover", { baseUrl: "https://169.254.169.254/" })).status).toBe(400);
  });
});

describe("assignments", () => {
  const assignments = async (): Promise<Json> => (await ask("GET", "/api/admin/fhir/assignments")).json;

  test("of an office override its tenant's, and null inherits again", async () => {
    const { id, name } = await added({ name: "Office EHR" });
    const path = `${tenantPath(0)}/offices/${officeOf(0)}/fhir-provider`;
    const find = async () => {
      const tenant = (await assignments()).find(({ tenantId }: Json) => tenantId === it.demo.tenants[0]!.id);
      return [tenant.defaultFhirProvider?.name, tenant.offices.find((one: Json) => one.id === officeOf(0)).fhirProvider];
    };
    expect((await ask("PUT", path, { fhirProviderId: id })).json).toEqual({ fhirProviderId: id, version: expect.any(Number) });
    expect(await find()).toEqual(["Sandbox EHR", { id, name }]);
    expect((await ask("PUT", path, { fhirProviderId: null })).status).toBe(200);
    expect(await find()).toEqual(["Sandbox EHR", null]);
    expect((await ask("PUT", `${tenantPath(1)}/offices/${officeOf(0)}/fhir-provider`, { fhirProviderId: id })).status).toBe(404);
    expect((await ask("PUT", path, { fhirProviderId: "0".repeat(26) })).status).toBe(404);
  });

  test("are versioned with the tenant or the office: a stale If-Match is 409, and both then have the returned version", async () => {
    const { id } = await added({ name: "Another EHR" });
    const tenant = tenantPath(1);
    const office = `${tenant}/offices/${officeOf(1)}`;
    for (const holder of [tenant, office]) {
      const { headers, json: before } = await ask("GET", holder);
      const [etag, path] = [{ "if-match": headers.get("etag")! }, `${holder}/fhir-provider`];
      const first = await ask("PUT", path, { fhirProviderId: id }, etag);
      expect([first.status, first.json.version, first.headers.get("etag")]).toEqual([200, before.version + 1, `"${before.version + 1}"`]);
      const stale = await ask("PUT", path, { fhirProviderId: null }, etag);
      expect([stale.status, stale.json.code]).toEqual([409, "stale_version"]);
      expect((await ask("GET", holder)).json.version).toBe(first.json.version);
      const listed = (await assignments()).find(({ tenantId }: Json) => tenantId === it.demo.tenants[1]!.id);
      const shownThere = holder === tenant ? listed : listed.offices.find((one: Json) => one.id === officeOf(1));
      expect(shownThere.version).toBe(first.json.version);
    }
    await ask("PUT", `${office}/fhir-provider`, { fhirProviderId: null });
    await ask("PUT", `${tenant}/fhir-provider`, { fhirProviderId: it.demo.tenants[1]!.fhirProviderId });
  });

  test("are listed page by page, every tenant once", async () => {
    const whole = await assignments();
    const paged: Json[] = [];
    for (let path: string | undefined = "/api/admin/fhir/assignments?limit=2"; path;) {
      const { json, headers } = await ask("GET", path);
      paged.push(...json);
      path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(paged).toEqual(whole);
  });
});

describe("a tenant's side", () => {
  const dashboard = "/api/tenant/dashboard/fhir-providers";
  const own = "/api/tenant/fhir-providers";
  const asTenant = (method: string, path: string, body?: unknown, token = ours) => ask(method, path, body, {}, token);

  test("tests its connections, in its own audit log, and sees no others", async () => {
    const used = `${own}/${it.demo.tenants[0]!.fhirProviderId}`;
    expect((await asTenant("POST", `${used}/test`, { patientId: patient().id })).json).toMatchObject({ success: true });
    const { id } = await added();
    expect((await asTenant("POST", `${own}/${id}/test`, { patientId: patient().id })).status).toBe(404);
    expect((await asTenant("PUT", used, form())).status).toBe(403);
    expect((await asTenant("PUT", `${own}/${id}`, form())).status).toBe(404);
  });

  test("has its own providers where the platform allows it, which no other tenant may use", async () => {
    expect((await asTenant("POST", own, form())).status).toBe(403);
    const { json: tenant } = await ask("GET", tenantPath(0));
    const { name, organizationType, contactEmail } = tenant;
    const policies = { ...tenant.policies, ownFhirProviders: true };
    expect((await ask("PUT", tenantPath(0), { name, organizationType, contactEmail, isActive: true, policies })).status).toBe(200);

    expect((await asTenant("POST", own, form())).json.fields).toHaveProperty("clientAuth");
    const ownKey = { clientAuth: "own_key", privateKey: pair.privateKey };
    const made = await asTenant("POST", own, form({ name: "Our EHR", ...ownKey }));
    expect([made.status, made.json.ownerTenantId]).toEqual([201, it.demo.tenants[0]!.id]);
    const { id } = made.json;
    expect((await asTenant("PUT", `${own}/${id}`, form({ name: "Ours", clientAuth: undefined }))).json).toMatchObject({
      name: "Ours",
      version: 2,
    });
    const withSecret = { name: "Ours", clientAuth: "client_secret", clientSecret: "planted-client-secret" };
    expect((await asTenant("PUT", `${own}/${id}`, form(withSecret))).status).toBe(200);
    const moved = await asTenant("PUT", `${own}/${id}`, form({ name: "Ours", clientAuth: undefined, baseUrl: "https://ehr.example/r4" }));
    expect([moved.status, Object.keys(moved.json.fields)]).toEqual([400, ["clientSecret"]]);
    expect((await asTenant("GET", own)).json.map((one: Json) => one.name)).toEqual(["Ours"]);
    expect((await shown(id)).ownerTenantName).toBe(name);
    for (const [method, path, body] of [
      ["PUT", `${own}/${id}`, form()],
      ["POST", `${own}/${id}/test`, { patientId: "1" }],
    ] as const)
      expect((await asTenant(method, path, body, theirs)).status).toBe(404);
    for (const path of [own, dashboard]) expect((await asTenant("GET", path, undefined, theirs)).text).not.toContain(id);
    expect((await ask("PUT", `${tenantPath(1)}/fhir-provider`, { fhirProviderId: id })).status).toBe(404);
    expect((await ask("PUT", `${tenantPath(0)}/offices/${officeOf(0)}/fhir-provider`, { fhirProviderId: id })).status).toBe(200);
    expect((await ask("PUT", `${tenantPath(0)}/offices/${officeOf(0)}/fhir-provider`, { fhirProviderId: null })).status).toBe(200);
  });

  test("requests one from the platform in a message", async () => {
    expect((await asTenant("POST", `${own}/request`, { message: "We use another EHR, could you add it?" })).status).toBe(202);
    expect((await asTenant("POST", `${own}/request`, { message: "" })).status).toBe(400);
  });
});

test("no function log contains a secret, a key or a patient", () => {
  for (const mark of ["planted-client-secret", "PRIVATE KEY", patient().id, patient().family]) expect(it.logText()).not.toContain(mark);
});
