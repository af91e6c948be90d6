import { type FhirProvider, tenantFhirProviders, tenantRequests } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { ProviderDialog } from "../form/provider-dialog.tsx";
import type { ProviderBody } from "../form/provider-values.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { TextAreaField } from "../../../components/form/fields.tsx";

type RequestProviderDialogProps = {
  title: string;
  description: string;
  beginning?: string;
  onClose: () => void;
};

export const RequestProviderDialog = ({ title, description, beginning = "", onClose }: RequestProviderDialogProps) => {
  const refresh = useRefresh();
  const { field, failure, isBusy, submit, form } = useRequestForm({
    schema: tenantFhirProviders.requestFhirProvider.body,
    defaultValues: { message: beginning },
    send: async (body) => {
      await call(tenantFhirProviders.requestFhirProvider, { body });
      announce({
        type: "success",
        title: "Request sent",
        description: "Platform support answers by email. The status is on this page.",
      });
      await refresh(tenantRequests.listRequests);
      onClose();
    },
  });
  return (
    <Dialog title={title} description={description} isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <TextAreaField
          label="Message"
          hint="Name the record system, its vendor and its FHIR address, if you know them. Do not send patient information or passwords."
          {...field("message")}
        />
        <DialogButtons isBusy={isBusy} action="Send request" busyAction="Sending..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

type Props = { provider?: FhirProvider; onClose: () => void };

export const OwnProviderDialog = ({ provider, onClose }: Props) => {
  const refresh = useRefresh();
  const save = async (body: ProviderBody, seenVersion: number | undefined) => {
    if (provider)
      await call(
        tenantFhirProviders.updateOwnFhirProvider,
        { params: { id: provider.id }, body },
        seenVersion === undefined ? {} : { ifMatch: seenVersion },
      );
    else await call(tenantFhirProviders.createOwnFhirProvider, { body });
    await refresh(tenantFhirProviders.listTenantFhirProviders, tenantFhirProviders.listOwnFhirProviders);
  };
  const reread = async () => (await call(tenantFhirProviders.listOwnFhirProviders, {})).find(({ id }) => id === provider?.id);
  return <ProviderDialog {...(provider && { provider })} save={save} reread={reread} onClose={onClose} />;
};
