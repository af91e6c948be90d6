import { useState } from "react";
import { flushSync } from "react-dom";
import type { UseFormReturn } from "react-hook-form";
import type { ProviderBody, ProviderValues } from "./provider-values.ts";

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

type FormTab = (typeof formTabs)[number]["value"];

type Form = Pick<UseFormReturn<ProviderValues, unknown, ProviderBody>, "getFieldState" | "setFocus">;

/** Which part of the form is open, and how many problems each has. */
export const useFormTab = ({ getFieldState, setFocus }: Form) => {
  const [tab, setTab] = useState<FormTab>("basic");
  const hasProblem = (name: keyof ProviderValues): boolean => getFieldState(name).error !== undefined;
  const problemsIn = (value: FormTab): number => formTabs.find((one) => one.value === value)?.fields.filter(hasProblem).length ?? 0;
  /** Opens the first part with a problem, and goes to its field: one that is not shown cannot take the focus. */
  const showProblem = () => {
    const first = formTabs.find(({ value }) => problemsIn(value) > 0);
    const field = first?.fields.find(hasProblem);
    if (!first || !field) return;
    flushSync(() => setTab(first.value));
    setFocus(field);
  };
  return { tab, setTab, problemsIn, showProblem };
};
