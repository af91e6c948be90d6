import { decodeJwt, decodeProtectedHeader } from "jose";
import { startDemoClient, startSandboxEhr, type DemoClient } from "@vitaline/sandbox-ehr";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { codeOf, contextFor, json, openLoopback, registrationAt, startOddServer, type Asked, type OddServer } from "./fhir.fixture.ts";
import { requestAccessToken } from "./index.ts";

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

/** An EHR whose discovery says what a test wants; the token endpoint is /oauth/token. */
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

describe("where the token endpoint is", () => {
  it("says the SMART configuration, else the CapabilityStatement, else the administrator", async () => {
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

  it("is asked for once an hour, and again after a refusal", async () => {
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
});

describe("how we show who we are", () => {
  it("by an assertion for that endpoint, which lives five minutes at most and counts once", async () => {
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
  ])("of the algorithms %j by %s", async (offered, wanted) => {
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: offered }) }));
    await requestAccessToken(contextFor(), registrationAt(server.baseUrl, client));
    expect(decodeProtectedHeader(formOf(server).get("client_assertion") ?? "").alg).toBe(wanted);
  });

  it("not at all when the server takes none of our algorithms", async () => {
    const server = await serve((origin) => ({ smart: smartAt(origin, { token_endpoint_auth_signing_alg_values_supported: ["ES384"] }) }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client)))).toBe("ehr_auth");
    expect(tokenCalls(server)).toHaveLength(0);
  });

  it("by a secret in the header or in the form, as the server takes it", async () => {
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

  it("never by sending a secret to a place that no administrator has named", async () => {
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

describe("a token endpoint in trouble", () => {
  it("is asked again with a new assertion while it is overloaded", async () => {
    let calls = 0;
    const server = await serve((origin) => ({ smart: smartAt(origin), token: () => (calls++ === 0 ? [503, {}] : [200, token]) }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(server.baseUrl, client)))).toBe("answered");
    const ids = tokenCalls(server).map(({ body }) => decodeJwt(new URLSearchParams(body).get("client_assertion") ?? "").jti);
    expect(new Set(ids).size).toBe(2);
  });

  it("is unavailable when it fails, and does not take us when it answers something else", async () => {
    const failing = await serve((origin) => ({ smart: smartAt(origin), token: () => [500, {}] }));
    expect(await codeOf(requestAccessToken(contextFor(), registrationAt(failing.baseUrl, client)))).toBe("ehr_unavailable");
    for (const body of [{}, { access_token: "" }, { ...token, token_type: "mac" }, []]) {
      const strange = await serve((origin) => ({ smart: smartAt(origin), token: () => [200, body] }));
      expect(await codeOf(requestAccessToken(contextFor(), registrationAt(strange.baseUrl, client)))).toBe("ehr_auth");
    }
  });

  it("that is strict takes our assertion and nobody else's", async () => {
    const sandbox = await startSandboxEhr({ clients: [client] });
    openLoopback(sandbox.origin);
    const registration = registrationAt(sandbox.r4.baseUrl, client);
    expect(await codeOf(requestAccessToken(contextFor(), registration))).toBe("answered");
    expect(await codeOf(requestAccessToken(contextFor(), { ...registration, clientId: "stranger" }))).toBe("ehr_auth");
    await sandbox.close();
  });
});
