import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isAppError, newId } from "@vitaline/core";
import { connectionFaults, parseScope, scopesCover, type ConnectionFault } from "@vitaline/fhir";
import { loadTools, type Tool } from "@vitaline/tools";
import { keys, put, update, type AuditRow, type FhirHealthRow, type FhirProviderRow } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { selfSigned, type TestCertificate } from "../../../test/kit/certificate.ts";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import {
  assignFhirProvider,
  checkFhirProvider,
  createFhirProvider,
  discoverFhirServer,
  fhirHealthStatus,
  listFhirPresets,
  probeFhirProvider,
  testFhirProvider,
  testTenantFhirProvider,
  updateFhirProvider,
} from "../index.ts";
import { allowsScopes } from "../provider/granted-scopes.ts";

const tools = await loadTools();

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform();
}, 60_000);
afterEach(() => platform.close());
beforeEach(async () => {
  await Promise.all(platform.sandboxes.map(({ origin }) => fetch(`${origin}/faults`, { method: "DELETE" })));
});

const add = (more: object = {}, which: 0 | 1 = 0) => createFhirProvider(platform.ctx, providerInput(platform.sandboxes[which], more));
const rowOf = async (id: string): Promise<FhirProviderRow> => (await platform.ctx.platform.get(keys.fhirProvider(id)))!;
const patient = () => platform.sandboxes[0].patients[0]!;
const fault = (body: object) => fetch(`${platform.sandboxes[0].origin}/faults`, { method: "POST", body: JSON.stringify(body) });
const month = () => new Date().toISOString().slice(0, 7);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );

describe("the connection test", () => {
  it("D2.3-018 of a working provider shows the patient and every step", async () => {
    const { id } = await add();
    const result = await testFhirProvider(platform.at({}), id, patient().id);
    expect(result).toMatchObject({
      success: true,
      message: "Connection Test Successful: FHIR provider is working correctly.",
      error: null,
      patientData: { id: patient().id, birthDate: patient().birthDate, gender: expect.any(String) },
    });
    expect(result.patientData?.name).toContain(patient().family);
    expect(result.details.map(({ step, ok }) => [step, ok])).toEqual(
      ["address", "discovery", "token", "capability", "patient"].map((step) => [step, true]),
    );
  });

  it("names the tools that lack scopes, whether it passed or failed", async () => {
    const operations = [
      { name: "read", scopes: ["system/Patient.rs"] },
      { name: "book", scopes: ["system/Patient.rs", "system/Slot.rs", "system/Appointment.crus"] },
    ];
    const { id } = await add({ scopes: "system/Patient.rs" });
    expect(await testFhirProvider(platform.at({}), id, patient().id, operations)).toMatchObject({
      success: true,
      message: "Connection Test Successful: FHIR provider is working correctly.",
      toolsNotAllowed: ["book"],
    });
    expect(await testFhirProvider(platform.at({}), id, "no-such-patient", operations)).toMatchObject({
      success: false,
      toolsNotAllowed: ["book"],
    });
    const whole = await add();
    expect((await testFhirProvider(platform.at({}), whole.id, patient().id, operations)).toolsNotAllowed).toEqual([]);
  });

  it("names the fault in one sentence, without the patient's id, the URL or the server's words", async () => {
    const stranger = await add({ clientId: "unknown-client" });
    const asked = "no-such-patient";
    for (const [id, error] of [
      [stranger.id, "invalid_client"],
      [(await add()).id, "patient_not_found"],
      [(await add({ fhirVersion: "STU3" })).id, "wrong_fhir_version"],
      [(await add({ baseUrl: `${platform.sandboxes[0].origin}/nowhere` })).id, "not_fhir"],
    ] as const) {
      const result = await testFhirProvider(platform.at({}), id, asked);
      expect(result).toMatchObject({ success: false, error, patientData: null });
      expect(result.message).toMatch(/^[A-Z].*\.$/);
      expect(result.details.at(-1)).toMatchObject({ ok: false, code: error, message: result.message });
      for (const told of [asked, "127.0.0.1", "client assertion", "not registered"]) expect(JSON.stringify(result)).not.toContain(told);
    }
  });

  it("makes no request while an address has a placeholder", async () => {
    const { id } = await add({ tokenUrl: "https://authorization.example/{tenant}/token", isActive: false });
    expect(await testFhirProvider(platform.at({}), id, patient().id)).toMatchObject({
      success: false,
      error: "placeholder_left",
      details: [{ step: "address", ok: false, ms: 0 }],
    });
  });

  it("is audited as a patient access, by id if one was read, and returns nothing when it cannot be audited", async () => {
    const { id } = await add();
    await testFhirProvider(platform.at({}), id, patient().id);
    await testFhirProvider(platform.at({}), id, "no-such-patient");
    const { rows } = await platform.ctx.platform.query<AuditRow>(partitions.platformAudit(month(), "patient_access"));
    const found = rows.filter(({ detail }) => detail?.["fhirProviderId"] === id);
    expect(found.map(({ action, success, code, resourceType, resourceId }) => [action, success, code, resourceType, resourceId])).toEqual([
      ["fhirProvider.test", true, undefined, "Patient", patient().id],
      ["fhirProvider.test", false, "patient_not_found", "FhirProvider", id],
    ]);
    platform.aws.fault(({ operation }) =>
      operation === "PutItem" ? { status: 500, code: "InternalServerError", message: "later" } : undefined,
    );
    expect(await codeOf(testFhirProvider(platform.at({}), id, patient().id))).toBe("unavailable");
    platform.aws.fault();
  });

  it("is done 60 times an hour by one user, of a tenant or of the platform, and no more; colleagues are not kept from it", async () => {
    const [tenant] = platform.tenants;
    const { id } = await add();
    await assignFhirProvider(platform.ctx, tenant.id, id);
    const as = (userId: string) => ({ ...platform.at({}), actor: { kind: "user" as const, id: userId, role: "tenant_admin" as const } });
    const asTenant = (userId: string) => testTenantFhirProvider(as(userId), tenant, id, patient().id);
    const asPlatform = (userId: string) => testFhirProvider(as(userId), id, patient().id);
    const seconds = Math.floor(Date.now() / 1000);
    for (const run of [asTenant, asPlatform]) {
      const userId = newId();
      for (const end of [seconds, seconds + 3600].map((at) => at - (at % 3600) + 3600))
        await platform.ctx.platform.writeUnaudited(
          put(keys.throttle("connectionTest", userId, String(end)), { count: 59, expiresAt: end }),
        );
      expect((await run(userId)).success).toBe(true);
      expect(await codeOf(run(userId))).toBe("too_many_requests");
      expect((await run(newId())).success).toBe(true);
    }
  });

  it("by a tenant is in that tenant's audit log, and reaches only providers that the tenant uses or owns", async () => {
    const [one, two] = platform.tenants;
    const keyed = selfSigned("clinic.example");
    const [used, own, foreign] = [
      await add(),
      await createFhirProvider(
        platform.ctx,
        providerInput(platform.sandboxes[0], { privateKey: keyed.privateKey, clientId: "keyed" }),
        one.id,
      ),
      await add(),
    ];
    await assignFhirProvider(platform.ctx, one.id, used.id);
    for (const [{ id }, error] of [
      [used, null],
      [own, "invalid_client"],
    ] as const) {
      expect((await testTenantFhirProvider(platform.at({}), one, id, patient().id)).error).toBe(error);
      expect(await codeOf(testTenantFhirProvider(platform.at({}), two, id, patient().id))).toBe("not_found");
    }
    expect(await codeOf(testTenantFhirProvider(platform.at({}), one, foreign.id, patient().id))).toBe("not_found");
    const audits = async (tenantId: string) =>
      (await platform.ctx.platform.query<AuditRow>(tenantPartitions.audit(tenantId, month(), "patient_access"))).rows;
    expect((await audits(one.id)).map(({ detail }) => detail?.["fhirProviderId"])).toEqual([used.id, own.id]);
    expect(await audits(two.id)).toEqual([]);
  });

  it("by the platform of a tenant's provider is in that tenant's audit log, and not in the platform's", async () => {
    const [one, two] = platform.tenants;
    const { privateKey } = selfSigned("clinic.example");
    const { id } = await createFhirProvider(platform.ctx, providerInput(platform.sandboxes[0], { privateKey }), one.id);
    await testFhirProvider(platform.at({}), id, patient().id);
    const acts = async (partition: string) =>
      (await platform.ctx.platform.query<AuditRow>(partition)).rows
        .filter(({ detail }) => detail?.["fhirProviderId"] === id)
        .map(({ action }) => action);
    expect(await acts(tenantPartitions.audit(one.id, month(), "patient_access"))).toEqual(["fhirProvider.test"]);
    expect(await acts(tenantPartitions.audit(two.id, month(), "patient_access"))).toEqual([]);
    expect(await acts(partitions.platformAudit(month(), "patient_access"))).toEqual([]);
  });

  it("uses a client secret where that is chosen, and no other credential instead", async () => {
    const { id } = await add({ clientSecret: "s" });
    expect((await testFhirProvider(platform.at({}), id, patient().id)).error).toBe("invalid_client");
  });

  it("of an unknown provider is not found", async () => {
    expect(await codeOf(testFhirProvider(platform.at({}), newId(), "1"))).toBe("not_found");
  });
});

const publish = async ({ key }: Pick<TestCertificate, "key">) => {
  const { kty, e, n, crv, x, y } = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256")
    .update(kty === "RSA" ? `{"e":"${e}","kty":"RSA","n":"${n}"}` : `{"crv":"${crv}","kty":"EC","x":"${x}","y":"${y}"}`)
    .digest("base64url");
  const server = createServer((_, response) =>
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ keys: [{ kty, use: "sig", kid, e, n, crv, x, y }] })),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`, close: () => server.close() };
};

describe("a provider's own key", () => {
  it("signs for it under the key's thumbprint, and no other key does", async () => {
    const [ours, others] = [selfSigned("clinic.example"), selfSigned("clinic.example")];
    const keySet = await publish(ours);
    platform.sandboxes[0].registerClient({ clientId: "own-key-client", jwksUrl: keySet.url });
    const registered = { clientId: "own-key-client", certificateData: ours.certificate };
    const good = await add({ ...registered, privateKey: ours.privateKey });
    expect((await testFhirProvider(platform.at({}), good.id, patient().id)).success).toBe(true);
    const wrong = await add({ clientId: "own-key-client", privateKey: others.privateKey });
    expect((await testFhirProvider(platform.at({}), wrong.id, patient().id)).error).toBe("key_not_found");
    const platforms = await add({ clientId: "own-key-client" });
    expect((await testFhirProvider(platform.at({}), platforms.id, patient().id)).error).toBe("key_not_found");
    keySet.close();
  });
});

describe("a provider's own EC key", () => {
  it("on P-384 signs ES384 for it under the key's thumbprint", async () => {
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
    const keySet = await publish({ key });
    platform.sandboxes[0].registerClient({ clientId: "ec-client", jwksUrl: keySet.url });
    const { id, clientAuth } = await add({ clientId: "ec-client", privateKey: key.export({ type: "pkcs8", format: "pem" }).toString() });
    expect([clientAuth, (await testFhirProvider(platform.at({}), id, patient().id)).error]).toEqual(["own_key", null]);
    keySet.close();
  });

  it("that does not match the certificate is reported without a request", async () => {
    const [ours, others] = [selfSigned("clinic.example"), selfSigned("clinic.example")];
    const { id } = await add({ privateKey: ours.privateKey, certificateData: ours.certificate });
    await platform.ctx.platform.commit([update(keys.fhirProvider(id), { set: { certificateData: others.certificate } })], {
      category: "configuration_change",
      action: "fhirProvider.test",
      resourceType: "FhirProvider",
    });
    expect(await testFhirProvider(platform.at({}), id, patient().id)).toMatchObject({
      success: false,
      error: "key_mismatch",
      details: [{ step: "token", ok: false, ms: 0 }],
    });
  });
});

describe("a check", () => {
  it("describes the server, with one sentence for a fault or a warning", async () => {
    const good = await add();
    expect(await checkFhirProvider(platform.at({}), good.id)).toMatchObject({
      ...{ status: "healthy", fhirVersion: "4.0.1", software: expect.stringMatching(/sandbox/i) },
    });
    const told = async (more: object) => {
      const { id } = await add(more);
      const { status, code, message } = await checkFhirProvider(platform.at({}), id);
      expect(message).toBe(code && connectionFaults[code as ConnectionFault]);
      const { providers } = await fhirHealthStatus(platform.ctx);
      expect(providers.find((one) => one.id === id)).toMatchObject({ status, code, message });
      return [status, code];
    };
    expect(await told({ clientId: "unknown-client" })).toEqual(["unhealthy", "invalid_client"]);
    expect(await told({ fhirVersion: "DSTU2" })).toEqual(["unhealthy", "wrong_fhir_version"]);
    // The path of an unknown clinic.
    expect(await told({ providerType: "cerner", baseUrl: `${platform.sandboxes[0].origin}/nowhere` })).toEqual([
      "unhealthy",
      "tenant_refused",
    ]);
    await platform.ctx.platform.writeUnaudited(update<FhirHealthRow>(keys.fhirHealth(good.id), { set: { warning: "scope_reduced" } }));
    const { providers } = await fhirHealthStatus(platform.ctx);
    expect(providers.find(({ id }) => id === good.id)).toMatchObject({
      status: "healthy",
      code: "scope_reduced",
      message: connectionFaults.scope_reduced,
    });
  });

  it("is stored, reads no patient, and applies to the connection as it was", async () => {
    const certificate = selfSigned("clinic.example");
    const { id, name, baseUrl, clientId, scopes } = await add({ certificateData: certificate.certificate });
    const health = await probeFhirProvider(platform.at({}), await rowOf(id));
    expect(health).toMatchObject({ status: "healthy", certificateExpiry: expect.stringMatching(/^\d{4}-/) });
    expect(await platform.ctx.platform.get(keys.fhirHealth(id))).toEqual({ ...health, version: 1 });
    const { rows } = await platform.ctx.platform.query<AuditRow>(partitions.platformAudit(month(), "patient_access"));
    expect(rows.some(({ resourceId }) => resourceId === id)).toBe(false);

    await fault({ kind: "503" });
    expect(await checkFhirProvider(platform.at({}), id)).toMatchObject({ id, status: "unhealthy" });
    await updateFhirProvider(platform.ctx, id, { name, baseUrl, clientId, scopes: `${scopes} system/Location.rs` });
    expect((await platform.ctx.platform.get(keys.fhirHealth(id)))?.code).toBe("unavailable");
    expect(await codeOf(checkFhirProvider(platform.at({}), newId()))).toBe("not_found");
  });

  it("adds to a history, oldest first, in one write each, which restarts with a changed connection", async () => {
    const { id, name, baseUrl, clientId, scopes } = await add();
    const history = async () => (await fhirHealthStatus(platform.ctx)).providers.find((one) => one.id === id)!.history;
    const statuses = async () => (await history()).map(({ status }) => status);
    expect(await history()).toEqual([]);
    await checkFhirProvider(platform.at({}), id);
    await fault({ kind: "503" });
    await checkFhirProvider(platform.at({}), id);
    await fetch(`${platform.sandboxes[0].origin}/faults`, { method: "DELETE" });
    const { lastChecked, history: told } = await checkFhirProvider(platform.at({}), id);
    expect(await statuses()).toEqual(["healthy", "unhealthy", "healthy"]);
    expect(await history()).toEqual(told);
    expect(told.at(-1)).toEqual({ at: lastChecked, status: "healthy", ms: expect.any(Number) });

    for (let more = 0; more < 19; more++) await probeFhirProvider(platform.at({}), await rowOf(id));
    platform.aws.resetUsage();
    await probeFhirProvider(platform.at({}), await rowOf(id));
    const writes = platform.aws.usage().filter(({ writeUnits }) => writeUnits > 0);
    expect(writes.map(({ operation, writeUnits }) => [operation, writeUnits])).toEqual([["PutItem", 1]]);
    expect(await statuses()).toEqual(Array.from({ length: 20 }, () => "healthy"));

    const old = await rowOf(id);
    await updateFhirProvider(platform.ctx, id, { name, baseUrl, clientId, scopes: `${scopes} system/Location.rs` });
    expect(await history()).toEqual([]);
    await checkFhirProvider(platform.at({}), id);
    expect(await statuses()).toEqual(["healthy"]);
    // A check that began before the change.
    await probeFhirProvider(platform.at({}), old);
    expect(await statuses()).toEqual(["healthy"]);
  });

  it("that ends together with others is not lost, and the newest counts", async () => {
    const { id } = await add();
    const row = await rowOf(id);
    await Promise.all([4000, 1000, 3000, 0, 2000].map((laterMs) => probeFhirProvider(platform.at({ laterMs }), row)));
    const { lastChecked, history } = (await fhirHealthStatus(platform.ctx)).providers.find((one) => one.id === id)!;
    const instants = history.map(({ at }) => at);
    expect(instants).toHaveLength(5);
    expect(instants).toEqual(instants.toSorted());
    expect(lastChecked).toBe(instants.at(-1));
  });

  it("does not report a broken connection because of a missing patient", async () => {
    const { id } = await add();
    await testFhirProvider(platform.at({}), id, "no-such-patient");
    expect((await platform.ctx.platform.get(keys.fhirHealth(id)))?.status).toBe("healthy");
  });
});

describe("discovery for the form", () => {
  const at = (baseUrl: string) => discoverFhirServer(platform.at({}), baseUrl);

  it("returns the server's values, and a sentence when there are none", async () => {
    const { r4, origin } = platform.sandboxes[1];
    const found = await at(`${r4.baseUrl}/`);
    expect(found).toMatchObject({ tokenUrl: r4.tokenUrl, authUrl: `${origin}/oauth2/authorize` });
    expect(found.scopes).toMatch(/(^| )system\/\S+\.\w+/);
    expect(await codeOf(at(`${origin}/nowhere`))).toBe("not_doable");
    expect(await codeOf(at("https://ehr.example/{tenant}/r4"))).toBe("not_doable");
    expect(await codeOf(at("https://169.254.169.254/latest"))).toBe("invalid_request");
  });
});

describe("presets", () => {
  it("D2.9-010 D2.9-011 D2.9-012 D2.9-013 fill in each vendor's addresses and scopes, Cerner's with a placeholder, none for a custom server", () => {
    const presets = listFhirPresets({ origin: "https://vitaline.example" });
    expect(presets.map(({ providerType }) => providerType)).toEqual(["epic", "cerner", "allscripts", "nextgen"]);
    for (const { authUrl, tokenUrl, scopes } of presets)
      expect([URL.canParse(authUrl), URL.canParse(tokenUrl), scopes !== ""]).toEqual([true, true, true]);
    const [epic, cerner, ...others] = presets;
    expect(epic).toMatchObject({
      baseUrl: expect.stringContaining("/api/FHIR/R4"),
      redirectUri: "https://vitaline.example/oauth/epic/callback",
    });
    expect(cerner?.tokenUrl).toContain("{tenant}");
    for (const { baseUrl, redirectUri } of [cerner!, ...others]) expect([baseUrl, redirectUri]).toEqual([null, null]);
  });

  it("allow the scopes of our tools where the vendor supports them, in SMART v1 spelling", () => {
    const presets = new Map(listFhirPresets({ origin: "https://vitaline.example" }).map((preset) => [preset.providerType, preset]));
    const allowed = (providerType: FhirProviderRow["providerType"], among: Tool[]) =>
      among.filter(({ scopes }) =>
        allowsScopes({ providerType, fhirVersion: "R4", scopes: presets.get(providerType)?.scopes ?? "" }, scopes),
      ).length;
    const asking = Object.values(tools).filter(({ scopes }) => scopes.length > 0);
    expect(allowed("cerner", asking)).toBe(asking.length);
    // They only show records
    const reading = asking.filter(({ effect }) => effect === "read");
    for (const type of ["epic", "allscripts", "nextgen"] as const) expect([type, allowed(type, reading)]).toEqual([type, reading.length]);
    for (const { providerType, scopes } of presets.values())
      for (const scope of scopes.split(" ")) {
        expect(scope).toMatch(/^(system|patient|user)\/(\*|[A-Z]\w+)\.(read|write)$/);
        if (providerType !== "epic") expect([scope, parseScope(scope)?.type]).not.toContain("*");
      }
    expect(scopesCover(presets.get("cerner")?.scopes ?? "", "system/Communication.c system/Patient.cu system/Appointment.cu")).toBe(true);
  });
});
