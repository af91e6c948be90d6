import {
  defaultFhirScopes,
  type DiscoveredFhirServer,
  type FhirPreset,
  type FhirProvider,
  FhirProviderChange,
  NewFhirProvider,
} from "@vitaline/contract";
import * as z from "zod/mini";
import type { UseFormReturn } from "react-hook-form";
import { changedFields } from "../../../lib/forms/use-edit-form.ts";
import type { useRequestForm } from "../../../lib/forms/use-request-form.ts";

/** Form values: strings, "" for empty. Stored secrets are not included. */
export type ProviderValues = Pick<
  FhirProvider,
  "name" | "providerType" | "fhirVersion" | "baseUrl" | "clientId" | "clientAuth" | "grant" | "scopes" | "isActive"
> &
  Record<"clientSecret" | "privateKey" | "certificateData" | "redirectUri" | "authUrl" | "tokenUrl" | "description", string> &
  Record<"removeClientSecret" | "removePrivateKey", boolean>;

export type ProviderBody = z.input<typeof NewFhirProvider> & z.input<typeof FhirProviderChange>;

const noSecrets = { clientSecret: "", privateKey: "", removeClientSecret: false, removePrivateKey: false };

export const emptyValues: ProviderValues = {
  ...{ name: "", providerType: "epic", fhirVersion: "R4", baseUrl: "", clientId: "", clientAuth: "client_secret" },
  ...{ grant: "client_credentials", scopes: defaultFhirScopes, isActive: true },
  ...{ redirectUri: "", authUrl: "", tokenUrl: "", certificateData: "", description: "" },
  ...noSecrets,
};

export const valuesOf = (provider: FhirProvider): ProviderValues => {
  const { name, providerType, fhirVersion, baseUrl, clientId, clientAuth, grant, scopes, isActive } = provider;
  const { redirectUri, authUrl, tokenUrl, certificateData, description } = provider;
  return {
    ...{ name, providerType, fhirVersion, baseUrl, clientId, clientAuth, grant, scopes, isActive },
    redirectUri: redirectUri ?? "",
    authUrl: authUrl ?? "",
    tokenUrl: tokenUrl ?? "",
    certificateData: certificateData ?? "",
    description: description ?? "",
    ...noSecrets,
  };
};

const labels = {
  name: "name",
  fhirVersion: "FHIR version",
  baseUrl: "base URL",
  clientId: "client ID",
  clientAuth: "client authentication",
  grant: "grant",
  scopes: "scopes",
  isActive: "whether it is enabled",
  redirectUri: "redirect URI",
  authUrl: "Auth URL",
  tokenUrl: "Token URL",
  certificateData: "certificate",
  description: "description",
};
const names = Object.keys(labels) as (keyof typeof labels)[];

/** Labels of the changed fields; changes of secrets are not visible. */
export const differences = (before: FhirProvider, after: FhirProvider): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

/** Empty fields are left out, so that stored secrets are kept. */
const bodyOf = ({ removeClientSecret, removePrivateKey, ...values }: ProviderValues): ProviderBody => ({
  ...values,
  redirectUri: values.redirectUri.trim() || undefined,
  authUrl: values.authUrl.trim() || undefined,
  tokenUrl: values.tokenUrl.trim() || undefined,
  clientSecret: values.clientSecret.trim() || undefined,
  privateKey: values.privateKey.trim() || undefined,
  certificateData: values.certificateData.trim() || undefined,
  ...(removeClientSecret && { removeClientSecret }),
  ...(removePrivateKey && { removePrivateKey }),
});

type StoredSecrets = Pick<FhirProvider, "hasClientSecret" | "hasPrivateKey">;

const missingSecrets = (values: ProviderValues, { hasClientSecret, hasPrivateKey }: StoredSecrets): [keyof ProviderValues, string][] => {
  const hasSecret = values.clientSecret.trim() !== "" || (hasClientSecret && !values.removeClientSecret);
  const hasKey = values.privateKey.trim() !== "" || (hasPrivateKey && !values.removePrivateKey);
  if (values.clientAuth === "client_secret" && !hasSecret) return [["clientSecret", "Client Secret is required"]];
  return values.clientAuth === "own_key" && !hasKey ? [["privateKey", "Private key is required"]] : [];
};

/** Validates like the server and returns the request body. Without `provider`, a new one is created. */
export const providerSchema = (provider: StoredSecrets | undefined): z.ZodMiniType<ProviderBody, ProviderValues> => {
  const body = provider ? FhirProviderChange : NewFhirProvider;
  return z.pipe(
    z.custom<ProviderValues>(),
    z.transform((values: ProviderValues, { issues }) => {
      const sent = bodyOf(values);
      for (const { path, message } of body.safeParse(sent).error?.issues ?? [])
        issues.push({ code: "custom", path: [...path], message, input: values });
      for (const [field, message] of missingSecrets(values, provider ?? { hasClientSecret: false, hasPrivateKey: false }))
        issues.push({ code: "custom", path: [field], message, input: values });
      return sent;
    }),
  );
};

type Address = "baseUrl" | "redirectUri" | "authUrl" | "tokenUrl" | "scopes";
const presetFields: readonly Address[] = ["baseUrl", "redirectUri", "authUrl", "tokenUrl", "scopes"];

/** Values of the type's preset, only for fields that are empty or still hold a preset's value. */
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

export type ProviderFieldsProps = {
  provider: FhirProvider | undefined;
  field: ReturnType<typeof useRequestForm<ProviderValues, ProviderBody>>["field"];
  form: Pick<UseFormReturn<ProviderValues, unknown, ProviderBody>, "watch" | "getValues" | "setValue" | "trigger">;
  presets: readonly FhirPreset[];
  discover: ((baseUrl: string) => Promise<DiscoveredFhirServer>) | undefined;
  mayUsePlatformKey: boolean;
};

export const markDirty = { shouldDirty: true } as const;
