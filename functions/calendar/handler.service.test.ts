import { newId, secretValues } from "@vitaline/core";
import { create, keys } from "@vitaline/store";
import { recordCalendarChanges, renewCalendarFeed } from "@vitaline/webhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import type { HttpAnswer } from "../lib/http/request.ts";
import { handler } from "./handler.ts";

let it: TestAws;
let lines: string[];
let token: string;
beforeAll(async () => {
  it = await startTestAws();
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const [tenantId] = it.tenants;
  await addTenantRow(it.platform(), tenantId, "One");
  const office = { id: newId(), name: "Harbor", isActive: true, createdAt: new Date().toISOString() };
  const ctx = it.inTenant(tenantId);
  await ctx.store.commit([create(keys.office(office.id), office)], {
    category: "configuration_change",
    action: "test",
    resourceType: "Office",
  });
  const start = new Date(Date.now() + 86_400_000).toISOString();
  await recordCalendarChanges(it.platform(), [
    { kind: "booked", tenantId, providerId: "f1", appointmentId: "a1", officeId: office.id, start, at: start },
  ]);
  token = (await renewCalendarFeed(ctx, office.id)).url.split("/").at(-1) ?? "";
});
afterAll(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const ask = (of: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  handler(
    {
      routeKey: "GET /api/calendar/{token}",
      rawPath: `/api/calendar/${of}`,
      rawQueryString: "",
      headers: { "x-vitaline-edge": secretValues("edge")[0], ...headers },
      pathParameters: { token: of },
      isBase64Encoded: false,
      requestContext: { domainName: "api.example", http: { method: "GET", sourceIp: "203.0.113.9" } },
    },
    { awsRequestId: newId(), functionName: "calendar", invokedFunctionArn: "", getRemainingTimeInMillis: () => 10_000 },
  );

test("the secret address returns the calendar, privately cached, and 304 while it is unchanged", async () => {
  const { statusCode, headers, body } = await ask(token);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ "content-type": "text/calendar; charset=utf-8", "cache-control": "private, max-age=300" });
  expect(body).toMatch(/^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT[^]*END:VCALENDAR\r?\n?$/);
  for (const tag of [headers["etag"] ?? "", `W/${headers["etag"]}`, `"other", ${headers["etag"]}`])
    expect(await ask(token, { "if-none-match": tag })).toMatchObject({ statusCode: 304, body: "", headers: { etag: headers["etag"] } });
  expect((await ask(token, { "if-none-match": '"other"' })).statusCode).toBe(200);
});

test("every other address gets the same 404, and no address is ever in the log", async () => {
  const wrong = [`${"x".repeat(43)}.ics`, token.slice(0, -4), `${token}x`, "", "../x", `${"x".repeat(3000)}.ics`];
  for (const one of wrong) {
    const { statusCode, headers, body } = await ask(one);
    expect([statusCode, (JSON.parse(body) as { code: string }).code, headers["cache-control"]]).toEqual([404, "not_found", "no-store"]);
  }
  expect(lines.join("")).toContain("GET /api/calendar/{token}");
  expect(lines.join("")).not.toContain(token.slice(0, 20));
});

test("it answers only at the public address", async () => {
  expect((await ask(token, { "x-vitaline-edge": "" })).statusCode).toBe(403);
});
