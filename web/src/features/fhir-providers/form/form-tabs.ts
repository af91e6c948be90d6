import { useState } from "react";
import { flushSync } from "react-dom";
import type { UseFormReturn } from "react-hook-form";
import type { ProviderBody, ProviderValues } from "./provider-values.ts";

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

type FormTab = (typeof formTabs)[number]["value"];

type Form = Pick<UseFormReturn<ProviderValues, unknown, ProviderBody>, "getFieldState" | "setFocus">;

export const useFormTab = ({ getFieldState, setFocus }: Form) => {
  const [tab, setTab] = useState<FormTab>("basic");
  const hasProblem = (name: keyof ProviderValues): boolean => getFieldState(name).error !== undefined;
  const problemsIn = (value: FormTab): number => formTabs.find((one) => one.value === value)?.fields.filter(hasProblem).length ?? 0;
  /** Opens the first tab with a problem and focuses its field; hidden fields cannot take focus. */
  const showProblem = () => {
    const first = formTabs.find(({ value }) => problemsIn(value) > 0);
    const field = first?.fields.find(hasProblem);
    if (!first || !field) return;
    flushSync(() => setTab(first.value));
    setFocus(field);
  };
  return { tab, setTab, problemsIn, showProblem };
};
