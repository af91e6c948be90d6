import { NewUser, tenantCalls, type Route } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { clientOf, type HttpEvent, readInput } from "./request.ts";

const route = (body: Route["body"]): Route => ({ method: "POST", path: "/x", auth: "public", summary: "", body, response: z.void() });
const eventOf = (body: unknown, more: object = {}): HttpEvent =>
  ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...more }) as unknown as HttpEvent;
const fieldsOf = (to: Route, event: HttpEvent): Record<string, string> | undefined => {
  try {
    readInput(to, event);
    return undefined;
  } catch (error) {
    return isAppError(error) ? error.fields : undefined;
  }
};

test("field errors have readable messages, also for schemas without their own", () => {
  const Body = z.object({ kind: z.enum(["a", "b"]), count: z.number().check(z.gte(1), z.lte(9)), name: z.string() });
  expect(fieldsOf(route(Body), eventOf({ kind: "c", count: 10 }))).toEqual({
    kind: "Must be one of a, b",
    count: "Must be at most 9",
    name: "Must be a string",
  });
  expect(fieldsOf(route(NewUser), eventOf({ role: "admin" }))).toEqual({ role: "Must be one of system_admin, tenant_admin" });
  const query = { status: "odd", forwarded: "x", from: "yesterday" };
  expect(fieldsOf(tenantCalls.listCalls, eventOf({}, { queryStringParameters: query }))).toEqual({
    status: expect.stringMatching(/^Must be one of queued, ringing, /) as string,
    forwarded: "Must be one of true, false",
    from: expect.stringContaining("Must be a date") as string,
  });
});

test("If-Match gives the caller's version; a star is any version, and a foreign tag matches nothing", () => {
  const versions = ['"3"', 'W/"3"', "*", '"x"', '"1", "2"', undefined].map(
    (header) => readInput(route(undefined), eventOf({}, { headers: header === undefined ? {} : { "if-match": header } })).ifMatch,
  );
  expect(versions).toEqual([3, 3, undefined, -1, -1, undefined]);
});

test("the headers of the edge count only for a request that came through it", () => {
  const event = eventOf(undefined, {
    headers: { "x-vitaline-viewer": "10.0.0.1", "x-vitaline-host": "evil.example" },
    requestContext: { domainName: "abc.execute-api.us-east-1.amazonaws.com", http: { method: "POST", sourceIp: "192.0.2.1" } },
  });
  expect(clientOf(event, false)).toEqual({ clientAddress: "192.0.2.1", origin: "https://abc.execute-api.us-east-1.amazonaws.com" });
  expect(clientOf(event, true)).toEqual({ clientAddress: "10.0.0.1", origin: "https://evil.example" });
});
