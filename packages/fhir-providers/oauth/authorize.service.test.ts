import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { unseal } from "@vitaline/aws";
import { isAppError, newId } from "@vitaline/core";
import { forgetDiscovery } from "@vitaline/fhir";
import {
  type AuditRow,
  type OAuthGrantRow,
  type FhirProviderRow,
  keys,
  type OAuthStateRow,
  put,
  type SessionRow,
  type TenantRow,
  update,
  type UserRow,
} from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import {
  assignFhirProvider,
  beginAuthorization,
  beginOwnAuthorization,
  checkFhirProvider,
  createFhirProvider,
  completeAuthorization,
  listFhirProviders,
  openEhr,
  type SessionRef,
  testFhirProvider,
  updateFhirProvider,
} from "../index.ts";
import { type AuthorizationServer, startAuthorizationServer } from "./authorization-server.fixture.ts";

let platform: Platform;
let server: AuthorizationServer;
beforeAll(async () => {
  [platform, server] = [await startPlatform(), await startAuthorizationServer()];
  process.env.EGRESS_LOOPBACK_ORIGINS += `,${server.origin}`;
}, 60_000);
afterAll(async () => {
  await server.close();
  await platform.close();
});
beforeEach(
  () => void Object.assign(server.ways, { lasting: true, rotating: false, down: false, slowMs: 0, scope: undefined, issuer: undefined }),
);

const audited = { category: "configuration_change", action: "user.test", resourceType: "User" } as const;
/** A user with a session. */
const signIn = async (of: Partial<UserRow> = {}): Promise<SessionRef> => {
  const [userId, sid] = [newId(), newId()];
  const now = new Date().toISOString();
  const user: UserRow = {
    ...{ id: userId, email: `${userId}@clinic.example`, role: "system_admin", firstName: "A", lastName: "B" },
    ...{ isActive: true, epoch: 3, createdAt: now },
    ...of,
  };
  const session: SessionRow = {
    ...{
      id: sid,
      userId,
      tenantId: of.tenantId,
      userEpoch: 3,
      tenantEpoch: 0,
      startedAt: now,
      lastSeen: now,
      expiresAt: Math.floor(Date.now() / 1000) + 3600,
    },
  };
  await platform.ctx.platform.commit([put(keys.user(userId), user)], audited);
  await platform.ctx.platform.writeUnaudited(put(keys.session(userId, sid), session));
  return { userId, sid };
};
const input = (more: object = {}) =>
  providerInput(platform.sandboxes[0], {
    ...{ providerType: "epic", baseUrl: server.baseUrl, clientId: "our-client", clientSecret: "our-secret" },
    ...{ grant: "authorization_code", scopes: "user/Patient.read user/Slot.read" },
    ...more,
  });
const add = (more: object = {}, tenantId?: string) => createFhirProvider(platform.ctx, input(more), tenantId);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
/** The callback is unauthenticated. */
const returning = (): PlatformContext => ({ ...platform.at({}), actor: { kind: "nobody", id: "anonymous" } });
const parts = (back: URL) => ({ state: back.searchParams.get("state") ?? undefined, code: back.searchParams.get("code") ?? undefined });
/** A complete authorization. */
const connect = async (id: string, by?: SessionRef) => {
  const { url, browser } = await beginAuthorization(platform.at({}), id, by ?? (await signIn()));
  return completeAuthorization(returning(), "epic", parts(await server.signIn(url)), browser);
};
const rowOf = async (id: string): Promise<FhirProviderRow> => (await platform.ctx.platform.get(keys.fhirProvider(id)))!;
const consentOf = (id: string) => platform.ctx.platform.get<OAuthGrantRow>(keys.oauthGrant(id));
const shownOf = async (id: string) => (await listFhirProviders(platform.ctx)).find((one) => one.id === id);
const secretOf = async (id: string): Promise<string | undefined> => {
  const pinned = await consentOf(id);
  const client = new SecretsManagerClient({});
  const { SecretString, Name } = await client.send(new GetSecretValueCommand({ SecretId: pinned?.arn, VersionId: pinned?.versionId }));
  client.destroy();
  expect(Name).toMatch(new RegExp(`/fhir/${id}/refresh-token$`));
  return SecretString;
};
/** The current refresh token: of the row, else of Secrets Manager. */
const refreshTokenOf = async (id: string): Promise<string | undefined> => {
  const sealed = (await consentOf(id))?.sealed;
  return sealed === undefined ? secretOf(id) : unseal("fhir-token", id, sealed);
};
const month = () => new Date().toISOString().slice(0, 7);
const acts = async (partition: string, id: string) =>
  (await platform.ctx.platform.query<AuditRow>(partition)).rows.filter(
    ({ action, resourceId }) => action === "fhirProvider.authorize" && resourceId === id,
  );
const anotherInstance = async () => {
  vi.resetModules();
  const [{ openEhr: open }, { allowLoopback }] = await Promise.all([import("../index.ts"), import("@vitaline/outbound")]);
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
  return open;
};

describe("the authorization request", () => {
  it("names the client, the redirect URI, the server, and a PKCE challenge", async () => {
    const { id } = await add();
    const { url, browser } = await beginAuthorization({ ...platform.at({}), origin: "https://vitaline.example" }, id, await signIn());
    const { origin, pathname, searchParams } = new URL(url);
    expect([origin, pathname]).toEqual([server.origin, "/authorize"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: "our-client",
      redirect_uri: "https://vitaline.example/oauth/epic/callback",
      scope: "user/Patient.read user/Slot.read offline_access",
      state: expect.stringMatching(/^[\w-]{43}$/),
      aud: server.baseUrl,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(url).not.toContain(browser);
  });

  it("goes to the configured URL and keeps its query parameters", async () => {
    const { id } = await add({ authUrl: "https://ehr.example/authorize?site=7", scopes: "user/Patient.read online_access" });
    const { searchParams, host } = new URL((await beginAuthorization(platform.at({}), id, await signIn())).url);
    expect([host, searchParams.get("site"), searchParams.get("scope")]).toEqual(["ehr.example", "7", "user/Patient.read online_access"]);
  });

  it("is refused for client credentials, a placeholder, another redirect URI, or an unknown provider", async () => {
    const by = await signIn();
    const begin = async (more: object) => codeOf(beginAuthorization(platform.at({}), (await add(more)).id, by));
    expect(await begin({ grant: undefined })).toBe("not_doable");
    expect(await begin({ authUrl: "https://ehr.example/{tenant}/authorize", isActive: false })).toBe("not_doable");
    expect(await begin({ redirectUri: "https://elsewhere.example/oauth/epic/callback" })).toBe("not_doable");
    expect(await begin({ redirectUri: `${platform.ctx.origin}/oauth/epic/callback` })).toBe("done");
    expect(await codeOf(beginAuthorization(platform.at({}), newId(), by))).toBe("not_found");
  });
});

describe("the OAuth callback", () => {
  it("stores the refresh token in Secrets Manager, pins its version, and is audited as an act of the user who began", async () => {
    const { id, version } = await add();
    const by = await signIn();
    expect((await shownOf(id))?.isAuthorized).toBe(false);
    expect(await connect(id, by)).toEqual({ outcome: "connected", providerId: id, isTenants: false });
    expect(await shownOf(id)).toMatchObject({ isAuthorized: true, grant: "authorization_code", version: version + 1 });
    const secret = await secretOf(id);
    expect(secret).toMatch(/^[\w-]{36}$/);
    expect(JSON.stringify([await rowOf(id), await consentOf(id)])).not.toContain(secret);
    expect(await acts(partitions.platformAudit(month(), "configuration_change"), id)).toMatchObject([
      { actorKind: "user", actorId: by.userId, success: true },
    ]);
  });

  it("works once, for the browser that began it, for ten minutes", async () => {
    const { id } = await add();
    const begin = async () => beginAuthorization(platform.at({}), id, await signIn());
    const first = await begin();
    const back = parts(await server.signIn(first.url));
    const asked = server.asked.length;
    for (const browser of [undefined, "", "another"])
      expect(await completeAuthorization(returning(), "epic", back, browser)).toEqual({ outcome: "expired" });
    for (const odd of [{}, { ...back, state: "unknown" }, { code: back.code }])
      expect(await completeAuthorization(returning(), "epic", odd, first.browser)).toEqual({ outcome: "expired" });
    const old = await begin();
    const oldBack = parts(await server.signIn(old.url));
    const key = keys.oauthState(oldBack.state ?? "");
    const { expiresAt } = (await platform.ctx.platform.get<OAuthStateRow>(key))!;
    expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(600);
    await platform.ctx.platform.writeUnaudited(update<OAuthStateRow>(key, { set: { expiresAt: expiresAt - 601 } }));
    expect(await completeAuthorization(returning(), "epic", oldBack, old.browser)).toEqual({ outcome: "expired" });
    expect(server.asked.length).toBe(asked);
    const both = await Promise.all([1, 2].map(() => completeAuthorization(returning(), "epic", back, first.browser)));
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["connected", "expired"]);
    expect(await completeAuthorization(returning(), "epic", back, first.browser)).toEqual({ outcome: "expired" });
  });

  it("is refused when the session has ended or timed out, or its user has changed", async () => {
    const { id } = await add();
    const long = new Date(Date.now() - 16 * 60_000).toISOString();
    const changes = [
      (by: SessionRef) =>
        platform.ctx.platform.writeUnaudited(update<SessionRow>(keys.session(by.userId, by.sid), { set: { lastSeen: long } })),
      (by: SessionRef) =>
        platform.ctx.platform.writeUnaudited(
          update<SessionRow>(keys.session(by.userId, by.sid), { set: { viewAs: { tenantId: "t", until: long } } }),
        ),
      (by: SessionRef) =>
        platform.ctx.platform.writeUnaudited(
          update<SessionRow>(keys.session(by.userId, by.sid), { set: { endedAt: new Date().toISOString() } }),
        ),
      (by: SessionRef) => platform.ctx.platform.commit([update<UserRow>(keys.user(by.userId), { set: { isActive: false } })], audited),
      (by: SessionRef) => platform.ctx.platform.commit([update<UserRow>(keys.user(by.userId), { set: { epoch: 4 } })], audited),
    ];
    for (const change of changes) {
      const by = await signIn();
      const { url, browser } = await beginAuthorization(platform.at({}), id, by);
      await change(by);
      expect(await completeAuthorization(returning(), "epic", parts(await server.signIn(url)), browser)).toEqual({ outcome: "expired" });
    }
    expect(await consentOf(id)).toBeUndefined();
  });

  it("is refused for another vendor, or when the connection has changed", async () => {
    const { id, name, baseUrl, clientId } = await add();
    const { url, browser } = await beginAuthorization(platform.at({}), id, await signIn());
    expect(await completeAuthorization(returning(), "cerner", parts(await server.signIn(url)), browser)).toMatchObject({
      outcome: "changed",
    });
    const later = await beginAuthorization(platform.at({}), id, await signIn());
    await updateFhirProvider(platform.ctx, id, { name, baseUrl, clientId, scopes: "user/Patient.read" });
    expect(await completeAuthorization(returning(), "epic", parts(await server.signIn(later.url)), later.browser)).toMatchObject({
      outcome: "changed",
    });
  });

  it("refuses a code from another issuer", async () => {
    const { id } = await add();
    server.ways.issuer = server.origin;
    forgetDiscovery(server.baseUrl);
    const end = async (iss: string | undefined) => {
      const { url, browser } = await beginAuthorization(platform.at({}), id, await signIn());
      return (await completeAuthorization(returning(), "epic", { ...parts(await server.signIn(url)), iss }, browser)).outcome;
    };
    const asked = server.asked.length;
    expect(await end("https://another.example")).toBe("refused");
    expect(server.asked.length).toBe(asked);
    expect([await end(server.origin), await end(undefined)]).toEqual(["connected", "connected"]);
    server.ways.issuer = undefined;
    forgetDiscovery(server.baseUrl);
    expect(await end("https://unknown.example")).toBe("connected");
  });

  it("returns and audits the outcome of a failure", async () => {
    const { id } = await add();
    const end = async (change: (back: { state?: string; code?: string; error?: string }) => object) => {
      const { url, browser } = await beginAuthorization(platform.at({}), id, await signIn());
      return (await completeAuthorization(returning(), "epic", change(parts(await server.signIn(url))), browser)).outcome;
    };
    expect(await end(({ state }) => ({ state, error: "access_denied" }))).toBe("denied");
    expect(await end(({ state }) => ({ state, code: "never-given" }))).toBe("refused");
    server.ways.lasting = false;
    expect(await end((back) => back)).toBe("no_refresh_token");
    server.ways.down = true;
    expect(await end((back) => back)).toBe("unavailable");
    const found = await acts(partitions.platformAudit(month(), "configuration_change"), id);
    expect(found.map(({ success, code }) => [success, code])).toEqual(
      ["denied", "refused", "no_refresh_token", "unavailable"].map((code) => [false, code]),
    );
    expect((await shownOf(id))?.isAuthorized).toBe(false);
  });
});

describe("an authorized connection", () => {
  let tenant: TenantRow;
  let id: string;
  beforeEach(async () => {
    ({ id } = await add());
    await assignFhirProvider(platform.ctx, platform.tenants[0].id, id);
    tenant = await platform.readTenant(platform.tenants[0].id);
  });
  const read = async (open: typeof openEhr, ctx = platform.at({})) =>
    codeOf((await open(ctx, tenant, { scopes: ["system/Patient.rs"] })).read("Patient", "1"));
  const refreshes = () => server.asked.filter(({ form }) => form["grant_type"] === "refresh_token").length;

  it("gives no token before, and one for all tools after, requested by one instance at a time", async () => {
    expect(await read(openEhr)).toBe("ehr_auth");
    await connect(id);
    server.ways.rotating = true;
    const before = refreshes();
    const opens = [openEhr, await anotherInstance(), await anotherInstance()];
    const other = async (open: typeof openEhr) =>
      codeOf((await open(platform.at({}), tenant, { scopes: ["system/Slot.rs"] })).read("Patient", "2"));
    expect(new Set(await Promise.all(opens.flatMap((open) => [read(open), read(open), other(open)])))).toEqual(new Set(["done"]));
    expect(refreshes() - before).toBe(1);
  });

  it("stores a rotated refresh token, and uses each once", async () => {
    await connect(id);
    server.ways.rotating = true;
    const secrets = [await refreshTokenOf(id)];
    for (const round of [1, 2, 3]) {
      expect(await read(openEhr, platform.at({ laterMs: round * 300_000 }))).toBe("done");
      secrets.push(await refreshTokenOf(id));
    }
    expect(JSON.stringify(await consentOf(id))).not.toContain(secrets.at(-1));
    expect(new Set(secrets).size).toBe(4);
    const shown = server.asked.map(({ form }) => form["refresh_token"]).filter((one) => one !== undefined && secrets.includes(one));
    expect(shown).toEqual(secrets.slice(0, 3));
  });

  it("stores a new refresh token in Secrets Manager at most every ten minutes, and continues when that fails", async () => {
    await connect(id);
    server.ways.rotating = true;
    const stored: (string | undefined)[] = [];
    const round = async (minutes: number) => {
      expect(await read(openEhr, platform.at({ laterMs: minutes * 60_000 }))).toBe("done");
      stored.push((await consentOf(id))?.versionId);
      return (await secretOf(id)) === (await refreshTokenOf(id));
    };
    expect([await round(5), await round(10), await round(15), await round(20)]).toEqual([false, true, false, true]);
    expect(new Set(stored).size).toBe(3);
    const { arn, versionId } = (await consentOf(id))!;
    await platform.ctx.platform.writeUnaudited(update<OAuthGrantRow>(keys.oauthGrant(id), { set: { arn: `${arn}x` } }));
    for (const minutes of [30, 40]) expect(await read(openEhr, platform.at({ laterMs: minutes * 60_000 }))).toBe("done");
    expect((await consentOf(id))?.versionId).toBe(versionId);
    expect((await connect(id)).outcome).toBe("connected");
    expect((await consentOf(id))?.sealed).toBeUndefined();
    expect(await refreshTokenOf(id)).toBe(await secretOf(id));
  });

  it("allows no tool without granted scopes, and reports that", async () => {
    const more = await add({ scopes: "user/Patient.read user/Observation.read" });
    await assignFhirProvider(platform.ctx, tenant.id, more.id);
    tenant = await platform.readTenant(tenant.id);
    const observations = async (ctx = platform.at({})) =>
      codeOf((await openEhr(ctx, tenant, { scopes: ["system/Observation.rs"] })).read("Observation", "1"));
    server.ways.scope = "user/Patient.read";
    await connect(more.id);
    // A refresh response need not repeat the scopes.
    server.ways.scope = undefined;
    const asked = server.asked.length;
    expect([await read(openEhr), await observations(), await observations()]).toEqual(["done", "ehr_not_allowed", "ehr_not_allowed"]);
    expect(server.asked.length).toBe(asked + 1);
    expect(await checkFhirProvider(platform.at({}), more.id)).toMatchObject({ status: "healthy", code: "scope_reduced" });
    server.ways.scope = "user/Patient.read user/Observation.read";
    await connect(more.id);
    expect(await observations(platform.at({ laterMs: 300_000 }))).not.toBe("ehr_not_allowed");
  });

  it("has its token prefetched with its other rows, for any scopes", async () => {
    await connect(id);
    expect(await read(openEhr)).toBe("done");
    const open = await anotherInstance();
    const { prefetchEhr: foresee } = await import("../index.ts");
    const scopes = ["system/Patient.rs"];
    await open(platform.at({}), tenant, { scopes });
    const asked = server.asked.length;
    const prefetched = await foresee(platform.at({}), tenant.id, { scopes });
    platform.aws.resetUsage();
    const ehr = await open(platform.at({}), tenant, { scopes, prefetched });
    expect(await codeOf(ehr.read("Patient", "1"))).toBe("done");
    expect([platform.aws.usage(), server.asked.length]).toEqual([[], asked]);
  });

  it("is unhealthy when the EHR has ended it, and healthy when it is authorized again", async () => {
    expect(await checkFhirProvider(platform.at({}), id)).toMatchObject({
      status: "unhealthy",
      code: "not_authorized",
      message: expect.any(String),
    });
    await connect(id);
    expect(await testFhirProvider(platform.at({}), id, "1")).toMatchObject({ success: true, patientData: { name: "Jo Alder" } });
    server.ways.rotating = true;
    // The refresh token was used elsewhere: the server treats it as stolen.
    const stolen = await refreshTokenOf(id);
    const basic = `Basic ${Buffer.from("our-client:our-secret").toString("base64")}`;
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: stolen ?? "" });
    await fetch(`${server.origin}/token`, { method: "POST", headers: { authorization: basic }, body });
    expect(await checkFhirProvider(platform.at({ laterMs: 300_000 }), id)).toMatchObject({
      status: "unhealthy",
      code: "authorization_ended",
    });
    expect((await connect(id)).outcome).toBe("connected");
    expect(await checkFhirProvider(platform.at({ laterMs: 600_000 }), id)).toMatchObject({ status: "healthy" });
  });

  it("is no longer authorized after a change of server, client or scopes", async () => {
    await connect(id);
    const { name, baseUrl, clientId, scopes } = await rowOf(id);
    const asked = refreshes();
    for (const change of [{ clientId: "another" }, { scopes: "user/Patient.read" }, { tokenUrl: `${server.origin}/other` }]) {
      expect((await updateFhirProvider(platform.ctx, id, { name, baseUrl, clientId, scopes, ...change })).isAuthorized).toBe(false);
      expect(await codeOf((await openEhr(platform.at({}), tenant)).read("Patient", "1"))).toBe("ehr_auth");
    }
    expect(refreshes()).toBe(asked);
    // Changed back, it is the authorized connection again.
    expect((await updateFhirProvider(platform.ctx, id, { name, baseUrl, clientId, scopes, clientSecret: "our-secret" })).isAuthorized).toBe(
      true,
    );
    expect(await read(openEhr)).toBe("done");
  });
});

describe("a tenant's administrator", () => {
  const allowed = (tenant: TenantRow): TenantRow => ({ ...tenant, policies: { ownFhirProviders: true } });

  it("authorizes only the tenant's own providers, audited in the tenant's log", async () => {
    const [one, two] = platform.tenants;
    const { id } = await add({}, one.id);
    const of = { role: "tenant_admin" as const, tenantId: one.id };
    const by = await signIn(of);
    expect(await codeOf(beginOwnAuthorization(platform.at({}), one, id, by))).toBe("forbidden");
    expect(await codeOf(beginAuthorization(platform.at({}), id, await signIn()))).toBe("forbidden");
    expect(await codeOf(beginOwnAuthorization(platform.at({}), allowed(two), id, by))).toBe("not_found");
    expect(await codeOf(beginOwnAuthorization(platform.at({}), allowed(one), (await add()).id, by))).toBe("not_found");
    const { url, browser } = await beginOwnAuthorization(platform.at({}), allowed(one), id, by);
    expect(await completeAuthorization(returning(), "epic", parts(await server.signIn(url)), browser)).toEqual({
      outcome: "connected",
      providerId: id,
      isTenants: true,
    });
    expect(await acts(tenantPartitions.audit(one.id, month(), "configuration_change"), id)).toMatchObject([
      { actorId: by.userId, success: true },
    ]);
    expect(await acts(partitions.platformAudit(month(), "configuration_change"), id)).toEqual([]);
  });
});
