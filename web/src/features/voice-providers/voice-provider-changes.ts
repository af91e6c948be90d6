import { ChangedVoiceProvider, type VoiceProvider } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../lib/forms/use-edit-form.ts";
import { type ReadVoiceProvider, Typed, type TypedVoiceProvider, valuesOf } from "./voice-provider-values.ts";

const changed = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    changedFields(Object.keys(after) as (keyof T & string)[], before, after).map((name) => [name, after[name]]),
  ) as Partial<T>;

/** Only the changed fields; empty secrets keep the stored ones. */
const asChange =
  (begun: VoiceProvider) =>
  ({ config, providerType: _fixed, ...typed }: ReadVoiceProvider): z.input<typeof ChangedVoiceProvider> => {
    const { config: begunConfig, providerType: _same, ...before } = valuesOf(begun);
    const configChange = changed({ ...begunConfig, settings: begun.config.settings }, config);
    return { ...changed(before, typed), ...(Object.keys(configChange).length > 0 && { config: configChange }) };
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
};
const names = Object.keys(labels) as (keyof typeof labels)[];

const shown = ({ providerName, isDefault, isActive, config: { baseUrl, model, voice, settings } }: VoiceProvider) => ({
  ...{ providerName, isDefault, isActive, baseUrl, model, voice, settings },
});

/** Labels of the changed fields. */
export const differences = (before: VoiceProvider, after: VoiceProvider): string[] =>
  changedFields(names, shown(before), shown(after)).map((name) => labels[name]);
