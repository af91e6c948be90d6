import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "./session.fixture.ts";

const callback = "http://localhost:8080/oauth/epic/callback";
const secretClient = { clientId: "with-secret", secret: "a secret: with + and %", redirectUris: [callback] };
const narrowClient = { clientId: "narrow", secret: "s", scopes: "system/Patient.rs system/Slot.read" };

let session: Awaited<ReturnType<typeof openSession>>;
beforeAll(async () => void (session = await openSession({ clients: [secretClient, narrowClient, { clientId: "app", isPublic: true }] })));
afterAll(() => session.close());

const post = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await fetch(session.sandbox.r4.tokenUrl, { method: "POST", body: new URLSearchParams(form), headers });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};
const encoded = (text: string) => new URLSearchParams({ _: text }).toString().slice(2);
const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}`,
});
const asBackend = { grant_type: "client_credentials", scope: "system/Patient.rs" };

describe("a client with a secret", () => {
  it("sends it in the header or in the form, not in both", async () => {
    const inForm = { client_id: secretClient.clientId, client_secret: secretClient.secret };
    expect((await post(asBackend, basic(secretClient.clientId, secretClient.secret))).status).toBe(200);
    expect((await post({ ...asBackend, ...inForm })).status).toBe(200);
    expect((await post({ ...asBackend, ...inForm }, basic(secretClient.clientId, secretClient.secret))).body.error).toBe("invalid_request");
  });

  it("is refused with a wrong secret, and so is a client without one", async () => {
    expect(await post(asBackend, basic(secretClient.clientId, "guess"))).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(await post({ ...asBackend, client_id: "demo-client", client_secret: "" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
    expect((await post({ ...asBackend, client_id: "app" })).body.error).toBe("unauthorized_client");
  });

  it("is granted no more than it is registered for, and told so", async () => {
    const ask = async (scope: string) => (await post({ grant_type: "client_credentials", scope }, basic("narrow", "s"))).body;
    expect((await ask("system/Patient.rs system/Slot.rs system/Coverage.rs")).scope).toBe("system/Patient.rs system/Slot.rs");
    expect((await ask("system/Patient.crus")).error).toBe("invalid_scope");
  });
});

it("a token of one personality is not valid at another", async () => {
  const { body } = await post(asBackend, basic(secretClient.clientId, secretClient.secret));
  const read = async (baseUrl: string) =>
    (await fetch(`${baseUrl}/Patient/patient-1001`, { headers: { Authorization: `Bearer ${body.access_token}` } })).status;
  const { servers, stu3 } = session.sandbox;
  expect([await read(stu3.baseUrl), await read(servers.readonly.R4.baseUrl)]).toEqual([200, 401]);
});

it("takes an EC key's ES384 where it is named", async () => {
  const { tokenUrl } = session.sandbox.r4;
  const client_assertion = await session.client.assertion(tokenUrl, {}, { alg: "ES384", kid: "demo-es384" });
  expect((await session.askToken({ client_assertion })).status).toBe(200);
});

describe("a sign-in", () => {
  const verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = {
    response_type: "code",
    client_id: secretClient.clientId,
    redirect_uri: callback,
    scope: "openid offline_access user/Patient.read",
    state: "xyz",
    code_challenge,
    code_challenge_method: "S256",
  };
  const signIn = async (change: Record<string, string> = {}) => {
    const url = `${session.sandbox.r4.authUrl}?${new URLSearchParams({ ...asked, ...change })}`;
    const response = await fetch(url, { redirect: "manual" });
    const location = response.headers.get("location");
    return { status: response.status, back: location ? Object.fromEntries(new URL(location).searchParams) : undefined };
  };
  const redeem = (code: string, change: Record<string, string> = {}) =>
    post(
      { grant_type: "authorization_code", code, redirect_uri: callback, code_verifier: verifier, ...change },
      basic(secretClient.clientId, secretClient.secret),
    );
  const refresh = (refresh_token: string) =>
    post({ grant_type: "refresh_token", refresh_token }, basic(secretClient.clientId, secretClient.secret));

  it("redirects with a single-use code for tokens that are renewed once each", async () => {
    const { status, back } = await signIn();
    expect([status, back?.state]).toEqual([302, "xyz"]);
    const { body } = await redeem(back!.code!);
    expect(body).toMatchObject({ token_type: "bearer", scope: asked.scope });
    const read = await fetch(`${session.sandbox.r4.baseUrl}/Patient/patient-1001`, {
      headers: { Authorization: `Bearer ${body.access_token}` },
    });
    expect(read.status).toBe(200);
    expect((await redeem(back!.code!)).body.error).toBe("invalid_grant");
    const { body: renewed } = await refresh(body.refresh_token!);
    expect(renewed.access_token).not.toBe(body.access_token);
    expect((await refresh(body.refresh_token!)).body.error).toBe("invalid_grant");
    expect((await refresh(renewed.refresh_token!)).status).toBe(200);
  });

  it("refuses another verifier, another address and another client", async () => {
    expect((await redeem((await signIn()).back!.code!, { code_verifier: "guess" })).body.error).toBe("invalid_grant");
    expect((await redeem((await signIn()).back!.code!, { redirect_uri: "http://localhost/other" })).body.error).toBe("invalid_grant");
    const { back } = await signIn();
    const stolen = { grant_type: "authorization_code", code: back!.code!, redirect_uri: callback, code_verifier: verifier };
    expect((await post(stolen, basic("narrow", "s"))).body.error).toBe("invalid_grant");
  });

  it("shows an error to an unknown client and redirects with an error for an unsupported request", async () => {
    expect((await signIn({ redirect_uri: "https://elsewhere.example/" })).status).toBe(400);
    expect((await signIn({ client_id: "stranger" })).status).toBe(400);
    expect((await signIn({ client_id: "app", redirect_uri: "https://elsewhere.example/" })).status).toBe(400);
    expect((await signIn({ code_challenge_method: "plain" })).back).toEqual({ error: "invalid_request", state: "xyz" });
    expect((await signIn({ scope: "everything" })).back?.error).toBe("invalid_scope");
  });

  it("accepts a public client by its verifier alone", async () => {
    const { back } = await signIn({ client_id: "app" });
    const form = { grant_type: "authorization_code", code: back!.code!, redirect_uri: callback, code_verifier: verifier, client_id: "app" };
    expect((await post(form)).status).toBe(200);
  });
});
