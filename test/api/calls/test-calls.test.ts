import type { CallDetail, CallMetrics, ListedCall } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedAs, requestOf, speechIn, type Platform } from "../../../web/src/features/setup/platform-agent.ts";
import { ownPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await ownPlatform();
});
afterAll(() => it.close());

const platforms = Object.keys(requestOf) as Platform[];

test.each(platforms)(
  "a test call for %s takes that platform's own way to a tool, is listed as a test, and counts nowhere",
  async (platform) => {
    const [mine, others] = it.demo.tenants as [TestPlatform["demo"]["tenants"][number], TestPlatform["demo"]["tenants"][number]];
    const token = await it.tokenOf(mine.admin.email, mine.admin.password);
    const elsewhere = await it.tokenOf(others.admin.email, others.admin.password);
    const figures = async () => (await it.api<CallMetrics>("GET", "/api/tenant/dashboard/metrics?range=all", { token })).json.totalCalls;
    const before = await figures();
    const started = await it.api<{ callId: string; id: string }>("POST", "/api/tenant/test-calls", {
      token,
      body: { platform: recordedAs(platform) },
    });
    expect(started.status).toBe(201);
    const { callId, id } = started.json;
    const asked = { tenantId: mine.id, callId, count: 1, name: "getFhirProviders", values: {} };
    const { path, headers, body } = requestOf[platform](asked);
    const { json } = await it.api("POST", path, { key: mine.apiKey, ...(headers && { headers }), body });
    expect(speechIn(platform, json), JSON.stringify(json)).toMatch(/[a-z]{3} .*\./i);
    const end = { platform: recordedAs(platform), callId };
    expect((await it.api("POST", "/api/tenant/test-calls/end", { token: elsewhere, body: end })).status).toBe(404);
    expect((await it.api("POST", "/api/tenant/test-calls/end", { token, body: end })).status).toBe(204);
    await it.platform.cloud.drained();
    const { json: calls } = await it.api<ListedCall[]>("GET", "/api/tenant/calls", { token });
    expect(calls.find((one) => one.id === id)).toMatchObject({ isTest: true, status: "completed", toolsUsed: ["getFhirProviders"] });
    expect((await it.api<CallDetail>("GET", `/api/tenant/calls/${id}`, { token })).json.toolRuns).toHaveLength(1);
    expect(await figures()).toBe(before);
  },
);
