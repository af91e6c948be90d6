import { screen, within } from "@testing-library/react";
import { apiKeys, type ListedCall, tenant, tenantCalls, testCalls, vapi } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { type FakeApi, Reply } from "../../kit/screen/fake-api.ts";
import { asTenant, button, eventually, labeled, link, reads, region, settled, textOf } from "../../kit/screen/visit.tsx";

const [aCall] = demo("tenant_admin", tenantCalls.listCalls) as [ListedCall, ...ListedCall[]];
const facts = demo("tenant_admin", tenant.tenantInfo);
const aTenant = "01hzzzzzzzzzzzzzzzzzzzzzt2";
const started = { callId: "test-01hzzzzzzzzzzzzzzzzzzzzzt1", id: "a".repeat(40) };
const steps = (): string[] =>
  within(screen.getByRole("list", { name: "Steps" }))
    .getAllByRole("listitem")
    .map(textOf);
const open = (before: (api: FakeApi) => void = () => {}, address = "/tenant/setup?platform=vapi") =>
  asTenant(address, {
    before: (api) => {
      api.on(tenantCalls.listCalls, () => []);
      api.on(tenant.tenantInfo, ({ query }) => ({ ...facts, apiKey: query.withKey === false ? null : "vtl_the_key" }));
      api.on(testCalls.startTestCall, () => started);
      api.on(testCalls.endTestCall, () => undefined);
      api.on(vapi.vapiToolCall, () => ({
        results: [{ toolCallId: "1", name: "x", result: '{"speech":"The records are connected.","data":{}}' }],
      }));
      before(api);
    },
  });

describe("the guided set-up", () => {
  test("ticks a step off by data alone", async () => {
    await open((api) => {
      api.on(tenantCalls.listCalls, () => [
        { ...aCall, platform: "vapi" as const, toolsUsed: ["getPatientInfo"], status: "completed" as const },
      ]);
      api.on(apiKeys.listApiKeys, () => []);
    });
    await settled();
    expect(steps().map((text) => text.includes(", done"))).toEqual([false, false, true, true, true]);
    expect(steps()[1]).toMatch(/^Try the tools in a test call, not done yet/);
  });

  test("says plainly what a test call in the browser is not", async () => {
    await open();
    const panel = region("Test call in the browser");
    expect(textOf(panel)).toMatch(/It is not a phone call: no speech, no language model and no request of Vapi itself/);
  });

  test("sends a chosen tool to the platform's own address with the key, and shows what the caller hears", async () => {
    const { api, user } = await open();
    await user.click(button("Start test call"));
    await user.click(await screen.findByRole("button", { name: /^Run/ }));
    await reads(() => screen.getByRole("list", { name: "Test call" }), /The agent uses getFhirProviders .* The records are connected\./);
    expect(api.received(vapi.vapiToolCall)).toMatchObject([
      { token: "vtl_the_key", body: { message: { type: "tool-calls", call: { id: started.callId } } } },
    ]);
    await user.click(button("End test call"));
    await eventually(() =>
      expect(link(/where it is marked as a test/).getAttribute("href")).toBe(`/tenant?tab=analytics&call=${started.id}`),
    );
    expect(api.received(testCalls.endTestCall).map(({ body }) => body)).toEqual([{ platform: "vapi", callId: started.callId }]);
    expect(api.received(tenantCalls.listCalls).length).toBeGreaterThan(1);
  });

  test("asks before a tool that changes something is sent", async () => {
    const { api, user } = await open();
    await user.click(button("Start test call"));
    await user.selectOptions(await screen.findByLabelText<HTMLSelectElement>("What the agent does next"), "sendSMS");
    await user.click(button(/^Run/));
    const question = await screen.findByRole("alertdialog");
    expect(textOf(question)).toContain("Change it for real?");
    await user.click(button("Cancel", question));
    expect(api.received(vapi.vapiToolCall)).toEqual([]);
  });

  test("says when the platform's address refuses, and keeps the call", async () => {
    const { user } = await open((api) => api.on(vapi.vapiToolCall, () => new Reply({ error: "no" }, { status: 401 })));
    await user.click(button("Start test call"));
    await user.click(await screen.findByRole("button", { name: /^Run/ }));
    await reads(() => region("Test call in the browser"), /\/api\/vapi\/tool-call answered with status 401/);
    expect(labeled("What the agent does next")).toBeTruthy();
  });

  test("offers no test call to operators who view as the tenant, as they get no key", async () => {
    await asTenant("/tenant/setup", { me: { viewAs: { tenantId: aTenant, tenantName: "Lakeside", until: "2030-01-01T00:00:00.000Z" } } });
    await settled();
    expect(textOf(region("Test call in the browser"))).toContain("which is not read while you view as the tenant");
    expect(screen.queryByRole("button", { name: "Start test call" })).toBeNull();
  });
});
