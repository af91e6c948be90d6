import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { secretValues } from "@vitaline/core";
import { createUser } from "@vitaline/users";
import { login } from "@vitaline/sessions";
import { createTenant, updateTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { handler } from "./handler.ts";

let it: TestAws;
let tokens: { root: string; clinic: string };
let ehr: { origin: string; close(): Promise<void> };
const password = "correct horse battery staple";

/** An EHR whose token endpoint accepts every code. */
const startEhr = async (): Promise<typeof ehr> => {
  const server = createServer((request, response) => {
    const answer = (body: object) => response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/token")
      return answer({ access_token: "a", token_type: "bearer", expires_in: 300, refresh_token: "planted-refresh" });
    return answer({ token_endpoint: `${origin}/token`, authorization_endpoint: `${origin}/authorize` });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()) };
};

beforeAll(async () => {
  [it, ehr] = [await startTestAws(), await startEhr()];
  process.env.EGRESS_LOOPBACK_ORIGINS = ehr.origin;
  const clinic = await createTenant(it.platform(), { name: "One", organizationType: "clinic", contactEmail: "x@y.example" });
  const common = { name: "One", organizationType: "clinic", contactEmail: "x@y.example" } as const;
  await updateTenant(it.platform(), clinic.id, { ...common, isActive: true, policies: { ownFhirProviders: true } });
  const name = { password, firstName: "A", lastName: "B" };
  await createUser(it.platform(), { role: "system_admin", email: "root@x.example", ...name });
  await createUser(it.platform(), { role: "tenant_admin", tenantId: clinic.id, email: "clinic@x.example", ...name });
  const tokenOf = async (email: string) => (await login(it.platform(), { email, password })).token;
  tokens = { root: await tokenOf("root@x.example"), clinic: await tokenOf("clinic@x.example") };
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await ehr.close();
  await it.close();
});

const ask = async (
  routeKey: string,
  { token, body, id, query = "", cookies }: { token?: string; body?: object; id?: string; query?: string; cookies?: string[] } = {},
) => {
  const [method = "", path = ""] = routeKey.split(" ");
  const answer = await handler(
    {
      routeKey,
      rawPath: path,
      rawQueryString: query,
      queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
      pathParameters: path.startsWith("/oauth") ? { vendor: id } : { id },
      cookies,
      headers: {
        "x-vitaline-edge": secretValues("edge")[0],
        "x-vitaline-host": "app.example.org",
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      body: body && JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { domainName: "abc.execute-api.us-east-1.amazonaws.com", http: { method, sourceIp: "192.0.2.1" } },
    },
    {
      ...{ awsRequestId: "req-1", functionName: "vitaline-fhir", getRemainingTimeInMillis: () => 10_000 },
      invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:vitaline-fhir",
    },
  );
  return { ...answer, json: answer.body === "" ? undefined : JSON.parse(answer.body) };
};
const form = () => ({
  ...{ name: "EHR", providerType: "epic", baseUrl: `${ehr.origin}/fhir`, clientId: "c", clientSecret: "s" },
  ...{ scopes: "user/Patient.read", grant: "authorization_code" },
});

test.each([
  ["root", "/api/admin/fhir/providers", "/admin"],
  ["clinic", "/api/tenant/fhir-providers", "/tenant"],
] as const)("%s is led to the EHR's page and back to the console, in one browser and once", async (who, list, home) => {
  const token = tokens[who];
  const made = await ask(`POST ${list}`, { token, body: form() });
  expect([made.statusCode, made.json.isAuthorized]).toEqual([201, false]);
  const begun = await ask(`POST ${list}/{id}/authorize`, { token, id: made.json.id });
  const cookie = begun.headers["set-cookie"] ?? "";
  expect([begun.statusCode, Object.keys(begun.json), begun.headers["cache-control"]]).toEqual([200, ["url"], "no-store"]);
  expect(cookie).toMatch(/^__Host-vitaline-ehr-[\w-]{8}=[\w-]{43}; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  const { origin, searchParams } = new URL(begun.json.url);
  expect([origin, searchParams.get("redirect_uri")]).toEqual([ehr.origin, "https://app.example.org/oauth/epic/callback"]);

  const back = { id: "epic", query: `code=c1&state=${searchParams.get("state")}&iss=anything` };
  const withCookie = { ...back, cookies: ["other=1", cookie.split(";")[0] ?? ""] };
  const foreign = await ask("GET /oauth/{vendor}/callback", back);
  expect([foreign.statusCode, foreign.headers["location"], foreign.headers["set-cookie"]]).toEqual([
    303,
    "/admin?tab=fhir&ehr=expired",
    undefined,
  ]);
  const led = await ask("GET /oauth/{vendor}/callback", withCookie);
  expect([led.statusCode, led.body, led.headers["location"]]).toEqual([
    303,
    "",
    `${home}?tab=fhir&ehr=connected&fhirProvider=${made.json.id}`,
  ]);
  expect(led.headers["set-cookie"]).toMatch(/^__Host-vitaline-ehr-[\w-]{8}=; Max-Age=0; /);
  expect((await ask("GET /oauth/{vendor}/callback", withCookie)).headers["location"]).toBe("/admin?tab=fhir&ehr=expired");

  const [listed] = (await ask(`GET ${list}`, { token })).json.filter(({ id }: { id: string }) => id === made.json.id);
  expect([listed.isAuthorized, JSON.stringify(listed).includes("planted-refresh")]).toEqual([true, false]);
});

test("two open authorizations in one browser do not affect each other", async () => {
  const list = "/api/admin/fhir/providers";
  const begin = async () => {
    const made = await ask(`POST ${list}`, { token: tokens.root, body: form() });
    const begun = await ask(`POST ${list}/{id}/authorize`, { token: tokens.root, id: made.json.id });
    const { searchParams } = new URL(begun.json.url);
    return { query: `code=c1&state=${searchParams.get("state")}`, cookie: begun.headers["set-cookie"]?.split(";")[0] ?? "" };
  };
  const ways = [await begin(), await begin()];
  // As in a browser: one value for each name
  const jar = new Map(ways.map(({ cookie }) => [cookie.split("=")[0], cookie]));
  for (const { query } of ways) {
    const led = await ask("GET /oauth/{vendor}/callback", { id: "epic", query, cookies: [...jar.values()] });
    expect(led.headers["location"]).toMatch(/^\/admin\?tab=fhir&ehr=connected&/);
  }
});

test("the callback never redirects to another site", async () => {
  for (const query of ["", "state=x&code=y", "error=access_denied&redirect_uri=https://evil.example", "state[]=1"])
    expect((await ask("GET /oauth/{vendor}/callback", { id: "epic", query })).headers["location"]).toBe("/admin?tab=fhir&ehr=expired");
  expect((await ask("GET /oauth/{vendor}/callback", { id: "evil.example" })).statusCode).toBe(404);
});
