import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { OutboundError } from "@vitaline/outbound";
import { type DemoClient, type SandboxEhr, startDemoClient, startSandboxEhr } from "@vitaline/sandbox-ehr";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { selfSigned, type TestCertificate } from "../../../test/kit/certificate.ts";
import { type Asked, contextFor, json, openLoopback, registrationAt, startOddServer } from "../fhir.fixture.ts";
import { ehrError } from "../http/errors.ts";
import { networkFault } from "./connection-fault.ts";
import { type ConnectionTest, runConnectionTest, type TestedClient } from "./connection-test.ts";

let client: DemoClient;
let sandbox: SandboxEhr;
beforeAll(async () => {
  client = await startDemoClient("vitaline-demo");
  sandbox = await startSandboxEhr({ jwksUrl: client.jwksUrl });
  openLoopback(sandbox.origin);
});
const closing: (() => Promise<void>)[] = [];
afterEach(() => fetch(`${sandbox.origin}/faults`, { method: "DELETE" }));
afterAll(async () => {
  await Promise.all([sandbox.close(), client.close(), ...closing.map((close) => close())]);
});

const at = (baseUrl: string, more: Partial<TestedClient> = {}) => ({
  ...registrationAt(baseUrl, client, more),
  fhirVersion: "R4" as const,
  ...more,
});
/** "token: invalid_client" for the step that failed, "well" when none did. */
const outcome = ({ steps }: ConnectionTest): string => {
  const failed = steps.find(({ ok }) => !ok);
  return failed ? `${failed.step}: ${failed.code}` : "well";
};
const fault = (body: object) => fetch(`${sandbox.origin}/faults`, { method: "POST", body: JSON.stringify(body) });
const patientId = () => sandbox.patients[0]?.id ?? "";

const statement = { resourceType: "CapabilityStatement", fhirVersion: "4.0.1", rest: [{ mode: "server" }] };
type Odd = Record<string, { status?: number; body: unknown; type?: string; headers?: Record<string, string> }>;
/** A server that answers by path below /fhir, and 404 elsewhere. */
const serve = async (answers: Odd | ((origin: string) => Odd), seen: Asked[] = []) => {
  const server = await startOddServer((asked, response, origin) => {
    seen.push(asked);
    const found = (typeof answers === "function" ? answers(origin) : answers)[asked.url];
    if (!found) return json(response, 404, { resourceType: "OperationOutcome", issue: [] });
    json(response, found.status ?? 200, found.body, { ...found.headers, ...(found.type && { "Content-Type": found.type }) });
  });
  closing.push(server.close);
  return server;
};
const smart = (origin: string, more: object = {}) => ({ body: { token_endpoint: `${origin}/token`, ...more } });
const sound = (origin: string): Odd => ({
  "/fhir/.well-known/smart-configuration": smart(origin),
  "/fhir/metadata": { body: statement },
  "/token": { body: { access_token: "t", token_type: "bearer", expires_in: 300 } },
  "/fhir/Patient/7": { body: { resourceType: "Patient", id: "7", name: [{ family: "Alderwick" }] } },
});

describe("a connection", () => {
  it("that works is walked step by step to the patient, who is the one that was asked for", async () => {
    const trial = await runConnectionTest(contextFor(), at(sandbox.r4.baseUrl), patientId());
    expect(trial.steps.map(({ step, ok }) => [step, ok])).toEqual(
      ["address", "discovery", "token", "capability", "patient"].map((step) => [step, true]),
    );
    expect(trial.capability).toMatchObject({ fhirVersion: "4.0.1", software: expect.stringContaining("sandbox") });
    expect(trial.patient).toMatchObject({ resourceType: "Patient", id: patientId() });
  });

  it("is tried without a patient when none is named, and every time anew", async () => {
    const seen: Asked[] = [];
    const server = await serve(sound, seen);
    for (let round = 0; round < 2; round++) expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl)))).toBe("well");
    expect(seen.map(({ url }) => url)).toEqual([1, 2].flatMap(() => ["/fhir/.well-known/smart-configuration", "/fhir/metadata", "/token"]));
  });

  it("with launch scopes asks for them in the name of the system", async () => {
    expect(
      outcome(await runConnectionTest(contextFor(), at(sandbox.r4.baseUrl, { scopes: "patient/*.read user/*.read" }), patientId())),
    ).toBe("well");
  });

  it("whose server shows its statement only to those it knows is checked after the token", async () => {
    const server = await startOddServer((asked, response, origin) => {
      const closed = asked.url === "/fhir/metadata" && asked.headers.authorization === undefined;
      const found = sound(origin)[asked.url];
      json(response, closed ? 401 : found ? 200 : 404, closed ? {} : found?.body);
    });
    closing.push(server.close);
    const { steps } = await runConnectionTest(contextFor(), at(server.baseUrl), "7");
    expect(steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual([
      "address true",
      "discovery true",
      "token true",
      "capability true",
      "patient true",
    ]);
  });

  it("works by the saved token address alone, where the server names none", async () => {
    const server = await serve((origin) => ({ ...sound(origin), "/fhir/.well-known/smart-configuration": { status: 404, body: {} } }));
    expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl, { tokenUrl: `${server.origin}/token` }), "7"))).toBe("well");
  });

  it("whose server names another token address than was typed goes on with the typed one, with a warning", async () => {
    const seen: Asked[] = [];
    const server = await serve((origin) => ({ ...sound(origin), "/fhir/.well-known/smart-configuration": smart(`${origin}/moved`) }), seen);
    const { steps } = await runConnectionTest(contextFor(), at(server.baseUrl, { tokenUrl: `${server.origin}/token` }), "7");
    expect(steps.map(({ step, ok, code }) => [step, ok, code])).toEqual([
      ["address", true, undefined],
      ["discovery", true, "token_differs"],
      ["token", true, undefined],
      ["capability", true, undefined],
      ["patient", true, undefined],
    ]);
    expect(seen.some(({ url }) => url === "/moved/token")).toBe(false);
    const same = await serve(sound);
    const typed = same.origin.replace("http:", "HTTP:");
    const quiet = await runConnectionTest(contextFor(), at(same.baseUrl, { tokenUrl: `${typed}/token` }), "7");
    expect(quiet.steps.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it("with fewer scopes than were asked for goes on, with a warning", async () => {
    const server = await serve((origin) => ({
      ...sound(origin),
      "/token": { body: { access_token: "t", token_type: "Bearer", scope: "system/Patient.rs" } },
    }));
    const { steps } = await runConnectionTest(contextFor(), at(server.baseUrl), "7");
    expect(steps.map(({ step, ok, code }) => [step, ok, code]).slice(-3)).toEqual([
      ["token", true, "scope_reduced"],
      ["capability", true, undefined],
      ["patient", true, undefined],
    ]);
  });

  it.each([
    ["STU3", { resourceType: "CapabilityStatement", fhirVersion: "3.0.2" }],
    ["DSTU2", { resourceType: "Conformance", fhirVersion: "1.0.2" }],
  ] as const)("of FHIR %s is walked as one of R4 is, and its patient comes as R4", async (fhirVersion, stated) => {
    const family = fhirVersion === "DSTU2" ? ["Alderwick"] : "Alderwick";
    const server = await serve((origin) => ({
      ...sound(origin),
      "/fhir/metadata": { body: { ...stated, rest: [{ mode: "server" }] } },
      "/fhir/Patient/7": { body: { resourceType: "Patient", id: "7", name: [{ family }] } },
    }));
    const trial = await runConnectionTest(contextFor(), at(server.baseUrl, { fhirVersion }), "7");
    expect([outcome(trial), trial.patient?.name?.[0]?.family]).toEqual(["well", "Alderwick"]);
    for (const other of (["R4", "STU3", "DSTU2"] as const).filter((one) => one !== fhirVersion))
      expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl, { fhirVersion: other }), "7"))).toBe(
        "capability: wrong_fhir_version",
      );
  });

  it("signs with an EC key where that is what it has", async () => {
    const { sign: _, ...noRsa } = at(sandbox.r4.baseUrl);
    const signEc: TestedClient["signEc"] = async (algorithm, input) => {
      const text = input(client.keyFor(algorithm).kid);
      return { input: text, signature: (await client.sign(algorithm, text)).signature };
    };
    expect(outcome(await runConnectionTest(contextFor(), { ...noRsa, signEc }, patientId()))).toBe("well");
  });

  it("that somebody has been let in at uses their token, and says so when there is none any more", async () => {
    const seen: Asked[] = [];
    const server = await serve(sound, seen);
    expect(
      outcome(await runConnectionTest(contextFor(), at(server.baseUrl, { userToken: async () => ({ accessToken: "theirs" }) }), "7")),
    ).toBe("well");
    expect(seen.some(({ url }) => url === "/token")).toBe(false);
    expect(seen.at(-1)?.headers.authorization).toBe("Bearer theirs");
    const less = at(server.baseUrl, { userToken: async () => ({ accessToken: "theirs", granted: "user/Patient.read" }) });
    expect((await runConnectionTest(contextFor(), less, "7")).steps.find(({ step }) => step === "token")?.code).toBe("scope_reduced");
    const ended = at(server.baseUrl, { userToken: () => Promise.reject(ehrError("ehr_auth")) });
    expect(outcome(await runConnectionTest(contextFor(), ended, "7"))).toBe("token: authorization_ended");
    const away = at(server.baseUrl, { userToken: () => Promise.reject(ehrError("ehr_unavailable")) });
    expect(outcome(await runConnectionTest(contextFor(), away, "7"))).toBe("token: unavailable");
  });
});

describe("what is wrong is told apart:", () => {
  const page = { status: 200, body: "<!DOCTYPE html><p>Sign in</p>", type: "text/html" };
  const outcomeSaying = (diagnostics: string) => ({
    resourceType: "OperationOutcome",
    issue: [{ severity: "error", code: "forbidden", diagnostics }],
  });
  const cases: [string, string, (origin: string) => Odd, Partial<TestedClient>?][] = [
    ["a web page everywhere", "discovery: html", () => ({ "/fhir/.well-known/smart-configuration": page, "/fhir/metadata": page })],
    ["nothing at the base", "discovery: not_fhir", () => ({})],
    ["JSON that is not FHIR", "discovery: not_fhir", () => ({ "/fhir/metadata": { body: { hello: "there" } } })],
    ["no token address", "discovery: discovery_missing", () => ({ "/fhir/metadata": { body: statement } })],
    ["a failing server", "discovery: unavailable", () => ({ "/fhir/.well-known/smart-configuration": { status: 500, body: {} } })],
    [
      "a redirect",
      "address: redirect",
      () => ({ "/fhir/.well-known/smart-configuration": { status: 302, body: {}, headers: { Location: "https://elsewhere.example/" } } }),
    ],
    [
      "STU3",
      "capability: wrong_fhir_version",
      (origin) => ({ ...sound(origin), "/fhir/metadata": { body: { ...statement, fhirVersion: "3.0.2" } } }),
    ],
    [
      "DSTU2",
      "capability: wrong_fhir_version",
      (origin) => ({ ...sound(origin), "/fhir/metadata": { body: { resourceType: "Conformance", fhirVersion: "1.0.2" } } }),
    ],
    ["a page for a statement", "capability: html", (origin) => ({ ...sound(origin), "/fhir/metadata": page })],
    [
      "no signature that we make",
      "token: wrong_algorithm",
      (origin) => ({
        ...sound(origin),
        "/fhir/.well-known/smart-configuration": smart(origin, { token_endpoint_auth_signing_alg_values_supported: ["ES384"] }),
      }),
    ],
    [
      "no client secret",
      "token: secret_not_taken",
      (origin) => ({
        ...sound(origin),
        "/fhir/.well-known/smart-configuration": smart(origin, { token_endpoint_auth_methods_supported: ["private_key_jwt"] }),
      }),
      { sign: undefined, clientSecret: async () => "s" },
    ],
    [
      "a tenant that is not there",
      "discovery: tenant_refused",
      () => ({ "/fhir/metadata": { status: 403, body: outcomeSaying("Tenant not valid or accessible") } }),
    ],
    ["a tenant's path that is not there", "discovery: tenant_refused", () => ({}), { hasTenantPath: true }],
    [
      "a tenant that the token endpoint does not know",
      "token: tenant_refused",
      (origin) => ({ ...sound(origin), "/token": { status: 404, body: {} } }),
      { hasTenantPath: true },
    ],
    [
      "an unknown client",
      "token: invalid_client",
      (origin) => ({ ...sound(origin), "/token": { status: 401, body: { error: "invalid_client" } } }),
    ],
    [
      "refused scopes",
      "token: invalid_scope",
      (origin) => ({ ...sound(origin), "/token": { status: 400, body: { error: "invalid_scope" } } }),
    ],
    ["another refusal", "token: token_refused", (origin) => ({ ...sound(origin), "/token": { status: 400, body: { error: "strange" } } })],
    ["a page for a token", "token: html", (origin) => ({ ...sound(origin), "/token": page })],
    [
      "a token that does not count",
      "patient: token_rejected",
      (origin) => ({ ...sound(origin), "/fhir/Patient/7": { status: 401, body: {} } }),
    ],
    ["a patient out of reach", "patient: forbidden", (origin) => ({ ...sound(origin), "/fhir/Patient/7": { status: 403, body: {} } })],
    ["no such patient", "patient: patient_not_found", (origin) => ({ ...sound(origin), "/fhir/Patient/7": { status: 404, body: {} } })],
    [
      "something else for a patient",
      "patient: not_fhir",
      (origin) => ({ ...sound(origin), "/fhir/Patient/7": { body: { resourceType: "Group" } } }),
    ],
  ];
  it.each(cases)("%s", async (_, expected, answers, more = {}) => {
    const server = await serve(answers);
    expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl, more), "7"))).toBe(expected);
  });

  /** As real servers put it, and ours. */
  it.each([
    ["The key set must hold exactly one key with this kid", "key_not_found"],
    ["Unable to find a matching key for kid", "key_not_found"],
    ["The client's key set could not be read", "key_not_found"],
    ["No public key found for RS384", "key_not_found"],
    ["JWKS could not be retrieved", "key_not_found"],
    ["The assertion has expired", "clock_skew"],
    ["iat and nbf must not be in the future", "clock_skew"],
    ["exp may be five minutes ahead at most", "clock_skew"],
    ["JWT is not yet valid", "clock_skew"],
    ["The header needs a kid and one of RS384, ES384", "wrong_algorithm"],
    ["Unsupported signing algorithm for this key", "wrong_algorithm"],
    ["The key is published for another algorithm", "wrong_algorithm"],
    ["Tenant is not known here", "tenant_refused"],
    ["The signature does not match the key", "invalid_client"],
    ["The client is not registered", "invalid_client"],
    ["", "invalid_client"],
  ])("%j of a token endpoint that takes no such client: %s", async (error_description, expected) => {
    for (const [status, error] of [
      [401, "invalid_client"],
      [400, "invalid_client"],
    ] as const) {
      const server = await serve((origin) => ({ ...sound(origin), "/token": { status, body: { error, error_description } } }));
      const trial = await runConnectionTest(contextFor(), at(server.baseUrl), "7");
      expect([outcome(trial), JSON.stringify(trial).includes(error_description || "?")]).toEqual([`token: ${expected}`, false]);
    }
  });

  it("a bad assertion that is called a bad request, and a bad request that is none", async () => {
    const told = async (error_description: string) => {
      const body = { error: "invalid_request", error_description };
      const server = await serve((origin) => ({ ...sound(origin), "/token": { status: 400, body } }));
      return outcome(await runConnectionTest(contextFor(), at(server.baseUrl), "7"));
    };
    expect(await told("Invalid client assertion signature")).toBe("token: invalid_client");
    expect(await told("Client assertion expired")).toBe("token: clock_skew");
    expect(await told("Something is missing")).toBe("token: token_refused");
  });

  it("words about a client that shows a secret are not about keys and clocks", async () => {
    const body = { error: "invalid_client", error_description: "The secret has expired" };
    const server = await serve((origin) => ({ ...sound(origin), "/token": { status: 401, body } }));
    expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl, { clientSecret: async () => "s" }), "7"))).toBe(
      "token: invalid_client",
    );
  });

  it("a clock that is far from ours, by the time that the server's answer bears", async () => {
    for (const [apartMs, expected] of [
      [-600_000, "clock_skew"],
      [600_000, "clock_skew"],
      [5000, "invalid_client"],
    ] as const) {
      const headers = { Date: new Date(Date.now() + apartMs).toUTCString() };
      const server = await serve((origin) => ({ ...sound(origin), "/token": { status: 401, body: { error: "invalid_client" }, headers } }));
      expect(outcome(await runConnectionTest(contextFor(), at(server.baseUrl), "7"))).toBe(`token: ${expected}`);
    }
  });

  it("a secret that would go to a host that nobody entered", async () => {
    const stranger = await serve({});
    const server = await serve((origin) => ({ ...sound(origin), "/fhir/.well-known/smart-configuration": smart(stranger.origin) }));
    const trial = await runConnectionTest(contextFor(), at(server.baseUrl, { clientSecret: async () => "s" }), "7");
    expect([outcome(trial), stranger.asked.length]).toEqual(["token: token_elsewhere", 0]);
  });

  it.each([
    ["a private address", "https://10.0.0.1/fhir", "address: address_refused"],
    ["plain http", "http://ehr.example/fhir", "address: address_refused"],
    ["a name that nobody has", "https://ehr.invalid/fhir", "address: dns"],
  ])("%s", async (_, baseUrl, expected) => {
    expect(outcome(await runConnectionTest(contextFor(), at(baseUrl), "7"))).toBe(expected);
  });

  it.each([
    ["down", "address: unreachable"],
    ["hang", "address: timeout"],
    ["html", "discovery: html"],
    ["503", "discovery: unavailable"],
  ])("a server that is %s", async (kind, expected) => {
    await fault({ kind });
    expect(outcome(await runConnectionTest(contextFor(), at(sandbox.r4.baseUrl), patientId()))).toBe(expected);
  });
});

describe("a TLS certificate", () => {
  const listen = async ({ certificate, privateKey }: TestCertificate) => {
    const server = createServer({ cert: certificate, key: privateKey }, (_, response) => response.writeHead(404).end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    closing.push(() => new Promise((done) => void server.close(() => done()).closeAllConnections()));
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    openLoopback(origin);
    return `${origin}/fhir`;
  };
  const trusted = (one: TestCertificate): TestCertificate => {
    setDefaultCACertificates([...getCACertificates("default"), one.certificate]);
    return one;
  };
  const tried = async (one: TestCertificate) => runConnectionTest(contextFor(), at(await listen(one)));

  test("that nobody vouches for, has expired, or is for another host, is told apart", async () => {
    expect(outcome(await tried(selfSigned("localhost")))).toBe("address: tls_untrusted");
    expect(outcome(await tried(trusted(selfSigned("localhost", { notAfter: new Date(Date.now() - 1000) }))))).toBe("address: tls_expired");
    expect(outcome(await tried(trusted(selfSigned("elsewhere.example"))))).toBe("address: tls_wrong_host");
    const ahead = selfSigned("localhost", { notAfter: new Date(Date.now() + 400 * 86_400_000) });
    expect(outcome(await tried(trusted(ahead)))).toBe("address: tls_not_yet_valid");
  });

  test.each([
    ["CERT_REVOKED", "tls_untrusted"],
    ["CERT_SIGNATURE_FAILURE", "tls_untrusted"],
    ["CERT_CHAIN_TOO_LONG", "tls_untrusted"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls_untrusted"],
    ["CERT_HAS_EXPIRED", "tls_expired"],
    ["ECONNRESET", "unreachable"],
  ])("that fails by %s is %s", (code, fault) => {
    const cause = Object.assign(new Error("not shown"), { code });
    expect(networkFault(new OutboundError("outbound_unreachable", { cause }))).toBe(fault);
  });

  test("that is good says when it ends", async () => {
    const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
    const trial = await tried(trusted(selfSigned("localhost", { notAfter })));
    expect([outcome(trial), trial.certificateExpiry]).toEqual(["discovery: not_fhir", notAfter.toISOString()]);
  });
});
