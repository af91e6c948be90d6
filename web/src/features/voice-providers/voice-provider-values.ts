import { NewVoiceProvider, type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import * as z from "zod/mini";

const JsonText = z.pipe(
  z.string(),
  z.transform((text, context): Record<string, unknown> => {
    try {
      const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {
      // Reported below.
    }
    context.issues.push({ code: "custom", message: 'Must be a JSON object, like {"model": {}}', input: text });
    return {};
  }),
);

/** Form values. An empty secret keeps the stored one. */
export const Typed = z.object({
  providerType: VoiceProviderType,
  providerName: z.string(),
  config: z.object({ apiKey: z.string(), baseUrl: z.string(), model: z.string(), voice: z.string(), settings: JsonText }),
  webhookSecret: z.string(),
  removeWebhookSecret: z.boolean(),
  isDefault: z.boolean(),
  isActive: z.boolean(),
});
export type TypedVoiceProvider = z.input<typeof Typed>;
export type ReadVoiceProvider = z.output<typeof Typed>;

/** Vapi has a fixed address, and its assistants name their models. */
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

export const fieldNames = [
  ...(["providerName", "webhookSecret", "config.apiKey", "config.baseUrl", "config.model", "config.voice", "config.settings"] as const),
];
