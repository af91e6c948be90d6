import type { FhirPreset, FhirProvider } from "@vitaline/contract";
import { useState } from "react";
import { ApiError, explain, isStale } from "../../../lib/api/api-error.ts";
import { showAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { formTabs } from "./form-tabs.ts";
import { emptyValues, presetValues, type ProviderBody, providerSchema, type ProviderValues, valuesOf } from "./provider-values.ts";

export type ProviderFormOptions = {
  provider?: FhirProvider | undefined;
  /** `seenVersion` is undefined for a new provider. Throws if the API refuses. */
  save: (body: ProviderBody, seenVersion: number | undefined) => Promise<void>;
  reread?: () => Promise<FhirProvider | undefined>;
  presets?: readonly FhirPreset[];
  onClose: () => void;
};

const names = formTabs.flatMap(({ fields }) => fields);

const beginning = (provider: FhirProvider | undefined, presets: readonly FhirPreset[]) =>
  provider ? valuesOf(provider) : { ...emptyValues, ...presetValues(emptyValues, emptyValues.providerType, presets) };

/** After a conflict, `theirs` is the current version until the user loads it. */
export const useProviderForm = ({ provider, save, reread, presets = [], onClose }: ProviderFormOptions) => {
  const [begunWith, setBegunWith] = useState(provider);
  const [theirs, setTheirs] = useState<FhirProvider>();
  const current = theirs ?? begunWith;
  const verb = provider ? "update" : "create";
  const request = useRequestForm({
    schema: providerSchema(current),
    defaultValues: beginning(provider, presets),
    send: async (body) => {
      try {
        await save(body, current?.version);
      } catch (error) {
        if (isStale(error)) setTheirs(await reread?.());
        throw error;
      }
      announce({ type: "success", title: "Saved", description: `FHIR provider ${verb}d successfully` });
      onClose();
    },
    refuse: (error, refused) => {
      const description = error instanceof ApiError ? explain(error) : `Failed to ${verb} FHIR provider. ${explain(error)}`;
      announce({ type: "error", title: "Error", description });
      return showAtFields<ProviderValues>(names)(error, refused);
    },
  });
  const takeTheirs = (taken: FhirProvider) => {
    request.reset(valuesOf(taken));
    setBegunWith(taken);
    setTheirs(undefined);
  };
  return { ...request, begunWith, theirs, current, takeTheirs };
};
