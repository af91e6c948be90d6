import { deadlineIn, newId } from "@vitaline/core";
import { keys, type DeliveryRow, type TenantContext } from "@vitaline/store";
import { platformStore } from "@vitaline/store/platform.ts";
import { createWebhook, testWebhook } from "@vitaline/webhooks";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { allowLoopback } from "@vitaline/outbound";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { deliverAll, handler } from "./handler.ts";

const localArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-deliver";
let it: TestAws;
let server: Server;
let origin: string;
const received: string[] = [];
const answers = new Map<string, (nth: number) => number | "silence" | "cut">();
const silent: ServerResponse[] = [];
beforeAll(async () => {
  it = await startTestAws();
  server = createServer((request, response) => {
    const path = request.url ?? "";
    received.push(path);
    const answer = answers.get(path)?.(received.filter((one) => one === path).length) ?? 200;
    request.resume();
    if (answer === "cut") response.destroy();
    else if (answer === "silence") silent.push(response);
    else setTimeout(() => response.writeHead(answer).end(), path.startsWith("/busy/") ? 60 : 0);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env["EGRESS_LOOPBACK_ORIGINS"] = origin;
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
beforeEach(() => allowLoopback(localArn));
afterAll(async () => {
  vi.restoreAllMocks();
  delete process.env["EGRESS_LOOPBACK_ORIGINS"];
  server.closeAllConnections();
  server.close();
  await it.close();
});

const clinic = async (path: string): Promise<{ ctx: TenantContext; webhookId: string }> => {
  const id = newId();
  await addTenantRow(it.platform(), id, path);
  const ctx = it.inTenant(id);
  const { id: webhookId } = await createWebhook(ctx, { url: origin + path, events: ["lead.captured"], includeContact: false });
  return { ctx, webhookId };
};
const deliveries = async (ctx: TenantContext) => (await ctx.store.query<DeliveryRow>(keys.tenantPartitions.deliveries(ctx.tenantId))).rows;
const ends = async (ctx: TenantContext) => (await deliveries(ctx)).map(({ status, tries }) => `${status} ${tries}`);
/** A run whose waits take no time. */
const run = (remainingMs = 110_000) => {
  let passedMs = 0;
  const nowMs = () => Date.now() + passedMs;
  const clock = () => new Date(nowMs());
  const deadline = deadlineIn(remainingMs, nowMs);
  const pause = async (ms: number) => void (passedMs += ms);
  const ctx = { ...it.platform({ kind: "system", id: "deliver" }), requestId: newId(), clock, deadline, pause };
  return deliverAll({ ...ctx, platform: platformStore(ctx) });
};

test("a run delivers for every tenant, and a receiver that does not answer delays no other tenant", async () => {
  answers.set("/silent", () => "silence");
  const { ctx: ofSilent, webhookId } = await clinic("/silent");
  for (let made = 0; made < 12; made++) await testWebhook(ofSilent, webhookId);
  const others = await Promise.all(Array.from({ length: 4 }, (_, index) => clinic(`/well/${index}`)));
  for (const { ctx, webhookId } of others) for (let made = 0; made < 2; made++) await testWebhook(ctx, webhookId);
  const whole = run(65_000);
  const allDelivered = async () =>
    expect((await Promise.all(others.map(({ ctx }) => ends(ctx)))).flat()).toEqual(Array.from({ length: 8 }, () => "delivered 1"));
  await vi.waitFor(allDelivered, { timeout: 9_000, interval: 100 });
  // While the other's first attempts still wait for a response
  expect(new Set(await ends(ofSilent))).toEqual(new Set(["pending 0"]));
  answers.set("/silent", () => "cut");
  for (const response of silent) response.destroy();
  await whole;
  const tried = (await ends(ofSilent)).filter((end) => end === "pending 1").length;
  expect(tried).toBeGreaterThanOrEqual(3);
  // Only those started before the third failure
  expect(tried).toBeLessThan(8);
});

test("tenants with many deliveries and slow receivers take turns, so a tenant with few waits at most one turn of each", async () => {
  const busy = await Promise.all(Array.from({ length: 9 }, (_, index) => clinic(`/busy/${index}`)));
  for (const { ctx, webhookId } of busy) for (let made = 0; made < 12; made++) await testWebhook(ctx, webhookId);
  const quiet = await clinic("/quiet");
  await testWebhook(quiet.ctx, quiet.webhookId);
  const from = received.length;
  await run();
  const order = received.slice(from);
  expect(order.filter((path) => path.startsWith("/busy/"))).toHaveLength(9 * 12);
  // At most the second of their three turns has started
  expect(order.indexOf("/quiet")).toBeGreaterThanOrEqual(0);
  expect(order.slice(0, order.indexOf("/quiet")).length).toBeLessThanOrEqual(9 * 8);
});

test("a delivery with a temporary failure succeeds in the same run, seconds later", async () => {
  answers.set("/moment", (nth) => (nth === 1 ? 503 : 200));
  const { ctx, webhookId } = await clinic("/moment");
  await testWebhook(ctx, webhookId);
  await run();
  expect(await ends(ctx)).toEqual(["delivered 2"]);
});

test("without time for an attempt none is started, and one tenant's failure stops no other", async () => {
  const [broken, well] = [await clinic("/broken"), await clinic("/fine")];
  for (const { ctx, webhookId } of [broken, well]) await testWebhook(ctx, webhookId);
  await run(5_000);
  expect(received.filter((path) => path === "/fine")).toEqual([]);
  let denied = 0;
  it.fault(({ service, operation }) =>
    service === "dynamodb" && operation === "UpdateItem" && denied++ === 0
      ? { status: 400, code: "AccessDeniedException", message: "not now" }
      : undefined,
  );
  await run();
  it.fault();
  expect([...(await ends(broken.ctx)), ...(await ends(well.ctx))].toSorted()).toEqual(["delivered 1", "pending 0"]);
  await handler(
    {},
    { awsRequestId: newId(), functionName: "deliver", invokedFunctionArn: localArn, getRemainingTimeInMillis: () => 110_000 },
  );
  expect([await ends(broken.ctx), await ends(well.ctx)]).toEqual([["delivered 1"], ["delivered 1"]]);
});

test("a run that is started for some tenants delivers for them alone", async () => {
  const [asked, other] = [await clinic("/asked"), await clinic("/other")];
  for (const { ctx, webhookId } of [asked, other]) await testWebhook(ctx, webhookId);
  const invocation = {
    awsRequestId: newId(),
    functionName: "deliver",
    invokedFunctionArn: localArn,
    getRemainingTimeInMillis: () => 60_000,
  };
  await handler({ tenantIds: [asked.ctx.tenantId] }, invocation);
  expect([await ends(asked.ctx), await ends(other.ctx)]).toEqual([["delivered 1"], ["pending 0"]]);
  await handler({ source: "aws.events", detail: {} }, { ...invocation, awsRequestId: newId() });
  expect(await ends(other.ctx)).toEqual(["delivered 1"]);
});

test("in a real account no address of its own machine is ever called", async () => {
  const { ctx, webhookId } = await clinic("/never");
  await testWebhook(ctx, webhookId);
  const realArn = "arn:aws:lambda:us-east-1:123456789012:function:vitaline-deliver";
  await handler(
    {},
    { awsRequestId: newId(), functionName: "deliver", invokedFunctionArn: realArn, getRemainingTimeInMillis: () => 60_000 },
  );
  expect(received.filter((path) => path === "/never")).toEqual([]);
  expect((await deliveries(ctx))[0]).toMatchObject({ status: "pending", code: "outbound_refused" });
});
