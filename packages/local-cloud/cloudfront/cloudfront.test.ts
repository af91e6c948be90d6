import { describe, expect, test } from "vitest";
import { headerOf, type HttpRequest, type HttpResponse } from "../lib/message.ts";
import { compileEdgeFunction } from "./edge-function.ts";
import { createDistribution, pathPattern } from "./index.ts";
import type { BehaviorSpec, Forwarding } from "../template/edge/distribution-types.ts";

const request = (change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  path: "/",
  query: "",
  headers: [["host", "viewer.example"]],
  body: Buffer.alloc(0),
  sourceIp: "203.0.113.9",
  ...change,
});
const nothing: Forwarding = { headers: new Set(), cookies: false, query: false };

const behavior = (change: Partial<BehaviorSpec> = {}): BehaviorSpec => ({
  origin: { kind: "api", target: "api", pathPrefix: "", customHeaders: {} },
  allowedMethods: new Set(["GET", "HEAD", "POST"]),
  encodings: [],
  forwarding: [nothing],
  ...change,
});

const show = (behaviors: BehaviorSpec[], answer: Partial<HttpResponse> = {}) => {
  const asked: HttpRequest[] = [];
  const distribution = createDistribution({ id: "E1", domainName: "d1.cloudfront.net", behaviors }, () => ({
    host: "origin.example",
    answer: (received) => {
      asked.push(received);
      return Promise.resolve({ status: 200, headers: [["content-type", "text/plain"]], body: Buffer.from("from the origin"), ...answer });
    },
  }));
  return { distribution, asked };
};

describe("path patterns", () => {
  test.each([
    ["/api/*", "/api/x/y", true],
    ["/api/*", "/api", false],
    ["api/*", "/api/x", true],
    ["/*.js", "/a/b.js", true],
    ["/*.js", "/a/bxjs", false],
    ["/v?/x", "/v1/x", true],
    ["/API/*", "/api/x", false],
    ["/.well-known/*", "/.well-known/jwks.json", true],
    ["/.well-known/*", "/xwell-known/jwks.json", false],
  ])("%s and %s: %s", (pattern, path, matches) => expect(pathPattern(pattern)(path)).toBe(matches));

  test("the first behavior that matches answers", async () => {
    const to = (target: string, pattern?: string) =>
      behavior({ pathPattern: pattern, origin: { kind: "api", target, pathPrefix: `/${target}`, customHeaders: {} } });
    const { distribution, asked } = show([to("one", "/a/*"), to("two", "/a/b/*"), to("rest")]);
    for (const path of ["/a/b/c", "/x"]) await distribution.answer(request({ path }));
    expect(asked.map(({ path }) => path)).toEqual(["/one/a/b/c", "/rest/x"]);
  });
});

describe("what the origin sees", () => {
  const sent = request({
    query: "q=1",
    headers: [
      ["host", "viewer.example"],
      ["authorization", "Bearer x"],
      ["cookie", "a=1"],
      ["content-type", "text/plain"],
      ["x-edge", "forged"],
      ["x-forwarded-for", "10.0.0.1"],
    ],
  });
  const seen = async (forwarding: Forwarding[]): Promise<HttpRequest> => {
    const { distribution, asked } = show([
      behavior({ forwarding, origin: { kind: "api", target: "api", pathPrefix: "", customHeaders: { "x-edge": "secret" } } }),
    ]);
    await distribution.answer(sent);
    return asked[0] as HttpRequest;
  };

  test("is minimal when no policy forwards anything", async () => {
    const { headers, query } = await seen([nothing]);
    expect(query).toBe("");
    expect(["authorization", "cookie", "content-type", "x-edge", "host", "user-agent"].map((name) => headerOf(headers, name))).toEqual([
      undefined,
      undefined,
      "text/plain",
      "secret",
      "origin.example",
      "Amazon CloudFront",
    ]);
  });

  test("is everything but the viewer's host under AllViewerExceptHostHeader, and never a forged origin header", async () => {
    const { headers, query } = await seen([nothing, { headers: { except: new Set(["host"]) }, cookies: true, query: true }]);
    expect(query).toBe("q=1");
    expect(["authorization", "cookie", "x-edge", "host", "x-forwarded-for"].map((name) => headerOf(headers, name))).toEqual([
      "Bearer x",
      "a=1",
      "secret",
      "origin.example",
      "10.0.0.1, 203.0.113.9",
    ]);
    expect(headers.filter(([name]) => name === "x-edge")).toHaveLength(1);
  });
});

describe("a viewer-request function", () => {
  const place = { id: "E1", domainName: "d1.cloudfront.net" };
  const run = (code: string, sent = request()) => compileEdgeFunction({ name: "F", code }, place).onRequest(sent);

  test("sees the event of the Developer Guide", async () => {
    const sent = request({
      path: "/a%20b",
      query: "x=1&x=2&y",
      headers: [
        ["host", "viewer.example"],
        ["accept", "a"],
        ["cookie", "c=1; d=2"],
      ],
    });
    const answered = await run("function handler(event) { return { statusCode: 200, body: JSON.stringify(event) }; }", sent);
    const { context, ...event } = JSON.parse((answered as { response: HttpResponse }).response.body.toString()) as { context: object };
    expect(context).toMatchObject({ distributionId: "E1", distributionDomainName: "d1.cloudfront.net", eventType: "viewer-request" });
    expect(event).toEqual({
      version: "1.0",
      viewer: { ip: "203.0.113.9" },
      request: {
        method: "GET",
        uri: "/a%20b",
        querystring: { x: { value: "1", multiValue: [{ value: "1" }, { value: "2" }] }, y: { value: "" } },
        headers: { host: { value: "viewer.example" }, accept: { value: "a" } },
        cookies: { c: { value: "1" }, d: { value: "2" } },
      },
    });
  });

  test("may rewrite path, headers and query, but neither host nor body", async () => {
    const code = `async function handler({ request }) {
      request.uri = "/other";
      request.headers.host = { value: "stolen.example" };
      request.headers["x-new"] = { value: "1" };
      request.querystring = { z: { value: "9" } };
      return request;
    }`;
    const { request: after } = (await run(code, request({ query: "a=1", body: Buffer.from("kept") }))) as { request: HttpRequest };
    expect(after).toMatchObject({
      path: "/other",
      query: "z=9",
      headers: [
        ["host", "viewer.example"],
        ["x-new", "1"],
      ],
    });
    expect(after.body.toString()).toBe("kept");
  });

  test("leaves an untouched query byte for byte", async () => {
    const { request: after } = (await run("function handler(event) { return event.request; }", request({ query: "b=%20&&a" }))) as {
      request: HttpRequest;
    };
    expect(after.query).toBe("b=%20&&a");
  });

  test("keeps no state between invocations and has no access to this machine", async () => {
    const code =
      "var count = 0; function handler() { count += 1; globalThis.kept = (globalThis.kept || 0) + 1; return { statusCode: 200, body: count + typeof kept + typeof process + typeof require + typeof fetch }; }";
    const edge = compileEdgeFunction({ name: "F", code }, place);
    for (let round = 0; round < 2; round += 1) {
      const { response } = (await edge.onRequest(request())) as { response: HttpResponse };
      expect(response.body.toString()).toBe("1undefinedundefinedundefinedundefined");
    }
  });

  test("is stopped when it does not end, and stops the start when it does not compile", async () => {
    const endless = compileEdgeFunction({ name: "F", code: "function handler() { for (;;) {} }" }, place, 50);
    await expect(endless.onRequest(request())).rejects.toThrow("timed out");
    expect(() => compileEdgeFunction({ name: "F", code: "function handler( {" }, place)).toThrow(
      "The CloudFront function F does not compile",
    );
  });
});

describe("response headers", () => {
  const policy = {
    set: [
      { name: "x-frame-options", value: "DENY", override: true },
      { name: "cache-control", value: "no-cache", override: false },
    ],
    remove: new Set(["server"]),
  };

  test("are set, kept or removed as the policy says", async () => {
    const { distribution } = show([behavior({ responseHeaders: policy })], {
      headers: [
        ["server", "x"],
        ["x-frame-options", "ALLOW"],
        ["cache-control", "max-age=1"],
      ],
    });
    expect((await distribution.answer(request())).headers).toEqual([
      ["cache-control", "max-age=1"],
      ["x-frame-options", "DENY"],
    ]);
  });

  test("keep several cookies apart", async () => {
    const { distribution } = show([behavior({ responseHeaders: policy })], {
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    });
    expect((await distribution.answer(request())).headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
  });

  test("are not added to what a function itself answers", async () => {
    const viewerRequest = { name: "F", code: 'function handler() { return { statusCode: 404, headers: { "x-own": { value: "1" } } }; }' };
    const { distribution, asked } = show([behavior({ responseHeaders: policy, viewerRequest })]);
    expect(await distribution.answer(request())).toMatchObject({ status: 404, headers: [["x-own", "1"]] });
    expect(asked).toEqual([]);
  });
});
