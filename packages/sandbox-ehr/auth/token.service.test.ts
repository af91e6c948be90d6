import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "./session.fixture.ts";
import { startSandboxEhr } from "../start.ts";

describe("the token endpoint", () => {
  let session: Awaited<ReturnType<typeof openSession>>;
  let clock = Date.now();
  beforeAll(async () => void (session = await openSession({ now: () => new Date(clock) })));
  afterAll(() => session.close());

  const withAssertion = async (claims: object, header?: object) =>
    session.askToken({ client_assertion: await session.client.assertion(session.sandbox.r4.tokenUrl, claims, header) });
  const now = () => Math.floor(Date.now() / 1000);

  it("grants a token for a valid assertion with its scopes", async () => {
    const { status, body } = await session.askToken({ scope: "system/Patient.rs" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: "bearer", expires_in: 300, scope: "system/Patient.rs" });
  });

  it.each([
    ["an expired one", { exp: now() - 60 }],
    ["one that lives longer than five minutes", { exp: now() + 600 }],
    ["one issued in the future", { iat: now() + 120 }],
    ["one for another audience", { aud: "https://elsewhere.example/token" }],
    ["one without jti", { jti: undefined }],
    ["one whose sub is not its iss", { sub: "another-client" }],
    ["one of an unknown client", { iss: "stranger", sub: "stranger" }],
  ])("refuses %s", async (_, claims) => {
    expect(await withAssertion(claims)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it.each([
    ["no typ", { typ: undefined }],
    ["no kid", { kid: undefined }],
    ["an unknown kid", { kid: "other" }],
    ["a kid published for another algorithm", { kid: "demo-rs256" }],
    ["no signature algorithm", { alg: "none" }],
    ["a symmetric algorithm", { alg: "HS256" }],
  ])("refuses a header with %s", async (_, header) => {
    expect(await withAssertion({}, header)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it("refuses an assertion that was used before", async () => {
    const client_assertion = await session.client.assertion(session.sandbox.r4.tokenUrl);
    expect((await session.askToken({ client_assertion })).status).toBe(200);
    expect(await session.askToken({ client_assertion })).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it("refuses a changed signature", async () => {
    const assertion = await session.client.assertion(session.sandbox.r4.tokenUrl);
    const [header, , signature] = assertion.split(".");
    const [, payload] = (await session.client.assertion(session.sandbox.r4.tokenUrl)).split(".");
    expect((await session.askToken({ client_assertion: `${header}.${payload}.${signature}` })).body.error).toBe("invalid_client");
    expect((await session.askToken({ client_assertion: "not a token" })).body.error).toBe("invalid_client");
  });

  it("refuses other grants, other scopes and other ways to authenticate", async () => {
    expect((await session.askToken({ grant_type: "password" })).body.error).toBe("unsupported_grant_type");
    expect((await session.askToken({ scope: "patient/*.read" })).body.error).toBe("invalid_scope");
    expect((await session.askToken({ scope: "" })).body.error).toBe("invalid_scope");
    expect((await session.askToken({ client_assertion_type: "secret" })).body.error).toBe("invalid_client");
  });

  it("reloads the key set for an unknown key", async () => {
    const rotating = await openSession();
    await rotating.askToken();
    const { keys } = (await (await fetch(rotating.client.jwksUrl)).json()) as { keys: object[] };
    rotating.client.publish([{ ...keys[1], kid: "new" }]);
    const assertion = await rotating.client.assertion(rotating.sandbox.r4.tokenUrl, {}, { kid: "new" });
    expect((await rotating.askToken({ client_assertion: assertion })).status).toBe(200);
    await rotating.close();
  });

  it("answers 401 without a token and after its five minutes, and 403 outside its scopes", async () => {
    const { body } = await session.askToken({ scope: "system/Slot.rs" });
    const get = async (path: string, token: string) =>
      (await fetch(session.sandbox.r4.baseUrl + path, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await get("/Slot?_count=1", body.access_token!)).toBe(200);
    expect(await get("/Patient/patient-1001", body.access_token!)).toBe(403);
    expect(await get("/Slot?_count=1", "guess")).toBe(401);
    clock += 301_000;
    expect(await get("/Slot?_count=1", body.access_token!)).toBe(401);
    clock -= 301_000;
  });
});

it("with open reads, requests without a token may only read; a wrong token is refused", async () => {
  const open = await startSandboxEhr({ openReads: true });
  try {
    const patient = `${open.r4.baseUrl}/Patient/${open.patients[0]?.id}`;
    expect((await fetch(patient)).status).toBe(200);
    expect((await fetch(`${open.r4.baseUrl}/Patient?_count=1`)).status).toBe(200);
    expect((await fetch(patient, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    expect(
      (await fetch(`${open.r4.baseUrl}/Patient`, { method: "POST", body: "{}", headers: { "content-type": "application/fhir+json" } }))
        .status,
    ).toBe(401);
  } finally {
    await open.close();
  }
});
