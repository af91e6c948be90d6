import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../lib/message.ts";
import type { ApiSpec } from "../template/apis.ts";
import { createGateway } from "./index.ts";
import { createRouter, createThrottle } from "../template/router.ts";

const route = (key: string) => ({ key, functionArn: key });
const request = (change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  path: "/",
  query: "",
  headers: [],
  body: Buffer.alloc(0),
  sourceIp: "127.0.0.1",
  ...change,
});
const api = (routes: string[]): ApiSpec => ({
  id: "api",
  domainName: "api.execute-api.us-east-1.amazonaws.com",
  account: "000000000000",
  routes: routes.map(route),
  routeThrottles: {},
});

describe("routing", () => {
  const router = createRouter(
    [
      "$default",
      "ANY /offices",
      "GET /offices",
      "GET /offices/{officeId}",
      "GET /offices/open",
      "GET /files/{path+}",
      "GET /files/{name}/size",
      "ANY /",
    ].map(route),
  );
  test.each([
    ["GET", "/offices", "GET /offices", undefined],
    ["POST", "/offices", "ANY /offices", undefined],
    ["GET", "/offices/open", "GET /offices/open", undefined],
    ["GET", "/offices/7", "GET /offices/{officeId}", { officeId: "7" }],
    ["GET", "/offices/", "$default", undefined],
    ["GET", "/offices/7/rooms", "$default", undefined],
    ["DELETE", "/offices/7", "$default", undefined],
    ["GET", "/files/a/size", "GET /files/{name}/size", { name: "a" }],
    ["GET", "/files/a/b/c", "GET /files/{path+}", { path: "a/b/c" }],
    ["GET", "/files/", "$default", undefined],
    ["GET", "/Offices", "$default", undefined],
    ["PATCH", "/", "ANY /", undefined],
  ])("%s %s goes to %s", (method, path, key, parameters) => {
    const match = router(method, path);
    expect([match?.route.key, match?.pathParameters]).toEqual([key, parameters]);
  });

  test("passes path segments unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => !text.includes("/") && text !== "open"),
        (text) => {
          expect(router("GET", `/offices/${text}`)?.pathParameters).toEqual({ officeId: text });
        },
      ),
    );
  });

  test("without $default ends in API Gateway's own 404", async () => {
    const gateway = createGateway(api(["GET /only"]), () => Promise.reject(new Error("not to be run")));
    const { status, body } = await gateway(request({ path: "/other" }));
    expect([status, body.toString()]).toEqual([404, '{"message":"Not Found"}']);
  });
});

describe("the event of payload format 2.0", () => {
  const eventFor = async (change: Partial<HttpRequest>): Promise<Record<string, unknown>> => {
    const gateway = createGateway(api(["POST /notes/{id}", "$default"]), (_arn, event) =>
      Promise.resolve({ ok: true, payload: JSON.stringify(event), requestId: "r" }),
    );
    return JSON.parse((await gateway(request({ method: "POST", path: "/notes/7", ...change }))).body.toString()) as Record<string, unknown>;
  };
  const json: [string, string] = ["content-type", "application/json"];

  test("joins repeated headers and query names, and lists cookies apart", async () => {
    const event = await eventFor({
      query: "a=1&a=2&b=%20x",
      headers: [
        ["accept", "x"],
        ["accept", "y"],
        ["cookie", "c=1; d=2"],
      ],
    });
    expect(event).toMatchObject({
      version: "2.0",
      routeKey: "POST /notes/{id}",
      rawQueryString: "a=1&a=2&b=%20x",
      queryStringParameters: { a: "1,2", b: " x" },
      headers: { accept: "x,y" },
      cookies: ["c=1", "d=2"],
      pathParameters: { id: "7" },
      requestContext: { accountId: "000000000000", http: { method: "POST", path: "/notes/7" } },
    });
    expect(event["headers"]).not.toHaveProperty("cookie");
  });

  test.each<[string, [string, string][], string, boolean]>([
    ["JSON", [json], '{"ü":1}', false],
    ["a JSON dialect", [["content-type", "application/fhir+json; charset=utf-8"]], "{}", false],
    ["text", [["content-type", "text/plain"]], "hello", false],
    ["a form", [["content-type", "application/x-www-form-urlencoded"]], "a=1", true],
    ["an image", [["content-type", "image/png"]], "\u0001\u0002", true],
    ["zipped JSON", [json, ["content-encoding", "gzip"]], "zipped", true],
  ])("passes %s as text or in base64, as API Gateway does", async (_what, headers, text, encoded) => {
    const event = await eventFor({ headers, body: Buffer.from(text) });
    expect(event["isBase64Encoded"]).toBe(encoded);
    expect(Buffer.from(String(event["body"]), encoded ? "base64" : "utf8").toString()).toBe(text);
  });

  test("has the path decoded, so that an encoded slash is a slash", async () => {
    expect(await eventFor({ path: "/notes/a%2Fb" })).toMatchObject({ routeKey: "$default", rawPath: "/notes/a/b" });
    expect(await eventFor({ path: "/notes/a%20b" })).toMatchObject({ pathParameters: { id: "a b" } });
  });
});

describe("the function's answer", () => {
  const answerTo = async (result: unknown) => {
    const gateway = createGateway(api(["$default"]), () => Promise.resolve({ ok: true, payload: JSON.stringify(result), requestId: "r" }));
    const { status, headers, body } = await gateway(request());
    return { status, headers: headers.filter(([name]) => name !== "apigw-requestid"), text: body.toString() };
  };

  test("becomes status, headers, cookies and a decoded body", async () => {
    const result = {
      statusCode: 201,
      headers: { "Content-Type": "text/html", "X-Count": 3 },
      cookies: ["a=1", "b=2"],
      body: Buffer.from("hi").toString("base64"),
      isBase64Encoded: true,
    };
    expect(await answerTo(result)).toEqual({
      status: 201,
      headers: [
        ["content-type", "text/html"],
        ["x-count", "3"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
      text: "hi",
    });
  });

  test("without a status is the JSON body itself", async () => {
    expect(await answerTo({ hello: 1 })).toEqual({ status: 200, headers: [["content-type", "application/json"]], text: '{"hello":1}' });
  });

  test("that is malformed becomes API Gateway's 500", async () => {
    expect(await answerTo({ statusCode: "good" })).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
    expect(await answerTo({ statusCode: 200, body: { not: "text" } })).toMatchObject({ status: 500 });
  });
});

test("headers over 10,240 bytes and undecodable paths are refused before any function runs", async () => {
  const gateway = createGateway(api(["$default"]), () => Promise.reject(new Error("not to be run")));
  expect((await gateway(request({ headers: [["x-long", "x".repeat(10_240)]] }))).status).toBe(431);
  expect((await gateway(request({ path: "/%zz" }))).status).toBe(400);
});

test("a throttle allows its burst and then the steady rate", () => {
  let nowMs = 0;
  const pass = createThrottle({ requestsPerSecond: 2, burst: 3 }, () => nowMs);
  expect([pass(), pass(), pass(), pass()]).toEqual([true, true, true, false]);
  nowMs = 500;
  expect([pass(), pass()]).toEqual([true, false]);
  nowMs = 60_000;
  expect([pass(), pass(), pass(), pass()]).toEqual([true, true, true, false]);
});
