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
    expect(api.received(tenant.tenantInfo).filter(({ query }) => query.withKey !== false)).toMatchObject([
      { query: { purpose: "test_call" } },
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

  const answering = (speech: string) => (api: FakeApi) =>
    api.on(vapi.vapiToolCall, () => ({ results: [{ toolCallId: "1", name: "x", result: JSON.stringify({ speech, data: {} }) }] }));
  const toolsAsked = (api: FakeApi) =>
    api.received(vapi.vapiToolCall).map(({ body }) => {
      const { message } = body as unknown as { message: { toolCallList: { function: { name: string; arguments: unknown } }[] } };
      return message.toolCallList[0]?.function;
    });
  const caller = () => labeled<HTMLInputElement>("What the caller says");
  const dialogue = () => screen.getByRole("list", { name: "Test call" });

  test("takes what a caller says to the same address at Enter, keeps it in view, and reads the answer out", async () => {
    const { api, user } = await open(answering("We're open from 9 to 5."));
    await user.click(button("Start test call"));
    await user.type(await screen.findByLabelText("What the caller says"), "Are you open on Monday?{Enter}");
    await reads(dialogue, /The caller: Are you open on Monday\? ?The agent uses getOfficeInfo .*We're open from 9 to 5\./);
    expect(toolsAsked(api)).toEqual([{ name: "getOfficeInfo", arguments: { topic: "Are you open on Monday?" } }]);
    expect(caller().value).toBe("");
    expect(document.activeElement).toBe(caller());
    expect(screen.getAllByRole("status").map(textOf)).toContain("getOfficeInfo: We're open from 9 to 5.");
  });

  test("says plainly which words it does not understand, and what it does", async () => {
    const { api, user } = await open(answering("I don't have that information. Would you like me to take your question for the staff?"));
    await user.click(button("Start test call"));
    await user.type(await screen.findByLabelText("What the caller says"), "purple elephants{Enter}");
    await reads(dialogue, /did not understand these words.*You can type a question about the office/);
    await user.type(caller(), "yes{Enter}");
    await eventually(() => expect(toolsAsked(api).at(-1)).toMatchObject({ name: "logRoutingEvent", arguments: { outcome: "callback" } }));
    await user.type(caller(), "no{Enter}");
    await reads(dialogue, /Nothing was sent/);
    expect(toolsAsked(api)).toHaveLength(2);
  });

  test("asks before typed words change a record", async () => {
    const { api, user } = await open(answering("Tomorrow at 9 is open. Shall I book it?"));
    await user.click(button("Start test call"));
    await user.type(await screen.findByLabelText("What the caller says"), "tomorrow at 9{Enter}");
    await reads(dialogue, /Shall I book it/);
    await user.type(caller(), "yes{Enter}");
    await user.click(button("Run tool", await screen.findByRole("alertdialog")));
    await eventually(() =>
      expect(toolsAsked(api).map((one) => one?.arguments)).toEqual([
        { action: "find", date: "tomorrow at 9" },
        { action: "book", date: "tomorrow at 9" },
      ]),
    );
  });

  test("keeps words that were not sent, and says what to do", async () => {
    const { api, user } = await open((fake) => fake.on(vapi.vapiToolCall, () => new Reply({ error: "no" }, { status: 401 })));
    await user.click(button("Start test call"));
    await user.type(await screen.findByLabelText("What the caller says"), "{Enter}");
    await reads(() => region("Test call in the browser"), /Type what the caller says, such as/);
    await user.type(caller(), "x".repeat(201));
    await user.click(button("Send"));
    await reads(() => region("Test call in the browser"), /Shorten it to 200 characters/);
    expect(api.received(vapi.vapiToolCall)).toEqual([]);
    await user.clear(caller());
    await user.type(caller(), "Are you open?{Enter}");
    await reads(() => region("Test call in the browser"), /answered with status 401.*End the test call and start another/);
    expect(caller().value).toBe("Are you open?");
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
