import { ChangedVoiceProvider, NewVoiceAgent, NewVoiceProvider, type VoiceProviderType } from "@vitaline/contract";
import { createOffice, updateOffice } from "@vitaline/offices";
import { create, keys, type TenantContext } from "@vitaline/store";
import { createTenant, updateTenant } from "@vitaline/tenants";
import { createVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { assignVoiceAgent, updateVoiceAgent, findAnsweringAgent } from "./index.ts";

let it: TestAws;
let ctx: TenantContext;
let other: TenantContext;
beforeAll(async () => void (it = await startTestAws()));
afterAll(() => it.close());

const profile = { name: "Clinic", organizationType: "clinic", contactEmail: "office@clinic.example" } as const;
const clinic = async (): Promise<TenantContext> => it.inTenant((await createTenant(it.platform(), profile)).id);
beforeEach(async () => void ([ctx, other] = [await clinic(), await clinic()]));

const number = "+16175550142";
const office = async (name: string, phone?: string, of = ctx) =>
  (await createOffice(of, { name, isActive: true, address: undefined, phone, email: undefined })).id;
const provider = async (providerType: VoiceProviderType = "vapi", isDefault = false, of = ctx) =>
  (
    await createVoiceProvider(
      of,
      NewVoiceProvider.parse({ providerType, providerName: providerType, config: { apiKey: "key-1234567890" }, isDefault }),
    )
  ).id;
const agent = async (voiceProviderId: string, externalAgentId: string, officeId?: string, of = ctx) =>
  (await assignVoiceAgent(of, officeId, NewVoiceAgent.parse({ voiceProviderId, externalAgentId, agentName: externalAgentId }))).id;
const answers = async (asked: Partial<Parameters<typeof findAnsweringAgent>[1]> = {}, of = ctx): Promise<string | undefined> =>
  (await findAnsweringAgent(of, { platform: "vapi", ...asked }))?.agent.externalAgentId;
const switchProvider = (id: string, isActive: boolean) => updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse({ isActive }), undefined);

test("the agent of the called office answers, with its provider, tenant and office, for one Query", async () => {
  const [main, north] = [await office("Main", "(617) 555-0142"), await office("North", "617-555-0143")];
  const vapi = await provider();
  await agent(vapi, "tenants-own");
  await agent(vapi, "of-main", main);
  await agent(vapi, "of-north", north);
  it.resetUsage();
  expect(await findAnsweringAgent(ctx, { platform: "vapi", calledNumber: number })).toMatchObject({
    agent: { externalAgentId: "of-main", officeId: main },
    provider: { id: vapi, providerType: "vapi" },
    tenant: { id: ctx.tenantId, name: "Clinic" },
    office: { id: main, name: "Main" },
  });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query"]);
  expect(await answers({ calledNumber: "+16175550143" })).toBe("of-north");
  expect(await answers({ calledNumber: number }, other)).toBeUndefined();
});

test("an assigned agent named by the platform is the only candidate", async () => {
  const main = await office("Main", number);
  const vapi = await provider();
  await agent(vapi, "of-main", main);
  const named = await agent(vapi, "named");
  expect(await answers({ agentId: "named", calledNumber: number })).toBe("named");
  await updateVoiceAgent(ctx, { id: named }, { isActive: false }, undefined);
  expect(await answers({ agentId: "named", calledNumber: number })).toBeUndefined();
  expect(await answers({ agentId: "of-main" })).toBe("of-main");
  expect(await answers({ agentId: "never-assigned", calledNumber: number })).toBe("of-main");
  expect(await answers({ platform: "retellai", agentId: "of-main" })).toBeUndefined();
  expect(await answers({ platform: "mcp", agentId: "of-main", calledNumber: number })).toBeUndefined();
});

test("without an office or agent for the called number, the tenant's own agent answers, the oldest of several", async () => {
  const [main, bare] = [await office("Main", number), await office("Bare", "617-555-0144")];
  const vapi = await provider();
  await agent(vapi, "of-main", main);
  expect(await answers({ calledNumber: "+16175550199" })).toBeUndefined();
  const first = await agent(vapi, "own-first");
  await agent(vapi, "own-second");
  for (const calledNumber of ["+16175550199", "617 555 0144", "sip:x@y", undefined])
    expect(await answers(calledNumber === undefined ? {} : { calledNumber })).toBe("own-first");
  expect((await findAnsweringAgent(ctx, { platform: "vapi", calledNumber: "617 555 0144" }))?.office?.id).toBe(bare);
  expect((await findAnsweringAgent(ctx, { platform: "vapi" }))?.office).toBeUndefined();
  await updateVoiceAgent(ctx, { id: first }, { isActive: false }, undefined);
  expect(await answers()).toBe("own-second");
});

test("a number shared by two offices belongs to neither", async () => {
  const [main, annex] = [await office("Main", number), await office("Annex", "617.555.0142")];
  const vapi = await provider();
  await agent(vapi, "of-main", main);
  await agent(vapi, "of-annex", annex);
  expect(await answers({ calledNumber: number })).toBeUndefined();
  await agent(vapi, "own");
  expect(await answers({ calledNumber: number })).toBe("own");
});

test("the default voice provider answers numbers without an assignment, by any of its agents and on its platform alone", async () => {
  const main = await office("Main");
  const [plain, standard] = [await provider(), await provider("vapi", true)];
  await agent(plain, "plain", main);
  expect(await answers({ calledNumber: number })).toBeUndefined();
  await agent(standard, "standard-first", main);
  await agent(standard, "standard-second", main);
  expect(await answers({ calledNumber: number })).toBe("standard-first");
  expect((await findAnsweringAgent(ctx, { platform: "vapi" }))?.office?.id).toBe(main);
  expect(await answers({ platform: "retellai", calledNumber: number })).toBeUndefined();
  await switchProvider(standard, false);
  expect(await answers({ calledNumber: number })).toBeUndefined();
});

test("the default provider's agent answers even if another provider's is older; the other answers requests it signed", async () => {
  const main = await office("Main", number);
  const [older, standard] = [await provider(), await provider("vapi", true)];
  await agent(older, "older-own");
  const own = await agent(standard, "standard-own");
  await agent(standard, "standard-own-later");
  await agent(standard, "standard-of-north", await office("North", "617-555-0143"));
  for (const calledNumber of [number, "+16175550199"]) expect(await answers({ calledNumber })).toBe("standard-own");
  expect(await answers()).toBe("standard-own");
  expect([await answers({ voiceProviderId: older }), await answers({ voiceProviderId: standard })]).toEqual(["older-own", "standard-own"]);
  await agent(older, "older-of-main", main);
  expect(await answers({ calledNumber: number })).toBe("older-of-main");

  await updateVoiceAgent(ctx, { id: own }, { isActive: false }, undefined);
  expect(await answers()).toBe("standard-own-later");
  await updateVoiceProvider(ctx, standard, ChangedVoiceProvider.parse({ isDefault: false }), undefined);
  expect(await answers()).toBe("older-own");
  await updateVoiceProvider(ctx, standard, ChangedVoiceProvider.parse({ isDefault: true, isActive: false }), undefined);
  expect(await answers()).toBe("older-own");
});

test("only the provider that signed the request answers", async () => {
  const main = await office("Main", number);
  const [a, b] = [await provider(), await provider()];
  await agent(a, "of-a", main);
  await agent(b, "of-b");
  expect(await answers({ calledNumber: number, voiceProviderId: a })).toBe("of-a");
  expect(await answers({ calledNumber: number, voiceProviderId: b })).toBe("of-b");
  expect(await answers({ agentId: "of-a", voiceProviderId: b })).toBeUndefined();
  expect(await answers({ voiceProviderId: await provider("vapi", false, other) })).toBeUndefined();
});

test("an inactive agent, provider, office or tenant does not answer", async () => {
  const main = await office("Main", number);
  const vapi = await provider("vapi", true);
  const ofMain = await agent(vapi, "of-main", main);
  const asked = { calledNumber: number };
  expect(await answers(asked)).toBe("of-main");

  await updateVoiceAgent(ctx, { id: ofMain }, { isActive: false }, undefined);
  expect(await answers(asked)).toBeUndefined();
  await updateVoiceAgent(ctx, { id: ofMain }, { isActive: true }, undefined);

  await switchProvider(vapi, false);
  expect(await answers(asked)).toBeUndefined();
  await switchProvider(vapi, true);

  await updateOffice(ctx, main, { name: "Main", isActive: false });
  expect(await answers(asked)).toBeUndefined();
  expect(await answers({ agentId: "of-main" })).toBeUndefined();
  await agent(vapi, "own");
  expect(await answers(asked)).toBe("own");
  await updateOffice(ctx, main, { name: "Main", isActive: true });
  expect(await answers(asked)).toBe("of-main");

  await updateTenant(it.platform(), ctx.tenantId, { ...profile, isActive: false });
  expect(await answers(asked)).toBeUndefined();
  expect(await answers(asked, it.inTenant("0".repeat(26)))).toBeUndefined();
});

test("among rows of every other kind, and two hundred offices, the right one still answers", async () => {
  const vapi = await provider();
  const main = await office("Main", number);
  await agent(vapi, "of-main", main);
  const made = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
  for (const part of [0, 1, 2])
    await ctx.store.commit(
      Array.from({ length: 70 }, (_, n) => 1000 + part * 70 + n).map((n) =>
        create(keys.office(String(n)), {
          id: String(n),
          name: `Office ${n}`,
          phone: `617556${n}`,
          isActive: true,
          createdAt: "2026-11-20",
        }),
      ),
      made,
    );
  await ctx.store.commit([create(keys.tenantFhirProvider("fhir-1"), { id: "fhir-1" })], made);
  expect(await findAnsweringAgent(ctx, { platform: "vapi", calledNumber: number })).toMatchObject({
    agent: { externalAgentId: "of-main" },
    provider: { id: vapi },
    tenant: { id: ctx.tenantId },
    office: { id: main },
  });
});
