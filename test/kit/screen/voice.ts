import { tenants, voiceAgents, voiceProviders, type Tenant, type VoiceAgent, type VoiceProvider } from "@vitaline/contract";
import { demo, recordedAt } from "./demo-answers.ts";
import { refusal, type FakeApi } from "./fake-api.ts";

export const [riverside, lakeside] = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];

const idOf = (number: number): string => `01m83bhv${String(number).padStart(18, "0")}`;
const createdAt = recordedAt.toISOString();
const webhookUrlOf = (id: string): string => `https://vitaline.example/api/retell/hook/${id}`;

export const voiceProvider = (number: number, { config, ...more }: Partial<VoiceProvider> = {}): VoiceProvider => ({
  id: idOf(number),
  tenantId: riverside.id,
  providerType: "retellai",
  providerName: "Our Retell",
  config: {
    ...{ baseUrl: "https://retell.example", model: null, voice: null, settings: {}, hasApiKey: true, apiKeyLast4: "inic" },
    ...{ hasWebhookSecret: false, webhookUrl: webhookUrlOf(idOf(number)) },
    ...config,
  },
  ...{ isDefault: false, isActive: true, createdAt, version: 1 },
  ...more,
});

export const ourRetell = voiceProvider(1);
export const secondProvider = voiceProvider(2, { providerType: "elevenlabs", providerName: "Second" });

export const voiceAgent = (agentName: string, more: Partial<VoiceAgent> = {}): VoiceAgent => ({
  id: idOf(100),
  tenantId: riverside.id,
  voiceProviderId: ourRetell.id,
  providerType: "retellai",
  externalAgentId: agentName,
  agentName,
  agentData: null,
  isActive: true,
  createdAt,
  version: 1,
  ...more,
});

const stale = () => refusal(409, { error: "This has been changed in the meantime.", code: "stale_version" });

export function keepVoice(
  api: FakeApi,
  { providers = [ourRetell], agents = [] }: { providers?: VoiceProvider[]; agents?: VoiceAgent[] } = {},
) {
  const kept = { providers: [...providers], agents: [...agents] };
  api.on(voiceProviders.listVoiceProviders, ({ params }) =>
    params.tenantId === riverside.id ? kept.providers : demo("system_admin", voiceProviders.listVoiceProviders, params),
  );
  api.on(voiceProviders.createVoiceProvider, ({ body: { config, webhookSecret, ...body } }) => {
    const { apiKey, baseUrl = null, model = null, voice = null, settings } = config;
    const made = voiceProvider(50 + kept.providers.length, { ...body });
    const secrets = { apiKeyLast4: apiKey.slice(-4), hasWebhookSecret: webhookSecret !== undefined };
    kept.providers.push({ ...made, config: { ...made.config, baseUrl, model, voice, settings, ...secrets } });
    return kept.providers.at(-1) ?? made;
  });
  api.on(voiceProviders.updateVoiceProvider, ({ params, body, ifMatch }) => {
    const at = kept.providers.findIndex(({ id }) => id === params.id);
    const before = kept.providers[at] ?? ourRetell;
    if (before.version !== ifMatch) return stale();
    const { baseUrl = before.config.baseUrl, model = before.config.model, voice = before.config.voice } = body.config ?? {};
    const { providerName = before.providerName, isDefault = before.isDefault, isActive = before.isActive } = body;
    const config = { ...before.config, baseUrl, model, voice };
    return (kept.providers[at] = { ...before, providerName, isDefault, isActive, config, version: before.version + 1 });
  });
  api.on(voiceProviders.deleteVoiceProvider, ({ params, ifMatch }) => {
    const before = kept.providers.find(({ id }) => id === params.id);
    if (before?.version !== ifMatch) return stale();
    kept.providers = kept.providers.filter(({ id }) => id !== params.id);
    return undefined;
  });

  api.on(voiceAgents.listVoiceAgents, ({ params }) =>
    params.tenantId === riverside.id ? kept.agents : demo("system_admin", voiceAgents.listVoiceAgents, params),
  );
  api.on(voiceAgents.listOfficeVoiceAgents, ({ params }) => kept.agents.filter(({ officeId }) => officeId === params.officeId));
  const assign = (body: Pick<VoiceAgent, "voiceProviderId" | "externalAgentId" | "agentName" | "isActive">, officeId?: string) => {
    const { providerType } = kept.providers.find(({ id }) => id === body.voiceProviderId) ?? ourRetell;
    const { voiceProviderId, externalAgentId, agentName, isActive } = body;
    const place = officeId === undefined ? {} : { officeId };
    const made = { voiceProviderId, externalAgentId, isActive, providerType, id: idOf(200 + kept.agents.length), ...place };
    kept.agents.push(voiceAgent(agentName, made));
    return voiceAgent(agentName, made);
  };
  api.on(voiceAgents.assignVoiceAgent, ({ body }) => assign(body));
  api.on(voiceAgents.assignOfficeVoiceAgent, ({ params, body }) => assign(body, params.officeId));
  api.on(voiceAgents.updateVoiceAgent, ({ params, body, ifMatch }) => {
    const at = kept.agents.findIndex(({ id }) => id === params.id);
    const before = kept.agents[at] ?? voiceAgent("None");
    return before.version === ifMatch ? (kept.agents[at] = { ...before, ...body, version: before.version + 1 }) : stale();
  });
  api.on(voiceAgents.deleteVoiceAgent, ({ params }) => {
    kept.agents = kept.agents.filter(({ id }) => id !== params.id);
  });
  const listed = (number: number) => ({ id: `agent-${number}`, name: `Agent ${number}`, description: null, isActive: true });
  api.on(voiceProviders.listProviderAgents, () => [listed(2), listed(1)]);
  return kept;
}
