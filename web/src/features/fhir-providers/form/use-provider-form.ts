import type { FhirPreset, FhirProvider } from "@vitaline/contract";
import { useState } from "react";
import { ApiError, explain } from "../../../lib/api/api-error.ts";
import { useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { showAtFields } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { formTabs } from "./form-tabs.ts";
import {
  differences,
  emptyValues,
  presetValues,
  type ProviderBody,
  providerSchema,
  type ProviderValues,
  valuesOf,
} from "./provider-values.ts";

export type ProviderFormOptions = {
  provider?: FhirProvider | undefined;
  /** `seenVersion` is undefined for a new provider. Throws if the API refuses. */
  save: (body: ProviderBody, seenVersion: number | undefined) => Promise<void>;
  reread: () => Promise<FhirProvider | undefined>;
  presets?: readonly FhirPreset[];
  onClose: () => void;
};

const names = formTabs.flatMap(({ fields }) => fields);

const beginning = (provider: FhirProvider | undefined, presets: readonly FhirPreset[]) =>
  provider ? valuesOf(provider) : { ...emptyValues, ...presetValues(emptyValues, emptyValues.providerType, presets) };

export const useProviderForm = ({ provider, save, reread, presets = [], onClose }: ProviderFormOptions) => {
  const [current, setCurrent] = useState(provider);
  const verb = provider ? "update" : "create";
  const form = useEditForm<FhirProvider | undefined, ProviderValues, ProviderBody>({
    current,
    valuesOf: (record) => beginning(record, presets),
    schema: providerSchema(current),
    differences: (begun, now) => (begun && now ? differences(begun, now) : []),
    hasConflict: (begun, now) => begun?.version !== now?.version,
    save: async (body) => {
      await save(body, current?.version);
      announce({ type: "success", title: "Saved", description: `FHIR provider ${verb}d successfully` });
      onClose();
    },
    reread: async () => setCurrent((await reread()) ?? current),
    refuse: (error, refused) => {
      const description = error instanceof ApiError ? explain(error) : `Failed to ${verb} FHIR provider. ${explain(error)}`;
      announce({ type: "error", title: "Error", description });
      return showAtFields<ProviderValues>(names)(error, refused);
    },
  });
  return { ...form, current };
};
