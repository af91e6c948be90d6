import * as z from "zod/mini";
import { Id, Instant, line, Nothing } from "../http/fields.ts";
import { routes } from "../http/route.ts";

export const VoiceProviderType = z.enum(["vapi", "elevenlabs", "retellai", "openai"]);
export type VoiceProviderType = z.infer<typeof VoiceProviderType>;

/** A JSON object, limited to some bytes of JSON text. */
export const jsonObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .check(z.refine((object) => jsonBytes(object) <= maxBytes, `Must be a JSON object of at most ${maxBytes / 1024} KB`));
const jsonBytes = (object: object): number => {
  try {
    return new TextEncoder().encode(JSON.stringify(object)).length;
  } catch {
    // Too deep for JSON.stringify.
    return Number.POSITIVE_INFINITY;
  }
};

/** A header value. */
const secret = z
  .string("API key is required")
  .check(z.trim(), z.maxLength(500, "Must be at most 500 characters"), z.regex(/^[\x21-\x7e]*$/, "Must not contain spaces or accents"));
const newSecret = secret.check(z.minLength(1, "API key is required"));
/** An optional new secret: "", null and absent keep the current one. */
const keptSecret = z.optional(
  z.pipe(
    z.nullable(secret),
    z.transform((text) => text || undefined),
  ),
);
const blank = z.pipe(z.string().check(z.trim()), z.literal(""));
/** Absent keeps the value; blank text and null clear it. */
const clearable = <S extends z.ZodMiniType<string, string>>(text: S) =>
  z.optional(
    z.pipe(
      z.union([blank, z.null(), text]),
      z.transform((typed) => typed || null),
    ),
  );
const baseUrl = clearable(z.string().check(z.trim(), z.maxLength(500), z.url("Must be a valid URL")));
const shortLine = clearable(line(200));
const settings = jsonObject(8 * 1024);

export const VoiceProvider = z.object({
  id: Id,
  tenantId: Id,
  providerType: VoiceProviderType,
  providerName: z.string(),
  config: z.object({
    baseUrl: z.nullable(z.string()),
    model: z.nullable(z.string()),
    voice: z.nullable(z.string()),
    settings: z.record(z.string(), z.unknown()),
    hasApiKey: z.boolean(),
    /** Absent if the key is too short. */
    apiKeyLast4: z.nullable(z.string()),
    hasWebhookSecret: z.boolean(),
    /** The platform's webhook address. */
    webhookUrl: z.url(),
  }),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  createdAt: Instant,
  version: z.number(),
});
export type VoiceProvider = z.infer<typeof VoiceProvider>;

export const NewVoiceProvider = z.strictObject({
  providerType: VoiceProviderType,
  providerName: line(200, "Provider name is required"),
  config: z.strictObject({
    apiKey: newSecret,
    baseUrl,
    model: shortLine,
    voice: shortLine,
    settings: z._default(settings, {}),
  }),
  webhookSecret: keptSecret,
  isDefault: z._default(z.boolean(), false),
  isActive: z._default(z.boolean(), true),
});
export type NewVoiceProvider = z.infer<typeof NewVoiceProvider>;

const answered = VoiceProvider.shape.config.shape;
/** Absent keeps the value. Read-only fields about secrets from a response's `config` are accepted and ignored. */
export const ChangedVoiceProvider = z.strictObject({
  providerType: z.optional(VoiceProviderType),
  providerName: z.optional(line(200, "Provider name is required")),
  config: z.optional(
    z.strictObject({
      apiKey: keptSecret,
      baseUrl,
      model: shortLine,
      voice: shortLine,
      settings: z.optional(settings),
      hasApiKey: z.optional(answered.hasApiKey),
      apiKeyLast4: z.optional(answered.apiKeyLast4),
      hasWebhookSecret: z.optional(answered.hasWebhookSecret),
      webhookUrl: z.optional(answered.webhookUrl),
    }),
  ),
  webhookSecret: keptSecret,
  removeWebhookSecret: z.optional(z.boolean()),
  isDefault: z.optional(z.boolean()),
  isActive: z.optional(z.boolean()),
});
export type ChangedVoiceProvider = z.infer<typeof ChangedVoiceProvider>;

/** An entry of the list over all tenants. */
export const ListedVoiceProvider = z.object({
  id: Id,
  tenantId: Id,
  tenantName: z.string(),
  providerType: VoiceProviderType,
  providerName: z.string(),
  isActive: z.boolean(),
  createdAt: Instant,
});
export type ListedVoiceProvider = z.infer<typeof ListedVoiceProvider>;

/** An agent in its platform's list. */
export const ProviderAgent = z.object({ id: z.string(), name: z.string(), description: z.nullable(z.string()), isActive: z.boolean() });
export type ProviderAgent = z.infer<typeof ProviderAgent>;

/** Pages of a tenant's list; usually one. */
export const VoicePage = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 200),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});
/** Pages of the list over all tenants, newest first. */
export const NewestPage = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 100),
  cursor: z.optional(z.string().check(z.maxLength(2048))),
});

export const voiceProviders = routes({
  listVoiceProviders: {
    method: "GET",
    path: "/api/admin/tenants/{tenantId}/voice-providers",
    auth: "system_admin",
    summary: "List a tenant's voice providers",
    params: z.object({ tenantId: Id }),
    query: VoicePage,
    response: z.array(VoiceProvider),
  },
  createVoiceProvider: {
    method: "POST",
    path: "/api/admin/tenants/{tenantId}/voice-providers",
    auth: "system_admin",
    summary: "Connect a tenant to a voice platform",
    status: 201,
    params: z.object({ tenantId: Id }),
    body: NewVoiceProvider,
    response: VoiceProvider,
  },
  updateVoiceProvider: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/voice-providers/{id}",
    auth: "system_admin",
    summary: "Change a voice provider; omitted fields, including secrets, stay",
    params: z.object({ tenantId: Id, id: Id }),
    body: ChangedVoiceProvider,
    response: VoiceProvider,
  },
  deleteVoiceProvider: {
    method: "DELETE",
    path: "/api/admin/tenants/{tenantId}/voice-providers/{id}",
    auth: "system_admin",
    summary: "Delete an inactive voice provider that no agent uses",
    status: 204,
    params: z.object({ tenantId: Id, id: Id }),
    response: Nothing,
  },
  listProviderAgents: {
    method: "GET",
    path: "/api/admin/voice-providers/{providerId}/agents",
    auth: "system_admin",
    summary: "List the agents at a voice platform; header vitaline-incomplete if there are more than a thousand",
    params: z.object({ providerId: Id }),
    response: z.array(ProviderAgent),
  },
  listAllVoiceProviders: {
    method: "GET",
    path: "/api/admin/voice-providers",
    auth: "system_admin",
    summary: "List the voice providers of all tenants, newest first",
    query: NewestPage,
    response: z.array(ListedVoiceProvider),
  },
});

/** A voice provider in the tenant's own list. Its credentials are set by system administrators, and by the tenant where its policies allow it. */
export const OwnVoiceProvider = z.object({
  id: Id,
  providerType: VoiceProviderType,
  providerName: z.string(),
  /** The platform's webhook address. */
  webhookUrl: z.url(),
  isDefault: z.boolean(),
  isActive: z.boolean(),
});
export type OwnVoiceProvider = z.infer<typeof OwnVoiceProvider>;

export const tenantVoiceProviders = routes({
  listOwnVoiceProviders: {
    method: "GET",
    path: "/api/tenant/voice-providers",
    auth: "tenant_admin",
    summary: "List the voice platforms that the tenant is connected to",
    query: VoicePage,
    response: z.array(OwnVoiceProvider),
  },
  readOwnVoiceProvider: {
    method: "GET",
    path: "/api/tenant/voice-providers/{providerId}",
    auth: "tenant_admin",
    summary: "Read one of the tenant's voice providers, where it may set them up itself",
    params: z.object({ providerId: Id }),
    response: VoiceProvider,
  },
  createOwnVoiceProvider: {
    method: "POST",
    path: "/api/tenant/voice-providers",
    auth: "tenant_admin",
    summary: "Connect the tenant to a voice platform, where it may do so itself",
    status: 201,
    body: NewVoiceProvider,
    response: VoiceProvider,
  },
  updateOwnVoiceProvider: {
    method: "PUT",
    path: "/api/tenant/voice-providers/{providerId}",
    auth: "tenant_admin",
    summary: "Change one of the tenant's voice providers, where it may do so itself; omitted fields, including secrets, stay",
    params: z.object({ providerId: Id }),
    body: ChangedVoiceProvider,
    response: VoiceProvider,
  },
  deleteOwnVoiceProvider: {
    method: "DELETE",
    path: "/api/tenant/voice-providers/{providerId}",
    auth: "tenant_admin",
    summary: "Delete one of the tenant's inactive voice providers that no agent uses, where it may do so itself",
    status: 204,
    params: z.object({ providerId: Id }),
    response: Nothing,
  },
  listOwnProviderAgents: {
    method: "GET",
    path: "/api/tenant/voice-providers/{providerId}/agents",
    auth: "tenant_admin",
    summary: "List the tenant's agents at a voice platform; header vitaline-incomplete if there are more than a thousand",
    params: z.object({ providerId: Id }),
    response: z.array(ProviderAgent),
  },
});
