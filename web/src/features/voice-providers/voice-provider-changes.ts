import { ChangedVoiceProvider, type VoiceProvider } from "@vitaline/contract";
import * as z from "zod/mini";
import { type ReadVoiceProvider, Typed, type TypedVoiceProvider, valuesOf } from "./voice-provider-values.ts";

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const changed = <T extends object>(after: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof T]))) as Partial<T>;

/** Only the changed fields; empty secrets keep the stored ones. */
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

/** Labels of the changed fields. */
export const differences = (before: VoiceProvider, after: VoiceProvider): string[] =>
  Object.keys(changed(shown(after), shown(before))).map((name) => labels[name as keyof typeof labels]);
