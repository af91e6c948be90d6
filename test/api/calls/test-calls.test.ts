import type { CallDetail, CallMetrics, ListedCall, ToDo } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedAs, requestOf, speechIn, type Platform } from "../../../web/src/features/setup/platform-agent.ts";
import { choiceOf } from "../../../web/src/features/setup/typed-words.ts";
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
    let count = 0;
    const ask = async (name: string, values: Record<string, unknown>) => {
      const { path, headers, body } = requestOf[platform]({ tenantId: mine.id, callId, count: ++count, name, values });
      const { json } = await it.api("POST", path, { key: mine.apiKey, ...(headers && { headers }), body });
      return speechIn(platform, json);
    };
    const say = (typed: string) => {
      const choice = choiceOf(typed);
      return choice.kind === "tool" ? ask(choice.name, choice.values) : undefined;
    };
    expect(await ask("getFhirProviders", {})).toMatch(/[a-z]{3} .*\./i);
    expect(await say("Are you open on Monday?")).toMatch(/open|closed/i);
    expect(await say("Do you have anything tomorrow at 9 am?")).toMatch(/[a-z]{3} .*[.?]/i);
    expect(await say("I want to talk to a person")).toMatch(/[a-z]{3} .*[.?]/i);
    const toDo = async () => (await it.api<ToDo[]>("GET", "/api/tenant/to-do", { token })).json.filter((one) => one.callId === id);
    expect(await say("I need an appointment tomorrow, I have crushing chest pain")).toContain("911");
    const end = { platform: recordedAs(platform), callId };
    expect((await it.api("POST", "/api/tenant/test-calls/end", { token: elsewhere, body: end })).status).toBe(404);
    expect((await it.api("POST", "/api/tenant/test-calls/end", { token, body: end })).status).toBe(204);
    await it.platform.cloud.drained();
    const { json: calls } = await it.api<ListedCall[]>("GET", "/api/tenant/calls", { token });
    expect(calls.find((one) => one.id === id)).toMatchObject({
      isTest: true,
      status: "completed",
      toolsUsed: ["getFhirProviders", "getOfficeInfo", "logRoutingEvent", "scheduleAppointment"],
    });
    expect((await it.api<CallDetail>("GET", `/api/tenant/calls/${id}`, { token })).json.toolRuns).toHaveLength(5);
    expect(await toDo()).toEqual([]);
    expect(await figures()).toBe(before);
  },
);
