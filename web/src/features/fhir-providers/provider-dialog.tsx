import { Stack } from "@chakra-ui/react/stack";
import type { FhirPreset, FhirProvider } from "@vitaline/contract";
import { useState } from "react";
import { ApiError, explain, isStale } from "../../api/api-error.ts";
import { tellAtFields, useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { Dialog } from "../../components/dialog.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { differences } from "./differences.ts";
import { formTabs } from "./form-tabs.ts";
import { presetValues } from "./preset-values.ts";
import type { ProviderFieldsProps } from "./provider-fields.ts";
import { emptyValues, type ProviderBody, providerSchema, type ProviderValues, valuesOf } from "./provider-form.ts";
import { ProviderTabs } from "./provider-tabs.tsx";
import { useFormTab } from "./use-form-tab.ts";

type Props = Partial<Pick<ProviderFieldsProps, "provider" | "discover" | "mayUsePlatformKey">> & {
  /** `seenVersion` is undefined for a new provider. An error is a refusal. */
  save: (body: ProviderBody, seenVersion: number | undefined) => Promise<void>;
  /** The provider as it is now: asked for when somebody else has changed it meanwhile. */ reread?: () => Promise<FhirProvider | undefined>;
  /** What a vendor's connection usually looks like, to fill in. */ presets?: readonly FhirPreset[];
  onClose: () => void;
};

const names = formTabs.flatMap(({ fields }) => fields);

/** A new form begins with what the usual vendor's preset fills in. */
const beginning = (provider: FhirProvider | undefined, presets: readonly FhirPreset[]) =>
  provider ? valuesOf(provider) : { ...emptyValues, ...presetValues(emptyValues, emptyValues.providerType, presets) };

/** Adds a record system or changes one. For whom and by which routes is the caller's matter; secrets only go in, never out. */
const ProviderDialog = ({ provider, save, reread, presets = [], discover, mayUsePlatformKey = false, onClose }: Props) => {
  const [begunWith, setBegunWith] = useState(provider);
  const [theirs, setTheirs] = useState<FhirProvider>();
  const current = theirs ?? begunWith;
  const verb = provider ? "update" : "create";
  const { field, failure, isBusy, submit, reset, form } = useRequestForm({
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
      return tellAtFields<ProviderValues>(names)(error, refused);
    },
  });
  const { tab, setTab, problemsIn, showProblem } = useFormTab(form);
  const trySaving = async () => {
    await submit();
    showProblem();
  };
  const takeTheirs = (taken: FhirProvider) => {
    reset(valuesOf(taken));
    setBegunWith(taken);
    setTheirs(undefined);
  };
  return (
    <Dialog
      title={provider ? `Configure ${provider.name}` : "Add FHIR Provider"}
      size="lg"
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={trySaving} failure={theirs ? undefined : failure}>
        {theirs && begunWith ? <ConflictNotice changed={differences(begunWith, theirs)} onTakeTheirs={() => takeTheirs(theirs)} /> : null}
        <ProviderTabs {...{ tab, setTab, problemsIn, provider: current, field, form, presets, discover, mayUsePlatformKey }} />
        <Stack align="flex-start">
          <SubmitButton isBusy={isBusy} busyText="Saving...">
            {provider ? "Save Changes" : "Add Provider"}
          </SubmitButton>
        </Stack>
      </FormFrame>
    </Dialog>
  );
};

export default ProviderDialog;
