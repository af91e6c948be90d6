import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { type FhirProviderChange, NewFhirProvider } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { type AuditRow, type FhirHealthRow, keys, put } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import * as z from "zod/mini";
import { selfSigned, type TestCertificate } from "../../../test/kit/certificate.ts";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import { runProviderTest } from "../health/health.ts";
import { createFhirProvider, fhirHealthStatus, listFhirProviders, updateFhirProvider } from "../index.ts";
import { connectionDigestOf } from "../provider/credentials.ts";

let platform: Platform;
let pair: TestCertificate;
let otherPair: TestCertificate;
beforeAll(async () => {
  platform = await startPlatform();
  [pair, otherPair] = [selfSigned("ehr.example"), selfSigned("ehr.example")];
}, 60_000);
afterAll(() => platform.close());

const add = (more: object = {}) => createFhirProvider(platform.ctx, providerInput(platform.sandboxes[0], more));
const rowOf = async (id: string) => (await platform.ctx.platform.get(keys.fhirProvider(id)))!;
const change = (more: Partial<FhirProviderChange> = {}): FhirProviderChange => {
  const { name, baseUrl, clientId, scopes } = providerInput(platform.sandboxes[0]);
  return { name, baseUrl, clientId, scopes, ...more };
};
const update = (id: string, more: Partial<FhirProviderChange> = {}, ifMatch?: number) =>
  updateFhirProvider(platform.ctx, id, change(more), { ifMatch });
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? { code: error.code, ...error.fields } : String(error)),
  );
const secretIn = async (pinned: { arn: string; versionId: string } | undefined) => {
  const client = new SecretsManagerClient({});
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: pinned?.arn, VersionId: pinned?.versionId }));
  client.destroy();
  return SecretString;
};

describe("client authentication", () => {
  it("follows from the input when it is not given", async () => {
    const given = [{}, { clientSecret: "s" }, { privateKey: pair.privateKey }, { clientSecret: "s", privateKey: pair.privateKey }];
    expect(
      (await Promise.all(given.map(add))).map(({ clientAuth, hasClientSecret, hasPrivateKey }) => [
        clientAuth,
        hasClientSecret,
        hasPrivateKey,
      ]),
    ).toEqual([
      ["platform_key", false, false],
      ["client_secret", true, false],
      ["own_key", false, true],
      ["client_secret", true, true],
    ]);
  });

  test("D2.5-019 a client secret is required on creation when it is the client authentication", async () => {
    const missing = { code: "invalid_request", clientSecret: "Client Secret is required" };
    expect(await refusal(add({ clientAuth: "client_secret" }))).toEqual(missing);
    const form = { name: "x", baseUrl: platform.sandboxes[0].r4.baseUrl, clientId: "c", scopes: "s" };
    expect(await refusal(createFhirProvider(platform.ctx, z.parse(NewFhirProvider, { ...form, clientSecret: "" })))).toEqual(missing);
    expect(await refusal(createFhirProvider(platform.ctx, z.parse(NewFhirProvider, form)))).toBe("done");
    expect(await refusal(add({ clientAuth: "own_key" }))).toEqual({ code: "invalid_request", privateKey: "Private key is required" });
    expect(await refusal(add({ clientAuth: "platform_key" }))).toBe("done");
  });

  test("D2.5-020 a secret that is not given stays, a given one replaces it, a removed one is gone", async () => {
    const { id } = await add({ clientSecret: "first" });
    const first = (await rowOf(id)).clientSecret;
    for (const clientSecret of [undefined, ""]) expect((await update(id, { clientSecret })).hasClientSecret).toBe(true);
    expect((await rowOf(id)).clientSecret).toEqual(first);
    await update(id, { clientSecret: "second" });
    const second = (await rowOf(id)).clientSecret;
    expect([await secretIn(second), second?.versionId === first?.versionId]).toEqual(["second", false]);
    expect(await update(id, { removeClientSecret: true })).toMatchObject({ hasClientSecret: false, clientAuth: "platform_key" });
    expect(await update(id, { clientSecret: "third" })).toMatchObject({ hasClientSecret: true, clientAuth: "client_secret" });
    expect(await secretIn((await rowOf(id)).clientSecret)).toBe("third");
    expect(await refusal(update(id, { removeClientSecret: true, clientAuth: "client_secret" }))).toMatchObject({
      clientSecret: "Client Secret is required",
    });
  });

  it("sends no secret to another address than it was entered for", async () => {
    const [here, there] = platform.sandboxes;
    const elsewhere = new URL("/token", there.origin).href;
    const again = { code: "invalid_request", clientSecret: "The address has changed, so please enter the client secret again." };
    const { id } = await add({ clientSecret: "first" });
    const first = (await rowOf(id)).clientSecret;
    // Otherwise a secret that is unused now could be used there after the next change.
    for (const more of [
      { baseUrl: there.r4.baseUrl },
      { tokenUrl: elsewhere },
      { baseUrl: there.r4.baseUrl, clientAuth: "platform_key" as const },
    ])
      for (const clientSecret of [undefined, ""]) expect(await refusal(update(id, { ...more, clientSecret }))).toEqual(again);
    expect(await rowOf(id)).toMatchObject({ version: 1, baseUrl: here.r4.baseUrl, clientSecret: first });

    expect(await refusal(update(id, { baseUrl: `${here.origin}/other/r4`, tokenUrl: `${here.origin}/token` }))).toBe("done");
    expect(await refusal(update(id, { tokenUrl: elsewhere, clientSecret: "second" }))).toBe("done");
    // Without a token URL the secret would go to the base URL's server.
    expect(await refusal(update(id))).toEqual(again);
    expect(await refusal(update(id, { tokenUrl: `${there.origin}/other/token` }))).toBe("done");
    expect(await refusal(update(id, { baseUrl: there.r4.baseUrl, removeClientSecret: true }))).toBe("done");
  });

  it("sends no tokens to a new server unless the token URL is entered again", async () => {
    const [here, there] = platform.sandboxes;
    const tokenUrl = "https://authorization.example/token";
    const sentence = "The server has changed, so please enter its Token URL, or leave it empty to let the server name it.";
    const moved = { code: "invalid_request", tokenUrl: sentence };
    for (const more of [{}, { privateKey: pair.privateKey }]) {
      const { id } = await add({ tokenUrl, ...more });
      expect(await refusal(update(id, { tokenUrl, baseUrl: there.r4.baseUrl }))).toEqual(moved);
      expect((await rowOf(id)).baseUrl).toBe(here.r4.baseUrl);
      expect(await refusal(update(id, { tokenUrl, baseUrl: `${here.origin}/other/r4` }))).toBe("done");
      expect(await refusal(update(id, { tokenUrl: "https://authorization.example/other", baseUrl: there.r4.baseUrl }))).toBe("done");
      expect(await refusal(update(id, { baseUrl: here.r4.baseUrl }))).toBe("done");
    }
    // Entering the secret again confirms both addresses.
    const { id } = await add({ tokenUrl, clientSecret: "first" });
    expect(await refusal(update(id, { tokenUrl, baseUrl: there.r4.baseUrl, clientSecret: "first" }))).toBe("done");
  });

  test("D2.3-015 a private key is in Secrets Manager, is never shown, and is gone when it is removed", async () => {
    const { id, ...shown } = await add({ privateKey: pair.privateKey, certificateData: pair.certificate });
    expect(shown).toMatchObject({ hasPrivateKey: true, certificateData: pair.certificate, clientAuth: "own_key" });
    const row = await rowOf(id);
    expect(await secretIn(row.privateKey)).toBe(pair.privateKey);
    expect(JSON.stringify([shown, row])).not.toContain("PRIVATE KEY");
    expect(await update(id, { certificateData: pair.certificate })).toMatchObject({ hasPrivateKey: true, clientAuth: "own_key" });
    expect(await update(id, { removePrivateKey: true })).toMatchObject({
      hasPrivateKey: false,
      clientAuth: "platform_key",
      certificateData: null,
    });
  });
});

describe("a certificate and a key", () => {
  const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
  const ec = (namedCurve: string) => pem(generateKeyPairSync("ec", { namedCurve }).privateKey);
  const other = (type: "ed25519") => pem(generateKeyPairSync(type).privateKey);
  const unfit = "Must be an RSA key of at least 2048 bits, or an EC key on P-384";

  it("may be an EC key on P-384, which then signs as one", async () => {
    const { id, clientAuth } = await add({ privateKey: ec("secp384r1") });
    expect([clientAuth, (await rowOf(id)).privateKey]).toEqual([
      "own_key",
      { arn: expect.any(String), versionId: expect.any(String), type: "EC" },
    ]);
    await update(id, { name: "Renamed" });
    expect((await rowOf(id)).privateKey?.type).toBe("EC");
    await update(id, { privateKey: pair.privateKey });
    expect((await rowOf(id)).privateKey).not.toHaveProperty("type");
    expect(await refusal(add({ privateKey: ec("secp384r1"), certificateData: pair.certificate }))).toMatchObject({
      privateKey: "Does not match the certificate",
    });
  });

  const brokenCertificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  it.each([
    ["text for a certificate", () => ({ certificateData: "hello" }), { certificateData: "Must be an X.509 certificate in PEM form" }],
    ["a broken one", () => ({ certificateData: brokenCertificate }), { certificateData: "Must be an X.509 certificate in PEM form" }],
    ["text for a key", () => ({ privateKey: "hello" }), { privateKey: "Must be an unencrypted private key in PEM form" }],
    ["a public key", () => ({ privateKey: pair.certificate }), { privateKey: "Must be an unencrypted private key in PEM form" }],
    ["a short key", () => ({ privateKey: selfSigned("ehr.example", { bits: 1024 }).privateKey }), { privateKey: unfit }],
    ["a key on another curve", () => ({ privateKey: ec("prime256v1") }), { privateKey: unfit }],
    ["a key of another kind", () => ({ privateKey: other("ed25519") }), { privateKey: unfit }],
    [
      "two that are no pair",
      () => ({ certificateData: pair.certificate, privateKey: otherPair.privateKey }),
      { privateKey: "Does not match the certificate" },
    ],
  ])("are refused with the field's name: %s", async (_, given, fields) => {
    expect(await refusal(add(given()))).toEqual({ code: "invalid_request", ...fields });
  });

  it("must match even if only one of them is new", async () => {
    const { id } = await add({ privateKey: pair.privateKey });
    expect(await refusal(update(id, { certificateData: otherPair.certificate }))).toMatchObject({
      certificateData: "Does not match the private key",
    });
    expect(await refusal(update(id, { certificateData: pair.certificate }))).toBe("done");
    expect(await refusal(update(id, { certificateData: pair.certificate, privateKey: otherPair.privateKey }))).toMatchObject({
      privateKey: "Does not match the certificate",
    });
  });
});

describe("a placeholder in an address", () => {
  it.each(["baseUrl", "authUrl", "tokenUrl", "redirectUri"])("is found in the %s in any spelling", async (field) => {
    for (const [written, found] of [
      ["{tenant}", "{tenant}"],
      ["%7Btenant%7D", field === "baseUrl" || field === "tokenUrl" ? "{tenant}" : "%7Btenant%7D"],
      ["{tenant", "{tenant"],
    ] as const) {
      const more = { [field]: `https://ehr.example/t/${written}` };
      expect(await refusal(add(more))).toMatchObject({ code: "not_doable", [field]: `Replace ${found} before the provider is enabled.` });
      const { id } = await add({ ...more, isActive: false });
      expect((await runProviderTest(platform.at({}), await rowOf(id))).steps).toMatchObject([{ code: "placeholder_left" }]);
    }
  });

  const tokenUrl = "https://authorization.example/tenants/{tenant}/token";
  const active = { code: "not_doable", tokenUrl: "Replace {tenant} before the provider is enabled." };

  it("is kept as typed while the provider is inactive, and must be replaced before it is active", async () => {
    const saved = await add({ tokenUrl, baseUrl: "https://ehr.example/{site}/r4/", isActive: false });
    expect(saved).toMatchObject({ tokenUrl, baseUrl: "https://ehr.example/{site}/r4" });
    expect(await refusal(add({ tokenUrl }))).toEqual(active);
    expect(await refusal(update(saved.id, { tokenUrl, isActive: true }))).toEqual(active);
    expect(await update(saved.id, { tokenUrl: "https://authorization.example/tenants/7/token", isActive: true })).toMatchObject({
      isActive: true,
    });
  });
});

describe("a change", () => {
  it("replaces the form's fields, and keeps type, version and state if they are absent", async () => {
    const { id, createdAt } = await add({ description: "old", fhirVersion: "STU3", isActive: false });
    expect(await update(id, { name: "New name", redirectUri: "https://app.example/callback" })).toMatchObject({
      name: "New name",
      providerName: "New name",
      fhirVersion: "STU3",
      isActive: false,
      description: null,
      redirectUri: "https://app.example/callback",
      createdAt,
      version: 2,
    });
    expect(await refusal(update(id, { providerType: "custom" }))).toBe("done");
    expect(await refusal(update(id, { providerType: "epic" }))).toMatchObject({ code: "not_doable", providerType: expect.any(String) });
    expect(await refusal(update(newId()))).toEqual({ code: "not_found" });
  });

  it("of a stale version is refused; without a version, concurrent changes are applied one after the other", async () => {
    const { id } = await add();
    await update(id, {}, 1);
    expect(await refusal(update(id, {}, 1))).toEqual({ code: "stale_version" });
    const raced = await Promise.all([refusal(update(id, { name: "a" }, 2)), refusal(update(id, { name: "b" }, 2))]);
    expect(raced.toSorted((a) => (a === "done" ? -1 : 1))).toEqual(["done", { code: "stale_version" }]);
    expect(await Promise.all([update(id), update(id)].map(refusal))).toEqual(["done", "done"]);
    expect((await rowOf(id)).version).toBe(5);
  });

  it("that lost a race does not change the secret: the row has the winner's", async () => {
    const { id } = await add({ clientSecret: "first" });
    const secrets = ["ours", "theirs", "others"];
    const outcomes = await Promise.all(secrets.map((clientSecret) => refusal(update(id, { clientSecret }, 1))));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(await secretIn((await rowOf(id)).clientSecret)).toBe(secrets[outcomes.indexOf("done")]);
  });

  it("is audited with whether a secret changed, without the secret", async () => {
    const { id } = await add();
    await update(id, { clientSecret: "planted-secret" });
    const month = new Date().toISOString().slice(0, 7);
    const { rows } = await platform.ctx.platform.query<AuditRow>(partitions.platformAudit(month, "configuration_change"));
    const found = rows.find(({ action, resourceId }) => action === "fhirProvider.update" && resourceId === id);
    expect(found?.detail).toMatchObject({ clientSecretChanged: true, privateKeyChanged: false });
    expect(JSON.stringify(rows)).not.toContain("planted-secret");
  });

  it("of a tenant's provider is audited in that tenant's log, by any actor", async () => {
    const [one, two] = platform.tenants;
    const input = providerInput(platform.sandboxes[0], { privateKey: pair.privateKey });
    const { id } = await createFhirProvider(platform.ctx, input, one.id);
    await update(id, { name: "Changed by the platform" });
    const month = new Date().toISOString().slice(0, 7);
    const acts = async (partition: string) =>
      (await platform.ctx.platform.query<AuditRow>(partition)).rows.flatMap(({ action, resourceId }) =>
        resourceId === id ? [action] : [],
      );
    expect(await acts(tenantPartitions.audit(one.id, month, "configuration_change"))).toEqual([
      "fhirProvider.create",
      "fhirProvider.update",
    ]);
    expect(await acts(tenantPartitions.audit(two.id, month, "configuration_change"))).toEqual([]);
    expect(await acts(partitions.platformAudit(month, "configuration_change"))).toEqual([]);
  });
});

describe("the list", () => {
  const listed = async (id: string) => (await listFhirProviders(platform.ctx)).find((one) => one.id === id);
  const health = (id: string, connectionDigest: string): Promise<unknown> =>
    platform.ctx.platform.writeUnaudited(
      put<FhirHealthRow>(keys.fhirHealth(id), {
        ...{
          status: "unhealthy",
          checkedAt: "2026-01-02T03:04:05.000Z",
          ms: 1,
          certificateExpiry: "2027-01-01T00:00:00.000Z",
          connectionDigest,
        },
      }),
    );

  test("D2.4-007 shows the last check of the current connection, and unknown before there was one", async () => {
    const { id } = await add();
    expect((await listed(id))?.connectionStatus).toBe("unknown");
    await health(id, connectionDigestOf(await rowOf(id)));
    expect((await listed(id))?.connectionStatus).toBe("unhealthy");
    expect((await update(id, { name: "Only a name" })).connectionStatus).toBe("unhealthy");
    expect((await update(id, { clientSecret: "another" })).connectionStatus).toBe("unknown");
  });

  test("D2.3-019 health status names each provider, its endpoint, its last check and its certificate's expiry", async () => {
    const [checked, never] = [await add({ name: "Checked" }), await add({ name: "Never" })];
    await health(checked.id, connectionDigestOf(await rowOf(checked.id)));
    platform.aws.resetUsage();
    const { providers } = await fhirHealthStatus(platform.ctx);
    expect(platform.aws.usage().map(({ operation }) => operation)).toEqual(["Query"]);
    const endpoint = platform.sandboxes[0].r4.baseUrl;
    expect(providers.filter(({ id }) => id === checked.id || id === never.id)).toEqual([
      {
        ...{ id: checked.id, name: "Checked", endpoint, status: "unhealthy", lastChecked: "2026-01-02T03:04:05.000Z" },
        certificateExpiry: "2027-01-01T00:00:00.000Z",
        history: [{ at: "2026-01-02T03:04:05.000Z", status: "unhealthy", ms: 1 }],
      },
      { id: never.id, name: "Never", endpoint, status: "unknown", lastChecked: null, certificateExpiry: null, history: [] },
    ]);
  });

  test.each([
    ["patient/*.read user/*.read", "Read Only", 1],
    ["system/Patient.read system/Patient.write system/Slot.rs", "Read/Write", 2],
    ["system/Patient.rs", "Read Only", 1],
    ["system/Appointment.cruds system/*.rs", "Read/Write", 2],
    ["user/Observation.*", "Read/Write", 1],
    ["openid launch", "Read Only", 0],
  ])("D2.4-008 D2.4-009 %s is %s of %i resources", async (scopes, access, resourceCount) => {
    expect(await add({ scopes })).toMatchObject({ access, resourceCount });
  });
});
