import { RequestReply, type TenantRequest, tenantRequests } from "@vitaline/contract";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { TextAreaField } from "../../components/form/fields.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { showAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { isClosed, requestKindNames } from "./request-format.tsx";

const ReplyDialog = ({ request, onClose }: { request: TenantRequest; onClose: () => void }) => {
  const { id: requestId, kind, status, version } = request;
  const refresh = useRefresh();
  const { field, failure, isBusy, submit, form } = useRequestForm<RequestReply>({
    schema: RequestReply,
    defaultValues: { message: "" },
    send: async (body) => {
      await call(tenantRequests.replyToRequest, { params: { requestId }, body }, { ifMatch: version });
      announce({ type: "success", title: "Reply sent", description: "The answer appears under Settings, Requests." });
      await refresh(tenantRequests.listRequests);
      onClose();
    },
    refuse: (error, about) => {
      if (!isStale(error)) return showAtFields<RequestReply>(["message"])(error, about);
      // The words stay; the list shows what was answered meanwhile, and the next attempt is made on that.
      void refresh(tenantRequests.listRequests).catch(() => undefined);
      return explain(error);
    },
  });
  return (
    <Dialog
      title={`Reply: ${requestKindNames[kind]}`}
      description={
        isClosed(status) ? "Platform support gets your reply, and the request is open again." : "Platform support gets your reply."
      }
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <TextAreaField label="Message" hint="Do not send patient information, passwords or keys." {...field("message")} />
        <DialogButtons isBusy={isBusy} action="Send reply" busyAction="Sending..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

export default ReplyDialog;
