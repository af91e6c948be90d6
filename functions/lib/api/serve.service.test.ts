import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { Problem, routes } from "@vitaline/contract";
import { AppError, secretValues } from "@vitaline/core";
import { login } from "@vitaline/sessions";
import { createTenant } from "@vitaline/tenants";
import { createUser } from "@vitaline/users";
import type { HttpAnswer, HttpEvent } from "../http/request.ts";
import { apiKeyAuth } from "../auth/api-key.ts";
import { sessionAuth } from "../auth/session.ts";
import { answerWith } from "../http/response.ts";
import { serve } from "./serve.ts";

const Name = z.strictObject({ name: z.string().check(z.minLength(1, "A name is required")) });
const table = routes({
  open: { method: "GET", path: "/open", auth: "public", summary: "", response: z.object({ shown: z.string() }) },
  mine: { method: "GET", path: "/mine", auth: "user", summary: "", response: z.object({ id: z.string() }) },
  root: { method: "GET", path: "/root", auth: "system_admin", summary: "", response: z.object({ id: z.string() }) },
  clinic: {
    method: "GET",
    path: "/clinic",
    auth: "tenant_admin",
    summary: "",
    noStore: true,
    response: z.object({ tenantId: z.string() }),
  },
  call: {
    method: "POST",
    path: "/call",
    auth: "key",
    summary: "",
    status: 201,
    body: Name,
    maxBodyBytes: 2048,
    response: z.object({ tenantId: z.string(), address: z.string() }),
  },
  page: {
    method: "GET",
    path: "/page",
    auth: "public",
    summary: "",
    query: z.object({ limit: z.optional(z.coerce.number().check(z.lte(100))) }),
    response: z.array(z.number()),
  },
  thing: {
    method: "GET",
    path: "/thing/{id}",
    auth: "public",
    summary: "",
    params: z.object({ id: z.string().check(z.length(26)) }),
    response: z.unknown(),
  },
  gone: { method: "DELETE", path: "/gone", auth: "public", summary: "", status: 204, response: z.void() },
  elsewhere: { method: "GET", path: "/elsewhere", auth: "public", summary: "", status: 303, noStore: true, response: z.void() },
  broken: { method: "GET", path: "/broken", auth: "public", summary: "", response: z.unknown() },
  busy: { method: "GET", path: "/busy", auth: "public", summary: "", response: z.unknown() },
});
const handler = serve(table, { ...sessionAuth, ...apiKeyAuth }, ["accounts", "directory", "ehr"])({
  open: async () => ({ shown: "yes", passwordHash: "secret" }),
  mine: async (ctx) => ({ id: ctx.session.user.id }),
  root: async (ctx) => ({ id: ctx.session.user.id }),
  clinic: async (ctx) => ({ tenantId: ctx.tenantId }),
  call: async (ctx) => ({ tenantId: ctx.tenantId, address: ctx.clientAddress }),
  page: async () => answerWith([1, 2], { next: "abc+/=" }),
  thing: async () => ({}),
  gone: async () => undefined,
  elsewhere: async ({ cookies = [] }) => answerWith(undefined, { headers: { location: `/page?kept=${cookies.join("+")}` } }),
  broken: async () => {
    throw new Error("patient Jane Roe is in row 7");
  },
  busy: async () => {
    throw new AppError("too_many_requests", "Please wait.", { retryAfterSeconds: 7.2 });
  },
});

let it: TestAws;
let one: { id: string; apiKey: string };
let two: { id: string; apiKey: string };
let tokens: { root: string; one: string; two: string };
const password = "correct horse battery staple";

beforeAll(async () => {
  it = await startTestAws();
  const clinic = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  [one, two] = await Promise.all([clinic("One"), clinic("Two")]);
  const name = { password, firstName: "A", lastName: "B" };
  await createUser(it.platform(), { role: "system_admin", email: "root@x.example", ...name });
  for (const { id } of [one, two])
    await createUser(it.platform(), { role: "tenant_admin", tenantId: id, email: `${id}@x.example`, ...name });
  const tokenOf = async (email: string) => (await login(it.platform(), { email, password })).token;
  tokens = { root: await tokenOf("root@x.example"), one: await tokenOf(`${one.id}@x.example`), two: await tokenOf(`${two.id}@x.example`) };
});
afterAll(() => it.close());

let printed: string;
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

type Asked = {
  headers?: Record<string, string | undefined>;
  edge?: boolean;
  body?: string;
  base64?: boolean;
  query?: string;
  params?: Record<string, string>;
  cookies?: string[];
};
const ask = async (routeKey: string, { headers = {}, edge = true, body, base64 = false, query = "", params, cookies }: Asked = {}) => {
  const path = routeKey.split(" ")[1] ?? "/";
  const event: HttpEvent = {
    routeKey,
    rawPath: path,
    rawQueryString: query,
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    pathParameters: params,
    cookies,
    headers: {
      ...(edge
        ? { "x-vitaline-edge": secretValues("edge")[0], "x-vitaline-viewer": "198.51.100.9", "x-vitaline-host": "app.example.org" }
        : {}),
      ...headers,
    },
    body,
    isBase64Encoded: base64,
    requestContext: {
      domainName: "abc.execute-api.us-east-1.amazonaws.com",
      http: { method: routeKey.split(" ")[0] ?? "", sourceIp: "192.0.2.1" },
    },
  };
  const answer = await handler(event, {
    awsRequestId: "req-1",
    functionName: "test",
    invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:test",
    getRemainingTimeInMillis: () => 10_000,
  });
  return { ...answer, json: answer.body === "" ? undefined : (JSON.parse(answer.body) as Record<string, unknown>) };
};
const refusal = (answer: HttpAnswer) => Problem.parse(JSON.parse(answer.body));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const posted = (key: string, more: Asked = {}): Asked => ({
  body: '{"name":"x"}',
  ...more,
  headers: { ...bearer(key), "content-type": "application/json", ...more.headers },
});

test("an answer contains only the contract's fields", async () => {
  expect((await ask("GET /open")).json).toEqual({ shown: "yes" });
});

test("A08: every route answers only through the edge, which has the firewall", async () => {
  expect((await ask("GET /open", { edge: false })).statusCode).toBe(403);
  expect((await ask("GET /open", { headers: { "x-vitaline-edge": "guess" }, edge: false })).statusCode).toBe(403);
  expect((await ask("POST /call", posted(one.apiKey, { edge: false }))).statusCode).toBe(403);
  expect(await ask("POST /call", posted(one.apiKey))).toMatchObject({ json: { tenantId: one.id, address: "198.51.100.9" } });
});

test("V12 a 401 challenges for a token, and names an error only if one was sent and did not count", async () => {
  const challenge = async (path: string, headers: Record<string, string>) =>
    (await ask(path, { headers: { "content-type": "application/json", ...headers }, body: "{}" })).headers["www-authenticate"];
  for (const path of ["GET /mine", "POST /call"]) {
    expect(await challenge(path, {})).toBe('Bearer realm="Vitaline"');
    expect(await challenge(path, bearer("unknown"))).toBe('Bearer realm="Vitaline", error="invalid_token"');
  }
  expect(await challenge("GET /root", bearer(tokens.one))).toBeUndefined();
});

test("each role reaches its own routes: 401 without a session, 403 with another role's", async () => {
  for (const path of ["GET /mine", "GET /root", "GET /clinic"])
    expect(refusal(await ask(path))).toMatchObject({ code: "unauthenticated", requestId: "req-1" });
  expect((await ask("GET /mine", { headers: bearer(tokens.one) })).statusCode).toBe(200);
  expect((await ask("GET /root", { headers: bearer(tokens.root) })).statusCode).toBe(200);
  expect((await ask("GET /root", { headers: bearer(tokens.one) })).statusCode).toBe(403);
  expect((await ask("GET /clinic", { headers: bearer(tokens.root) })).statusCode).toBe(403);
  expect(await ask("GET /clinic", { headers: bearer(tokens.one) })).toMatchObject({
    statusCode: 200,
    json: { tenantId: one.id },
    headers: { "cache-control": "no-store" },
  });
  expect((await ask("GET /clinic", { headers: bearer(tokens.two) })).json).toEqual({ tenantId: two.id });
});

test("a key is not accepted as a session, nor a session as a key", async () => {
  expect((await ask("GET /mine", { headers: { ...bearer(one.apiKey), "x-api-key": one.apiKey } })).statusCode).toBe(401);
  expect((await ask("POST /call", posted(tokens.one))).statusCode).toBe(401);
  expect((await ask("GET /mine", { headers: { ...bearer(tokens.two), "x-api-key": one.apiKey } })).statusCode).toBe(200);
});

test("a key is accepted in three headers; two different keys are refused", async () => {
  const json = { "content-type": "application/json" };
  const body = '{"name":"x"}';
  for (const headers of [
    bearer(one.apiKey),
    { "x-api-key": one.apiKey },
    { "x-vapi-secret": one.apiKey },
    { ...bearer(one.apiKey), "x-vapi-secret": one.apiKey },
  ])
    expect((await ask("POST /call", { headers: { ...headers, ...json }, body })).json).toMatchObject({ tenantId: one.id });
  for (const headers of [
    {},
    { ...bearer(one.apiKey), "x-api-key": two.apiKey },
    { authorization: `Basic ${one.apiKey}` },
    { authorization: "Basic x", "x-api-key": one.apiKey },
  ])
    expect(refusal(await ask("POST /call", { headers: { ...headers, ...json }, body }))).toMatchObject({ code: "unauthenticated" });
});

test("a body is refused for its size, its type, its syntax and its fields, in that order", async () => {
  expect(refusal(await ask("POST /call", posted(one.apiKey, { body: JSON.stringify({ name: "x".repeat(3000) }) })))).toMatchObject({
    code: "payload_too_large",
  });
  expect(
    refusal(await ask("POST /call", posted(one.apiKey, { body: Buffer.alloc(3000, 32).toString("base64"), base64: true }))),
  ).toMatchObject({ code: "payload_too_large" });
  expect((await ask("POST /call", posted(one.apiKey, { headers: { "content-type": "text/plain" } }))).statusCode).toBe(415);
  expect(refusal(await ask("POST /call", posted(one.apiKey, { body: '{"name":' })))).toMatchObject({ code: "invalid_json" });
  expect(refusal(await ask("POST /call", posted(one.apiKey, { body: '{"name":""}' })))).toMatchObject({
    code: "invalid_request",
    error: "A name is required",
    fields: { name: "A name is required" },
  });
  expect(refusal(await ask("POST /call", posted(one.apiKey, { body: '{"name":"x","admin":true}' })))).toMatchObject({
    fields: { admin: expect.any(String) as string },
  });
  expect(
    (await ask("POST /call", posted(one.apiKey, { body: Buffer.from('{"name":"x"}').toString("base64"), base64: true }))).statusCode,
  ).toBe(201);
});

test("a malformed id in a path is a 404, a malformed query a 400", async () => {
  expect((await ask("GET /thing/{id}", { params: { id: "short" } })).statusCode).toBe(404);
  expect((await ask("GET /page", { query: "limit=many" })).statusCode).toBe(400);
  expect((await ask("GET /nowhere")).statusCode).toBe(404);
});

test("the next page is in the Link header, with the same query", async () => {
  expect((await ask("GET /page", { query: "limit=2" })).headers["link"]).toBe('</page?limit=2&cursor=abc%2B%2F%3D>; rel="next"');
});

test("an empty answer has no body and a busy one says when to come back", async () => {
  expect(await ask("DELETE /gone")).toMatchObject({ statusCode: 204, body: "" });
  expect(await ask("GET /busy")).toMatchObject({ statusCode: 429, headers: { "retry-after": "8" } });
});

test("an unexpected error is a 500 without details in the answer and in the log", async () => {
  const answer = await ask("GET /broken");
  expect(answer.statusCode).toBe(500);
  expect(answer.body + printed).not.toMatch(/Jane|row 7/);
  expect(refusal(answer)).toMatchObject({ code: "internal_error", requestId: "req-1" });
  expect(printed).toContain('"errorName":"Error"');
});

test("A09: a 500 counts against the version of the function that answered it, and a refusal does not", async () => {
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "vitaline-staging-dashboard");
  vi.stubEnv("AWS_LAMBDA_FUNCTION_VERSION", "12");
  await ask("GET /nowhere");
  expect(printed).not.toContain("RequestFailed");
  await ask("GET /broken");
  vi.unstubAllEnvs();
  const failed = printed.split("\n").find((line) => line.includes("RequestFailed")) ?? "{}";
  expect(JSON.parse(failed)).toMatchObject({
    ...{ RequestFailed: 1, functionName: "vitaline-staging-dashboard", functionVersion: "12" },
    _aws: { CloudWatchMetrics: [{ Namespace: "Vitaline/staging", Dimensions: [["functionName", "functionVersion"]] }] },
  });
});

test("every request leaves one log line with its route, status and request id", async () => {
  await ask("GET /open");
  expect(
    printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([{ event: "request.answered", route: "GET /open", status: 200, requestId: "req-1" }]);
});

test("a function fails at startup if it cannot authenticate one of its routes", () => {
  expect(() => serve(table, sessionAuth, ["accounts"])({} as never)).toThrow("POST /call");
});

test("a redirecting route answers with a location and no body, for any cookies", async () => {
  const { statusCode, headers, body } = await ask("GET /elsewhere", { cookies: ["a=1", "b=2"] });
  expect([statusCode, headers["location"], headers["cache-control"], body]).toEqual([303, "/page?kept=a=1+b=2", "no-store", ""]);
  expect((await ask("GET /elsewhere")).headers["location"]).toBe("/page?kept=");
});
