import { NewRequest, type OperatorRequestKind, requestKindNames, tenantRequests } from "@vitaline/contract";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { ChoiceField, TextAreaField } from "../../components/form/fields.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";

const kinds = Object.entries(requestKindNames).map(([value, label]) => ({ value, label }));

type Props = { kind?: OperatorRequestKind; onClose: () => void };

/** With a kind the screen has chosen it. */
const RequestDialog = ({ kind, onClose }: Props) => {
  const refresh = useRefresh();
  const { field, failure, isBusy, submit, form } = useRequestForm({
    schema: NewRequest,
    defaultValues: { kind: kind ?? "other", message: "" },
    send: async (body) => {
      await call(tenantRequests.createRequest, { body });
      announce({ type: "success", title: "Request sent", description: "Its status and the answer appear under Settings, Requests." });
      await refresh(tenantRequests.listRequests);
      onClose();
    },
  });
  return (
    <Dialog
      title={kind === undefined ? "New request" : `Request: ${requestKindNames[kind]}`}
      description="Platform support works on it. You get an email when its status changes."
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        {kind === undefined ? <ChoiceField label="About" options={kinds} {...field("kind")} /> : null}
        <TextAreaField label="Message" hint="Do not send patient information, passwords or keys." {...field("message")} />
        <DialogButtons isBusy={isBusy} action="Send request" busyAction="Sending..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

export default RequestDialog;
