import { Dialog } from "../../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import type { ProviderFieldsProps } from "./provider-values.ts";
import { ProviderTabs } from "./provider-tabs.tsx";
import { useFormTab } from "./form-tabs.ts";
import { type ProviderFormOptions, useProviderForm } from "./use-provider-form.ts";

type Props = ProviderFormOptions & Partial<Pick<ProviderFieldsProps, "discover" | "mayUsePlatformKey">>;

export const ProviderDialog = ({ discover, mayUsePlatformKey = false, ...options }: Props) => {
  const { provider, presets = [], onClose } = options;
  const { field, failure, isBusy, submit, form, current, conflict } = useProviderForm(options);
  const { tab, setTab, problemsIn, showProblem } = useFormTab(form);
  const trySaving = async () => {
    await submit();
    showProblem();
  };
  return (
    <Dialog
      title={provider ? `Configure ${provider.name}` : "Add FHIR Provider"}
      size="lg"
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={trySaving} failure={conflict ? undefined : failure}>
        <EditConflict what="provider" conflict={conflict} unseen="A secret or no visible field" replacesAll />
        <ProviderTabs {...{ tab, setTab, problemsIn, provider: current, field, form, presets, discover, mayUsePlatformKey }} />
        <DialogButtons isBusy={isBusy} action={provider ? "Save Changes" : "Add Provider"} busyAction="Saving..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
