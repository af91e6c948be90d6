import type { DiscoveredFhirServer, FhirPreset, FhirProvider } from "@vitaline/contract";
import type { UseFormReturn } from "react-hook-form";
import type { useRequestForm } from "../../lib/forms/use-request-form.ts";
import type { ProviderBody, ProviderValues } from "./provider-form.ts";

/** What each part of the dialog is given. */
export type ProviderFieldsProps = {
  /** The one that is changed; undefined for a new one. */ provider: FhirProvider | undefined;
  field: ReturnType<typeof useRequestForm<ProviderValues, ProviderBody>>["field"];
  form: Pick<UseFormReturn<ProviderValues, unknown, ProviderBody>, "watch" | "getValues" | "setValue" | "trigger">;
  presets: readonly FhirPreset[];
  /** Asks a server for its addresses and scopes. */ discover: ((baseUrl: string) => Promise<DiscoveredFhirServer>) | undefined;
  mayUsePlatformKey: boolean;
};

/** For what a button puts into the form, which counts as typed. */
export const asTyped = { shouldDirty: true } as const;
