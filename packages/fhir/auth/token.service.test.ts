import { generateKeyPairSync } from "node:crypto";
import { type DemoClient, startDemoClient, startSandboxEhr } from "@vitaline/sandbox-ehr";
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, exportJWK, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Asked, codeOf, contextFor, json, type OddServer, openLoopback, registrationAt, startOddServer } from "../fhir.fixture.ts";
import { type ClientRegistration, exchangeCode, keyAlgorithms, refreshAccessToken, requestAccessToken, signWithKey } from "../index.ts";

let client: DemoClient;
let servers: OddServer[] = [];
beforeAll(async () => void (client = await startDemoClient()));
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
afterAll(() => client.close());

const token = { access_token: "a-token", token_type: "Bearer", expires_in: 300 };
type Answers = { smart?: object; metadata?: object; token?: (asked: Asked) => [status: number, body: object] };

/** An EHR with the given discovery; its token endpoint is /oauth/token. */
const serve = async (answersAt: (origin: string) => Answers): Promise<OddServer> => {
  const server = await startOddServer((asked, response, origin) => {
    const answers = answersAt(origin);
    if (asked.url === "/fhir/.well-known/smart-configuration")
      return answers.smart ? json(response, 200, answers.smart) : json(response, 404, {});
    if (asked.url === "/fhir/metadata") return answers.metadata ? json(response, 200, answers.metadata) : json(response, 404, {});
    const [status, body] = answers.token?.(asked) ?? [200, token];
    return json(response, status, body);
  });
  servers.push(server);
  return server;
};
const formOf = ({ asked }: OddServer) => new URLSearchParams(asked.find(({ url }) => url === "/oauth/token")?.body);
const tokenCalls = ({ asked }: OddServer) => asked.filter(({ url }) => url === "/oauth/token");
const smartAt = (origin: string, more: object = {}) => ({ token_endpoint: `${origin}/oauth/token`, ...more });

describe("the token URL", () => {
  it("is the configured one, even if discovery names another", async () => {
    for (const more of [{}, { clientSecret: async () => "secret" }]) {
      const server = await serve((origin) => ({ smart: { token_endpoint: `${origin}/moved/token` } }));
      const registration = registrationAt(server.baseUrl, client, { tokenUrl: `${server.origin}/oauth/token`, ...more });
      expect(await codeOf(requestAccessToken(contextFor(), registration))).toBe("answered");
      expect([tokenCalls(server).length, server.asked.some(({ url }) => url === "/moved/token")]).toEqual([1, false]);
    }
  });

  it("is else from the SMART configuration, else from the CapabilityStatement", async () => {
    const statement = (origin: string) => ({
      resourceType: "CapabilityStatement",
      rest: [
        {
          security: {
            extension: [
              {
                url: "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
                extension: [{ url: "token", valueUri: `${origin}/oauth/token` }],
              },
            ],
          },
        },
      ],
    });
    const [bySmart, byRelative, byStatement, bySaved] = [
      await serve((origin) => ({ smart: smartAt(origin) })),
      await serve(() => ({ smart: { token_endpoint: "/oauth/token" } })),
      await serve((origin) => ({ metadata: statement(origin) })),
      await serve(() => ({})),
    ];
    for (const server of [bySmart, byRelative, byStatement]) {
      expect((await requestAccessToken(contextFor(), registrationAt(server.baseUrl, client))).accessToken).toBe("a-token");
    }
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(bySaved.baseUrl, client)))).toBe("ehr_auth");
    expect(
      await codeOf(
        requestAccessToken(contextFor(), registrationAt(bySaved.baseUrl, client, { tokenUrl: `${bySaved.origin}/oauth/token` })),
      ),
    ).toBe("answered");
  });

  it("is discovered once an hour, and again after a refusal", async () => {
    let refuse = false;
    const server = await serve((origin) => ({
      smart: smartAt(origin),
      token: () => (refuse ? [400, { error: "invalid_client" }] : [200, token]),
    }));
    const ask = () => codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client)));
    expect([await ask(), await ask()]).toEqual(["answered", "answered"]);
    refuse = true;
    expect(await ask()).toBe("ehr_auth");
    refuse = false;
    expect(await ask()).toBe("answered");
    expect(server.asked.filter(({ url }) => url.includes("smart-configuration"))).toHaveLength(2);
  });

  it("is not discovered for each token when the server names none, and never from the CapabilityStatement when configured", async () => {
    const server = await serve(() => ({}));
    const asking = (more: object) => codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client, more)));
    const typed = { tokenUrl: `${server.origin}/oauth/token` };
    for (const _ of [1, 2, 3]) expect(await asking(typed)).toBe("answered");
    const urls = () => server.asked.map(({ url }) => url);
    expect(urls()).toEqual(["/fhir/.well-known/smart-configuration", ...Array.from({ length: 3 }, () => "/oauth/token")]);
    for (const _ of [1, 2]) expect(await asking({})).toBe("ehr_auth");
    expect(urls().slice(4)).toEqual(["/fhir/metadata"]);
    const later = { ...contextFor(), clock: () => new Date(Date.now() + 360_000) };
    expect(await codeOf(requestAccessToken(later, registrationAt(server.baseUrl, client)))).toBe("ehr_auth");
    expect(urls().slice(5)).toEqual(["/fhir/.well-known/smart-configuration", "/fhir/metadata"]);
  });
});

describe("client authentication", () => {
  it("uses an assertion for that endpoint, which lives at most five minutes and is single-use", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin) }));
    await requestAccessToken(contextFor(), registrationAt(server.baseUrl, client));
    await requestAccessToken(contextFor(), registrationAt(server.baseUrl, client));
    const assertions = tokenCalls(server).map(({ body }) => new URLSearchParams(body).get("client_assertion") ?? "");
    const claims = assertions.map((assertion) => decodeJwt(assertion));
    expect(decodeProtectedHeader(assertions[0] ?? "")).toEqual({ alg: "RS384", kid: "demo-rs384", typ: "JWT" });
    expect(claims[0]).toMatchObject({ iss: client.clientId, sub: client.clientId, aud: `${server.origin}/oauth/token` });
    expect((claims[0]?.exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(300);
    expect(claims[0]?.jti).not.toBe(claims[1]?.jti);
    expect(Object.fromEntries(formOf(server))).toMatchObject({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
  });

  it.each([
    [["RS256"], "RS256"],
    [["ES384", "RS384", "RS256"], "RS384"],
    [undefined, "RS384"],
  ])("with the supported algorithms %j signs %s", async (offered, wanted) => {
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: offered }) }));
    await requestAccessToken(contextFor(), registrationAt(server.baseUrl, client));
    expect(decodeProtectedHeader(formOf(server).get("client_assertion") ?? "").alg).toBe(wanted);
  });

  it("fails when the server supports none of our algorithms", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: ["ES384"] }) }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client)))).toBe("ehr_auth");
    expect(tokenCalls(server)).toHaveLength(0);
  });

  it.each([
    [["ES384"], "ES384"],
    [["ES384", "RS256"], "ES384"],
    [["RS384", "ES384"], "RS384"],
    [undefined, "RS384"],
  ])("with keys of both kinds and the supported algorithms %j signs %s as JOSE defines it", async (offered, wanted) => {
    const [rsa, ec] = [generateKeyPairSync("rsa", { modulusLength: 2048 }), generateKeyPairSync("ec", { namedCurve: "P-384" })];
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: offered }) }));
    await requestAccessToken(contextFor(), {
      ...registrationAt(server.baseUrl, client),
      sign: async (algorithm, input) => signWithKey(rsa.privateKey, algorithm, input),
      signEc: async (algorithm, input) => signWithKey(ec.privateKey, algorithm, input),
    });
    const assertion = formOf(server).get("client_assertion") ?? "";
    const { publicKey } = wanted === "ES384" ? ec : rsa;
    const { protectedHeader } = await jwtVerify(assertion, publicKey, { algorithms: [wanted] });
    expect(protectedHeader).toEqual({ alg: wanted, kid: await calculateJwkThumbprint(await exportJWK(publicKey)), typ: "JWT" });
  });

  it("with an EC key only signs ES384 when the server lists no algorithms, and fails when it supports RSA only", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const signers = {
      sign: undefined,
      signEc: async (...[algorithm, input]: Parameters<NonNullable<ClientRegistration["signEc"]>>) =>
        signWithKey(privateKey, algorithm, input),
    };
    const open = await serve((origin) => ({ smart: smartAt(origin) }));
    await requestAccessToken(contextFor(), registrationAt(open.baseUrl, client, signers));
    expect(decodeProtectedHeader(formOf(open).get("client_assertion") ?? "").alg).toBe("ES384");
    const closed = await serve((origin) => ({
      smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: ["RS384", "RS256"] }),
    }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(closed.baseUrl, client, signers)))).toBe("ehr_auth");
  });

  it("accepts only strong keys", () => {
    const keys = [
      generateKeyPairSync("rsa", { modulusLength: 2048 }),
      generateKeyPairSync("ec", { namedCurve: "P-384" }),
      generateKeyPairSync("rsa", { modulusLength: 1024 }),
      generateKeyPairSync("ec", { namedCurve: "P-256" }),
      generateKeyPairSync("ed25519"),
    ];
    expect(keys.map(({ privateKey }) => keyAlgorithms(privateKey))).toEqual([["RS384", "RS256"], ["ES384"], [], [], []]);
  });

  it("sends a secret in the header or in the form, as the server supports it", async () => {
    const clientSecret = async () => "p+ss:w rd";
    const basic = await serve((origin) => ({
      smart: smartAt(origin, { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] }),
    }));
    await requestAccessToken(contextFor(), registrationAt(basic.baseUrl, client, { clientSecret }));
    const [call] = tokenCalls(basic);
    expect(Buffer.from(call?.headers.authorization?.replace("Basic ", "") ?? "", "base64").toString()).toBe(
      `${client.clientId}:p%2Bss%3Aw+rd`,
    );
    expect(call?.body).not.toContain("p%2Bss");
    const post = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_methods_supported: ["client_secret_post"] }) }));
    await requestAccessToken(contextFor(), registrationAt(post.baseUrl, client, { clientSecret }));
    expect(Object.fromEntries(formOf(post))).toMatchObject({ client_id: client.clientId, client_secret: "p+ss:w rd" });
  });

  it("never sends a secret to an origin that no administrator entered", async () => {
    const stranger = await serve(() => ({}));
    const server = await serve(() => ({ smart: smartAt(stranger.origin) }));
    const secret = { clientSecret: async () => "secret" };
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client, secret)))).toBe("ehr_auth");
    expect(stranger.asked).toHaveLength(0);
    expect(
      await codeOf(
        requestAccessToken(contextFor(), registrationAt(server.baseUrl, client, { ...secret, tokenUrl: `${stranger.origin}/oauth/token` })),
      ),
    ).toBe("answered");
  });
});

describe("a token request", () => {
  it("names the scopes of the registration, or the given ones, as system scopes", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin) }));
    const registration = registrationAt(server.baseUrl, client, { scopes: "patient/Patient.read system/Slot.read" });
    await requestAccessToken(contextFor(), registration);
    await requestAccessToken(contextFor(), registration, { scopes: "user/Patient.read" });
    expect(tokenCalls(server).map(({ body }) => new URLSearchParams(body).get("scope"))).toEqual([
      "system/Patient.read system/Slot.read",
      "system/Patient.read",
    ]);
  });

  it("names resource scopes only", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin) }));
    const ask = (scopes: string) => requestAccessToken(contextFor(), registrationAt(server.baseUrl, client, { scopes }));
    await ask("openid fhirUser launch/patient patient/Patient.read offline_access");
    await ask("openid");
    expect(tokenCalls(server).map(({ body }) => new URLSearchParams(body).get("scope"))).toEqual(["system/Patient.read", null]);
  });

  it("shares one discovery between concurrent callers", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin) }));
    await Promise.all(Array.from({ length: 20 }, () => requestAccessToken(contextFor(), registrationAt(server.baseUrl, client))));
    expect(server.asked.filter(({ url }) => url.includes("smart-configuration"))).toHaveLength(1);
  });
});

describe("a user's authorization", () => {
  const granted = { ...token, refresh_token: "r-1", scope: "user/Patient.read" };
  const grantOf = (server: OddServer) => Object.fromEntries(formOf(server));

  it("gets tokens for a code with its verifier, and then for a refresh token", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin), token: () => [200, granted] }));
    const registration = registrationAt(server.baseUrl, client);
    const got = await exchangeCode(contextFor(), registration, { code: "c-1", redirectUri: "https://app.example/cb", verifier: "v-1" });
    expect(got).toMatchObject({ accessToken: "a-token", refreshToken: "r-1", granted: "user/Patient.read" });
    expect(got.expiresAtMs).toBeGreaterThan(Date.now());
    expect(grantOf(server)).toMatchObject({
      grant_type: "authorization_code",
      code: "c-1",
      redirect_uri: "https://app.example/cb",
      code_verifier: "v-1",
      client_assertion: expect.any(String),
    });

    const later = await serve((origin) => ({ smart: smartAt(origin) }));
    const { refreshToken } = await refreshAccessToken(contextFor(), registrationAt(later.baseUrl, client), { refreshToken: "r-1" });
    expect(refreshToken).toBeUndefined();
    expect(grantOf(later)).toMatchObject({ grant_type: "refresh_token", refresh_token: "r-1", client_assertion: expect.any(String) });
  });

  it("sends a code or refresh token once, even when the response is lost", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin), token: () => [503, {}] }));
    const registration = registrationAt(server.baseUrl, client);
    expect(await codeOf(exchangeCode(contextFor(), registration, { code: "c", redirectUri: "https://a.example", verifier: "v" }))).toBe(
      "ehr_unavailable",
    );
    expect(await codeOf(refreshAccessToken(contextFor(), registration, { refreshToken: "r" }))).toBe("ehr_unavailable");
    expect(tokenCalls(server)).toHaveLength(2);
  });

  it("ends when the server refuses it, and a secret goes to no origin that was not entered", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin), token: () => [400, { error: "invalid_grant" }] }));
    expect(await codeOf(refreshAccessToken(contextFor(), registrationAt(server.baseUrl, client), { refreshToken: "r" }))).toBe("ehr_auth");
    const stranger = await serve(() => ({}));
    const elsewhere = await serve(() => ({ smart: smartAt(stranger.origin) }));
    const secret = registrationAt(elsewhere.baseUrl, client, { clientSecret: async () => "secret" });
    expect(await codeOf(refreshAccessToken(contextFor(), secret, { refreshToken: "r" }))).toBe("ehr_auth");
    expect(stranger.asked).toHaveLength(0);
  });
});

describe("a client without credentials", () => {
  it("gets no token, and its code and refresh token are not sent", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_methods_supported: ["private_key_jwt"] }) }));
    const registration = registrationAt(server.baseUrl, client, { sign: undefined, clientSecret: async () => "secret" });
    const code = { code: "c", redirectUri: "https://a.example", verifier: "v" };
    const asked = [
      requestAccessToken(contextFor(), registration),
      exchangeCode(contextFor(), registration, code),
      refreshAccessToken(contextFor(), registration, { refreshToken: "r" }),
    ];
    expect(await Promise.all(asked.map(codeOf))).toEqual(["ehr_auth", "ehr_auth", "ehr_auth"]);
    expect(tokenCalls(server)).toHaveLength(0);
  });
});

describe("a token endpoint in trouble", () => {
  it("is retried with a new assertion while it is overloaded", async () => {
    let calls = 0;
    const server = await serve((origin) => ({ smart: smartAt(origin), token: () => (calls++ === 0 ? [503, {}] : [200, token]) }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client)))).toBe("answered");
    const ids = tokenCalls(server).map(({ body }) => decodeJwt(new URLSearchParams(body).get("client_assertion") ?? "").jti);
    expect(new Set(ids).size).toBe(2);
  });

  it("is unavailable when it fails; any other response is a refusal", async () => {
    const failing = await serve((origin) => ({ smart: smartAt(origin), token: () => [500, {}] }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(failing.baseUrl, client)))).toBe("ehr_unavailable");
    for (const body of [{}, { access_token: "" }, { ...token, token_type: "mac" }, []]) {
      const strange = await serve((origin) => ({ smart: smartAt(origin), token: () => [200, body] }));
      expect(await codeOf(requestAccessToken(contextFor(), registrationAt(strange.baseUrl, client)))).toBe("ehr_auth");
    }
  });

  it("S04: a token that a header cannot contain is a refusal", async () => {
    for (const character of ["\r\n", "\u0000", "\u0001", "\u007f", "\u00e9", "\u20ac"]) {
      const answer = { ...token, access_token: `a${character}token` };
      const strange = await serve((origin) => ({ smart: smartAt(origin), token: () => [200, answer] }));
      expect(await codeOf(requestAccessToken(contextFor(), registrationAt(strange.baseUrl, client)))).toBe("ehr_auth");
    }
  });

  it("that is strict accepts our assertion and no other client's", async () => {
    const sandbox = await startSandboxEhr({ clients: [client] });
    openLoopback(sandbox.origin);
    const registration = registrationAt(sandbox.r4.baseUrl, client);
    expect(await codeOf(requestAccessToken(contextFor(), registration))).toBe("answered");
    expect(await codeOf(requestAccessToken(contextFor(), { ...registration, clientId: "stranger" }))).toBe("ehr_auth");
    await sandbox.close();
  });
});
