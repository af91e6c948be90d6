import type { FhirPreset, FhirProvider } from "@vitaline/contract";
import { emptyValues, type ProviderValues } from "./provider-form.ts";

type Address = "baseUrl" | "redirectUri" | "authUrl" | "tokenUrl" | "scopes";
const presetFields: readonly Address[] = ["baseUrl", "redirectUri", "authUrl", "tokenUrl", "scopes"];

/** What choosing a type fills in: a field that is empty, or holds what a preset put there; what a person has typed stays. */
export const presetValues = (
  values: Pick<ProviderValues, Address>,
  providerType: FhirProvider["providerType"],
  presets: readonly FhirPreset[],
): Partial<Pick<ProviderValues, Address>> => {
  const chosen = presets.find((preset) => preset.providerType === providerType);
  const isOurs = (field: Address): boolean =>
    ["", emptyValues[field]].includes(values[field]) || presets.some((preset) => preset[field] === values[field]);
  return Object.fromEntries(presetFields.filter(isOurs).map((field) => [field, chosen?.[field] ?? emptyValues[field]]));
};
