import type { ProviderValues } from "./provider-form.ts";

/** The parts of the dialog, in order, each with the fields that it shows. */
export const formTabs = [
  { value: "basic", label: "Basic Info", fields: ["name", "providerType", "fhirVersion", "baseUrl"] },
  {
    value: "oauth",
    label: "OAuth Config",
    fields: ["grant", "clientId", "clientAuth", "clientSecret", "scopes", "authUrl", "tokenUrl", "redirectUri"],
  },
  { value: "security", label: "Security", fields: ["certificateData", "privateKey"] },
  { value: "advanced", label: "Advanced", fields: ["description", "isActive"] },
] as const satisfies { value: string; label: string; fields: readonly (keyof ProviderValues)[] }[];

export type FormTab = (typeof formTabs)[number]["value"];
