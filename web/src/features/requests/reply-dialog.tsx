import { requestKindNames, RequestReply, type TenantRequest, tenantRequests } from "@vitaline/contract";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { TextAreaField } from "../../components/form/fields.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { readAll } from "../../lib/api/use-all.ts";
import { showAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { isClosed } from "./request-format.tsx";

type Props = { request: TenantRequest; onChanged: (request: TenantRequest) => void; onClose: () => void };

const ReplyDialog = ({ request, onChanged, onClose }: Props) => {
  const { id: requestId, kind, status, version } = request;
  const reread = async () => {
    const now = (await readAll(tenantRequests.listRequests, { query: { kind } })).find(({ id }) => id === requestId);
    if (now) onChanged(now);
  };
  const { field, failure, isBusy, submit, form } = useRequestForm<RequestReply>({
    schema: RequestReply,
    defaultValues: { message: "" },
    send: async (body) => {
      const changed = await call(tenantRequests.replyToRequest, { params: { requestId }, body }, { ifMatch: version });
      announce({ type: "success", title: "Reply sent", description: "The answer appears under Settings, Requests." });
      onChanged(changed);
      onClose();
    },
    refuse: (error, about) => {
      if (!isStale(error)) return showAtFields<RequestReply>(["message"])(error, about);
      // The words stay; the list shows what was answered meanwhile, and the next attempt is made on that.
      void reread().catch(() => undefined);
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
