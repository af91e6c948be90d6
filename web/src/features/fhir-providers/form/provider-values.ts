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
import type { useRequestForm } from "../../../lib/forms/use-request-form.ts";

/** What stands in the form: text everywhere, "" for nothing. A secret that is kept at the server is never among it. */
export type ProviderValues = Pick<
  FhirProvider,
  "name" | "providerType" | "fhirVersion" | "baseUrl" | "clientId" | "clientAuth" | "grant" | "scopes" | "isActive"
> &
  Record<"clientSecret" | "privateKey" | "certificateData" | "redirectUri" | "authUrl" | "tokenUrl" | "description", string> &
  Record<"removeClientSecret" | "removePrivateKey", boolean>;

export type ProviderBody = z.input<typeof NewFhirProvider> & z.input<typeof FhirProviderChange>;

const noSecrets = { clientSecret: "", privateKey: "", removeClientSecret: false, removePrivateKey: false };

/** A form that nobody has touched. */
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

/** What is sent: nothing for what is empty, so that a secret that was not typed stays as it is. */
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

type Kept = Pick<FhirProvider, "hasClientSecret" | "hasPrivateKey">;

/** What the chosen way of showing who we are lacks, as far as it can be known here. */
const lackOf = (values: ProviderValues, { hasClientSecret, hasPrivateKey }: Kept): [keyof ProviderValues, string][] => {
  const hasSecret = values.clientSecret.trim() !== "" || (hasClientSecret && !values.removeClientSecret);
  const hasKey = values.privateKey.trim() !== "" || (hasPrivateKey && !values.removePrivateKey);
  if (values.clientAuth === "client_secret" && !hasSecret) return [["clientSecret", "Client Secret is required"]];
  return values.clientAuth === "own_key" && !hasKey ? [["privateKey", "Private key is required"]] : [];
};

/** Checks the form as the server will, and gives what is to be sent. `provider` is the one that is changed; absent, a new one is made. */
export const providerSchema = (provider: Kept | undefined): z.ZodMiniType<ProviderBody, ProviderValues> => {
  const body = provider ? FhirProviderChange : NewFhirProvider;
  return z.pipe(
    z.custom<ProviderValues>(),
    z.transform((values: ProviderValues, { issues }) => {
      const sent = bodyOf(values);
      for (const { path, message } of body.safeParse(sent).error?.issues ?? [])
        issues.push({ code: "custom", path: [...path], message, input: values });
      for (const [field, message] of lackOf(values, provider ?? { hasClientSecret: false, hasPrivateKey: false }))
        issues.push({ code: "custom", path: [field], message, input: values });
      return sent;
    }),
  );
};

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
