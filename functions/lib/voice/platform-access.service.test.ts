import { callerMark, verifyCallToken } from "@vitaline/api-keys";
import { create, keys, type TenantContext, type VoiceAgentRow, type VoiceProviderRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { platformAccess } from "./platform-access.ts";

let it: TestAws;
const voiceProviderId = `${"0".repeat(25)}a`;
const both = { providerType: "openai", isActive: true, createdAt: "2026-11-20T00:00:00.000Z" } as const;
const provider = { ...both, id: voiceProviderId, providerName: "OpenAI", settings: "{}", hasWebhookSecret: true } as VoiceProviderRow;
const agent: VoiceAgentRow = { ...both, id: "a", voiceProviderId, externalAgentId: "gpt-realtime-2", agentName: "A" };
beforeAll(async () => {
  it = await startTestAws();
  const [id, other] = it.tenants;
  for (const each of [id, other]) await addTenantRow(it.platform(), each, "Clinic");
  const hook = create(keys.hook(voiceProviderId), { tenantId: id, providerType: "openai", isActive: true });
  const audit = { category: "configuration_change", action: "voiceProvider.create", resourceType: "VoiceProvider" } as const;
  await it.inTenant(id).store.commit([hook], audit);
});
afterAll(() => it.close());

const markOf = async (ctx: TenantContext, callerNumber?: string): Promise<string | undefined> => {
  const tenant = (await ctx.store.get(keys.tenantConfig()))!;
  const incoming = { platform: "openai", callId: "rtc_1", ...(callerNumber === undefined ? {} : { callerNumber }) } as const;
  const token = platformAccess(ctx, voiceProviderId).callToken(incoming, { agent, provider, tenant });
  return (await verifyCallToken(it.platform(), [token])).callerMark;
};

test("a call token contains a hash of the caller's number in any notation, and none for a withheld or missing number", async () => {
  const [id, other] = it.tenants;
  const mark = callerMark(id, "16175550123");
  for (const spelled of ["+16175550123", "+1 (617) 555-0123"]) expect(await markOf(it.inTenant(id), spelled)).toBe(mark);
  expect(callerMark(other, "16175550123")).not.toBe(mark);
  for (const none of [undefined, "", "anonymous", "ANONYMOUS", "266696687", "+266696687", "7378742833", "Restricted", "100"])
    expect(await markOf(it.inTenant(id), none)).toBeUndefined();
});
