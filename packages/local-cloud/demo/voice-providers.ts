import { randomBytes } from "node:crypto";
import type { SandboxVoice } from "@vitaline/sandbox-voice";
import { createOnce, requestOk, updateExisting } from "./client.ts";
import { plannedVoices, type PlannedTenant, type PlannedVoice } from "./plan.ts";
import type { SeededTenant, SeededVoiceProvider } from "./state.ts";

type Seeding = { origin: string; token: string; voice: Pick<SandboxVoice, "baseUrl">; save(): void };
type Provider = { id: string; providerName: string; config: { webhookUrl: string } };
type ProviderNote = SeededVoiceProvider & { id: string };

/** Registers a tenant's accounts at the sandbox's voice platforms and an agent for each. Idempotent. */
export async function ensureVoiceProviders(seeding: Seeding, tenant: SeededTenant, plan: PlannedTenant, tenantId: string): Promise<void> {
  for (const voice of plannedVoices) {
    const provider = (tenant.voiceProviders[voice.providerType] ??= newProvider(voice, plan));
    seeding.save();
    await ensureRegistered(seeding, voice, provider, tenantId);
    const officeId = "office" in voice ? tenant.offices.at(voice.office)?.id : undefined;
    if (hasId(provider))
      await ensureAgent(seeding, voice, provider, officeId === undefined ? `tenants/${tenantId}` : `offices/${officeId}`);
  }
}

const hasId = (provider: SeededVoiceProvider): provider is ProviderNote => provider.id !== undefined;

const newProvider = (voice: PlannedVoice, { offices, contactPhone }: PlannedTenant): SeededVoiceProvider => ({
  webhookSecret: newSecret(voice),
  agentId: voice.agentId,
  calledNumber: (offices.at("office" in voice ? voice.office : 0)?.phone ?? contactPhone).replaceAll(" ", ""),
  isAssigned: false,
});

const newSecret = ({ providerType }: PlannedVoice): string =>
  providerType === "openai" ? `whsec_${randomBytes(24).toString("base64")}` : randomBytes(24).toString("hex");

const keyAt = (providerType: string, tenantId: string): string => `sandbox-key-of-${providerType}-${tenantId}`;

/** Updates a registered provider only where the sandbox moved or the key changed. */
async function ensureRegistered(
  { origin, token, voice, save }: Seeding,
  planned: PlannedVoice,
  provider: SeededVoiceProvider,
  tenantId: string,
): Promise<void> {
  const baseUrl = voice.baseUrl(planned.providerType);
  const { providerType, providerName } = planned;
  const apiKey = keyAt(providerType, tenantId);
  if (provider.baseUrl === baseUrl && provider.apiKey === apiKey) return;
  const path = `/api/admin/tenants/${tenantId}/voice-providers`;
  const { webhookSecret } = provider;
  const isDefault = "isDefault" in planned;
  const config = { apiKey, baseUrl, settings: {}, ...("config" in planned ? planned.config : {}) };
  const known = provider.id ?? (await registeredAs(origin, token, path, providerName));
  const registered = known
    ? // The API requires the key again when the address changes
      await updateExisting<Provider>(origin, `${path}/${known}`, { token, body: { webhookSecret, config: { apiKey, baseUrl } } })
    : await requestOk<Provider>(origin, `POST ${path}`, { token, body: { providerType, providerName, config, webhookSecret, isDefault } });
  if (registered) {
    const webhookPath = new URL(registered.config.webhookUrl).pathname;
    Object.assign(provider, { id: registered.id, baseUrl, apiKey, webhookPath } satisfies Partial<SeededVoiceProvider>);
  } else {
    // A user has deleted it, so demo.json lists it no more.
    delete provider.webhookPath;
  }
  save();
}

const registeredAs = async (origin: string, token: string, path: string, name: string): Promise<string | undefined> =>
  (await requestOk<Provider[]>(origin, `GET ${path}`, { token })).find(({ providerName }) => providerName === name)?.id;

async function ensureAgent(
  { origin, token, save }: Seeding,
  { agentId, agentName }: PlannedVoice,
  provider: ProviderNote,
  of: string,
): Promise<void> {
  if (provider.isAssigned) return;
  const body = { voiceProviderId: provider.id, externalAgentId: agentId, agentName };
  await createOnce(origin, `/api/admin/${of}/voice-agents`, { token, body });
  provider.isAssigned = true;
  save();
}
