import { ChangedVoiceProvider, NewVoiceProvider, type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import * as z from "zod/mini";

/** A JSON object as somebody types it; blank is an empty one. */
const JsonText = z.pipe(
  z.string(),
  z.transform((text, context): Record<string, unknown> => {
    try {
      const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {
      // Told below.
    }
    context.issues.push({ code: "custom", message: 'Must be a JSON object, like {"model": {}}', input: text });
    return {};
  }),
);

/** What stands in the form. Secrets are empty where the stored ones are to be kept. */
const Typed = z.object({
  providerType: VoiceProviderType,
  providerName: z.string(),
  config: z.object({ apiKey: z.string(), baseUrl: z.string(), model: z.string(), voice: z.string(), settings: JsonText }),
  webhookSecret: z.string(),
  removeWebhookSecret: z.boolean(),
  isDefault: z.boolean(),
  isActive: z.boolean(),
});
export type TypedVoiceProvider = z.input<typeof Typed>;
type ReadVoiceProvider = z.output<typeof Typed>;

/** Vapi has one address, and its assistants name their models. */
export const hasOwnAddress = (type: VoiceProviderType): boolean => type !== "vapi";

export const noVoiceProvider: TypedVoiceProvider = {
  providerType: "vapi",
  providerName: "",
  config: { apiKey: "", baseUrl: "", model: "", voice: "", settings: "" },
  webhookSecret: "",
  removeWebhookSecret: false,
  isDefault: false,
  isActive: true,
};

const settingsText = (settings: object): string => (Object.keys(settings).length === 0 ? "" : JSON.stringify(settings, null, 2));

export const valuesOf = ({ providerType, providerName, config, isDefault, isActive }: VoiceProvider): TypedVoiceProvider => ({
  ...noVoiceProvider,
  ...{ providerType, providerName, isDefault, isActive },
  config: {
    apiKey: "",
    baseUrl: config.baseUrl ?? "",
    model: config.model ?? "",
    voice: config.voice ?? "",
    settings: settingsText(config.settings),
  },
});

const asNew = ({ removeWebhookSecret: _none, config, ...typed }: ReadVoiceProvider): z.input<typeof NewVoiceProvider> => ({
  ...typed,
  config: hasOwnAddress(typed.providerType) ? config : { ...config, baseUrl: "", model: "" },
});

export const TypedNewVoiceProvider: z.ZodMiniType<NewVoiceProvider, TypedVoiceProvider> = z.pipe(
  z.pipe(Typed, z.transform(asNew)),
  NewVoiceProvider,
);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** What is not as it was. */
const changed = <T extends object>(after: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof T]))) as Partial<T>;

/** Of what is typed, what changes `begun`: the rest is left to who else changes it, and secrets that are left empty stay. */
const asChange =
  (begun: VoiceProvider) =>
  ({ config, providerType: _fixed, ...typed }: ReadVoiceProvider): z.input<typeof ChangedVoiceProvider> => {
    const { config: begunConfig, providerType: _same, ...before } = valuesOf(begun);
    const configChange = changed(config, { ...begunConfig, settings: begun.config.settings });
    return { ...changed(typed, before), ...(Object.keys(configChange).length > 0 && { config: configChange }) };
  };

export const typedChangeOf = (begun: VoiceProvider): z.ZodMiniType<ChangedVoiceProvider, TypedVoiceProvider> =>
  z.pipe(z.pipe(Typed, z.transform(asChange(begun))), ChangedVoiceProvider);

const labels = {
  providerName: "provider name",
  isDefault: "whether it is the default",
  isActive: "whether it is active",
  baseUrl: "base URL",
  model: "model",
  voice: "default voice",
  settings: "settings",
} as const;
const shown = ({ providerName, isDefault, isActive, config: { baseUrl, model, voice, settings } }: VoiceProvider) => ({
  ...{ providerName, isDefault, isActive, baseUrl, model, voice, settings },
});

/** In words, what differs between two versions. */
export const differences = (before: VoiceProvider, after: VoiceProvider): string[] =>
  Object.keys(changed(shown(after), shown(before))).map((name) => labels[name as keyof typeof labels]);

export const fieldNames = [
  ...(["providerName", "webhookSecret", "config.apiKey", "config.baseUrl", "config.model", "config.voice", "config.settings"] as const),
];
