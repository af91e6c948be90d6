import { randomUUID } from "node:crypto";
import { maxModelCharacters, type ModelText, type TestedTool } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform();
});
afterAll(() => it.close());

type Asked = { name: string; arguments: Record<string, unknown> };
type Tenant = TestPlatform["demo"]["tenants"][number];
type VapiAnswer = { results: { result?: string; error?: string }[] };
type McpAnswer = { result: { content: { text: string }[] } };

/** What a platform takes out of its answer, by the table "What the model sees". */
const taken: Record<ModelText["platform"], (tenant: Tenant, asked: Asked) => Promise<string>> = {
  async vapi({ apiKey: key }, { name, arguments: args }) {
    const toolCallList = [{ id: "t1", type: "function", function: { name, arguments: args } }];
    const body = { message: { type: "tool-calls", call: { id: randomUUID() }, toolCallList } };
    const { json } = await it.api<VapiAnswer>("POST", "/api/vapi/tool-call", { key, body });
    return json.results.map(({ result, error }) => result ?? error ?? "").join();
  },
  async retellai({ apiKey: key }, { name, arguments: args }) {
    const body = { name, call: { call_id: randomUUID() }, args };
    return (await it.api("POST", "/api/retell/function", { key, body })).text;
  },
  async elevenlabs({ apiKey: key }, { name, arguments: body }) {
    return (await it.api("POST", `/api/elevenlabs/tool/${name}`, { key, headers: { "x-conversation-id": randomUUID() }, body })).text;
  },
  openai: (tenant, asked) => overMcp(tenant, { ...asked, _meta: { "vitaline/call-id": randomUUID() } }),
  mcp: overMcp,
};

async function overMcp({ id, apiKey: key }: Tenant, params: Asked & { _meta?: object }): Promise<string> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { json } = await it.api<McpAnswer>("POST", `/api/mcp/${id}`, { key, body });
  return json.result.content.map(({ text }) => text).join("");
}

const withoutHandle = (text: string): string => text.replace(/(?<="callHandle":")[^"]{30,}/, "(a handle)");

test.each<[string, Asked, boolean]>([
  ["found", { name: "getFhirProviders", arguments: {} }, true],
  ["refused, with what was wrong", { name: "verifyPatientIdentity", arguments: { firstName: "Robin" } }, false],
  ["an emergency", { name: "scheduleAppointment", arguments: { action: "find", reason: "chest pain" } }, true],
])("the tool console shows, to the letter, what each platform's agent sees: %s", async (_what, asked, ok) => {
  for (const tenant of it.demo.tenants.slice(0, 2)) {
    const token = await it.tokenOf(tenant.admin.email, tenant.admin.password);
    const path = `/api/tenant/tools/${asked.name}`;
    const { json } = await it.api<TestedTool>("POST", path, { token, body: { arguments: asked.arguments, confirm: true } });
    expect(json.ok).toBe(ok);
    expect(json.modelTexts.map(({ platform }) => platform)).toEqual(Object.keys(taken));
    for (const { platform, text } of json.modelTexts) {
      expect(withoutHandle(text), platform).toBe(withoutHandle(await taken[platform](tenant, asked)));
      expect(text.length).toBeLessThanOrEqual(maxModelCharacters);
      expect(text).toContain(json.speech);
    }
  }
});
