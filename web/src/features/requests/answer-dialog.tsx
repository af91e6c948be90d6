import { dashboard, type OperatorRequest, operatorRequests, RequestAnswer } from "@vitaline/contract";
import type * as z from "zod/mini";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { ChoiceField, TextAreaField } from "../../components/form/fields.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { requestStatusNames } from "./request-format.tsx";

const statuses = Object.entries(requestStatusNames).map(([value, label]) => ({ value, label }));

type Props = {
  request: OperatorRequest;
  onChanged: (request: OperatorRequest) => void;
  /** A colleague has changed it. */
  onOutdated: () => void;
  onClose: () => void;
};

const AnswerDialog = ({ request, onChanged, onOutdated, onClose }: Props) => {
  const refresh = useRefresh();
  const { id: requestId, tenantId, tenantName, requestedBy, status, version } = request;
  const { field, failure, isBusy, submit, form } = useRequestForm<z.input<typeof RequestAnswer>, RequestAnswer>({
    schema: RequestAnswer,
    defaultValues: { status, note: "" },
    send: async (body) => {
      const changed = await call(operatorRequests.answerRequest, { params: { tenantId, requestId }, body }, { ifMatch: version });
      announce({ type: "success", title: "Request updated", description: `${requestedBy} is notified by email.` });
      onChanged(changed);
      onClose();
      await refresh(dashboard.platformMetrics).catch(() => undefined);
    },
    refuse: (error) => {
      // The note stays; the list shows what the colleague did, and the next attempt is made on that.
      if (isStale(error)) onOutdated();
      return explain(error);
    },
  });
  return (
    <Dialog
      title="Change status"
      description={`Request of ${tenantName}. ${requestedBy} gets the status and your note by email.`}
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <ChoiceField label="Status" options={statuses} {...field("status")} />
        <TextAreaField label="Note" isOptional hint="The organization sees it. Declining needs a reason." {...field("note")} />
        <DialogButtons isBusy={isBusy} action="Save" busyAction="Saving..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

export default AnswerDialog;
