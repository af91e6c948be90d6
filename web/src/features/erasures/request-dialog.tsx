import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasureExportDays } from "@vitaline/contract";
import { useId, useState } from "react";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { TenantChoice } from "../../components/tenants/tenant-choice.tsx";
import { ConnectionChoice } from "./connection-choice.tsx";
import { daysInWords, reasonChoices, waitInWords } from "./erasure-words.ts";
import { OrganizationFields } from "./organization-fields.tsx";
import { RequestQuestion } from "./request-question.tsx";
import { fieldOrder, kindChoices } from "./request-values.ts";
import { useRequest } from "./use-request.ts";

type Props = {
  /** Of the organization that is chosen at first; "" for none. */ tenantId: string;
  onRequested: (erasure: Erasure) => void;
  onUncertain: () => void;
  onOpenTenant: (tenantId: string) => void;
  onClose: () => void;
};

/** Asks for an erasure: of what, of whom and why, and once more before it is sent. */
const RequestDialog = ({ tenantId: begun, onRequested, onUncertain, onOpenTenant, onClose }: Props) => {
  const asked = useRequest({ tenantId: begun, onRequested, onUncertain });
  const { form, field, setFocus, failure, isBusy, submit, kind, tenantId, organization, mustDeactivate, clearChosen } = asked;
  const [isAsking, setIsAsking] = useState(false);
  const whyNotId = useId();
  const { onChange: onTenant, ...tenant } = field("tenantId");
  const ask = async () => {
    if (await form.trigger()) return setIsAsking(true);
    // In the order of the form: fields of a kind come to it later than those of all kinds.
    const wrong = fieldOrder.find((name) => form.getFieldState(name).invalid);
    if (wrong !== undefined) setFocus(wrong);
  };
  return (
    <Dialog title="Erase data" description="For good, and with a certificate." isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={ask} failure={failure}>
        <ChoiceField label="What to erase" options={kindChoices} {...field("kind")} />
        <TenantChoice
          label="Organization"
          {...tenant}
          onChange={(event) => {
            clearChosen();
            return onTenant(event);
          }}
        />
        {kind === "call" ? (
          <TextField
            label="Call ID"
            hint="40 characters, as the audit log has it."
            autoComplete="off"
            spellCheck={false}
            {...field("callId")}
          />
        ) : null}
        {kind === "patient" ? (
          <>
            <ConnectionChoice tenantId={tenantId} {...field("fhirProviderId")} />
            <TextField
              label="Patient ID"
              hint="As the record system has it."
              autoComplete="off"
              spellCheck={false}
              {...field("patientId")}
            />
          </>
        ) : null}
        {kind === "tenant" && tenantId !== "" ? (
          <div id={whyNotId}>
            <OrganizationFields organization={organization} onOpenTenant={onOpenTenant} {...field("confirmName")} />
          </div>
        ) : null}
        <ChoiceField label="Reason" options={[{ value: "", label: "Choose a reason" }, ...reasonChoices]} {...field("reason")} />
        <chakra.p textStyle="sm" color="fg.muted">
          {`The erasure starts after ${waitInWords(kind)}, or as soon as a second administrator approves it. Until then it can be canceled. A copy of what goes is written first and can be downloaded for ${daysInWords(erasureExportDays)}.`}
        </chakra.p>
        <DialogButtons
          isBusy={isBusy}
          action="Request erasure"
          busyAction="Requesting..."
          lacks={mustDeactivate ? whyNotId : undefined}
          onCancel={onClose}
        />
        {isAsking ? (
          <RequestQuestion
            kind={kind}
            tenantId={tenantId}
            isBusy={isBusy}
            onConfirm={() => void submit().then(() => setIsAsking(false))}
            onCancel={() => setIsAsking(false)}
          />
        ) : null}
      </FormFrame>
    </Dialog>
  );
};

export default RequestDialog;
