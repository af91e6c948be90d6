import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasureExportDays, type ErasureKind, erasures, tenants } from "@vitaline/contract";
import { useId, useState } from "react";
import { useWatch } from "react-hook-form";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { TenantChoice } from "../../components/tenants/tenant-choice.tsx";
import { ConnectionChoice, OrganizationFields } from "./request-fields.tsx";
import { formatDays, kindPhrases, reasonChoices, formatWait } from "./erasure-format.tsx";
import { type ErasureRequest, fieldOrder, kindChoices, emptyErasure, RequestValues, type ErasureValues } from "./request-values.ts";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { useAll } from "../../lib/api/use-all.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Effects } from "./erasure-effects.tsx";

type Props = {
  /** "" for none */
  tenantId: string;
  onRequested: (erasure: Erasure) => void;
  onUncertain: () => void;
  onOpenTenant: (tenantId: string) => void;
  onClose: () => void;
};

const RequestDialog = ({ tenantId: begun, onRequested, onUncertain, onOpenTenant, onClose }: Props) => {
  const asked = useRequest({ tenantId: begun, onRequested, onUncertain });
  const { form, field, setFocus, failure, isBusy, submit, kind, tenantId, organization, mustDeactivate, clearChosen } = asked;
  const [isAsking, setIsAsking] = useState(false);
  const whyNotId = useId();
  const { onChange: onTenant, ...tenant } = field("tenantId");
  const ask = async () => {
    if (await form.trigger()) return setIsAsking(true);
    // react-hook-form orders fields by registration, and those of a kind register late.
    const wrong = fieldOrder.find((name) => form.getFieldState(name).invalid);
    if (wrong !== undefined) setFocus(wrong);
  };
  return (
    <Dialog title="Erase data" description="Permanently, with a certificate." isDirty={form.formState.isDirty} onClose={onClose}>
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
            hint="40 characters, as shown in the audit log."
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
              hint="As shown in the record system."
              autoComplete="off"
              spellCheck={false}
              {...field("patientId")}
            />
            <TextField
              label="Medical record number"
              isOptional
              hint="With the date of birth, it also finds people approved to speak for a patient who never called."
              autoComplete="off"
              spellCheck={false}
              {...field("medicalRecordNumber")}
            />
            <TextField label="Date of birth" isOptional type="date" {...field("birthDate")} />
          </>
        ) : null}
        {kind === "tenant" && tenantId !== "" ? (
          <div id={whyNotId}>
            <OrganizationFields organization={organization} onOpenTenant={onOpenTenant} {...field("confirmName")} />
          </div>
        ) : null}
        <ChoiceField label="Reason" options={[{ value: "", label: "Choose a reason" }, ...reasonChoices]} {...field("reason")} />
        <chakra.p textStyle="sm" color="fg.muted">
          {`The erasure starts after ${formatWait(kind)}, or as soon as a second administrator approves it. Until then it can be canceled. A copy of the data is written first and can be downloaded for ${formatDays(erasureExportDays)}.`}
        </chakra.p>
        <DialogButtons
          isBusy={isBusy}
          action="Request erasure"
          busyAction="Requesting..."
          lacks={mustDeactivate ? whyNotId : undefined}
          onCancel={onClose}
        />
        {isAsking ? (
          <RequestConfirmation
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

type Options = {
  tenantId: string;
  onRequested: (erasure: Erasure) => void;
  /** The request may have been created */
  onUncertain: () => void;
};

const useRequest = ({ tenantId: begun, onRequested, onUncertain }: Options) => {
  const { form, ...rest } = useRequestForm<ErasureValues, ErasureRequest>({
    schema: RequestValues,
    defaultValues: { ...emptyErasure, tenantId: begun },
    send: async ({ tenantId, body }) => {
      try {
        const erasure = await call(erasures.requestErasure, { params: { tenantId }, body });
        announce({ type: "success", title: "Erasure requested", description: "A second administrator can approve it now." });
        onRequested(erasure);
      } catch (error) {
        if (isUncertain(error)) onUncertain();
        else if (body.kind === "tenant") organization.refresh();
        throw error;
      }
    },
  });
  const [kind, tenantId] = useWatch({ control: form.control, name: ["kind", "tenantId"] });
  const isWhole = kind === "tenant" && tenantId !== "";
  const organization = useApi(tenants.getTenant, { params: { tenantId }, query: { withKey: "false" } }, { fresh: true, when: isWhole });
  const clearChosen = () => {
    form.setValue("fhirProviderId", "");
    form.setValue("confirmName", "");
  };
  return { form, ...rest, kind, tenantId, organization, mustDeactivate: isWhole && organization.data?.isActive !== false, clearChosen };
};

type RequestConfirmationProps = { kind: ErasureKind; tenantId: string; isBusy: boolean; onConfirm: () => void; onCancel: () => void };

const RequestConfirmation = ({ kind, tenantId, ...asking }: RequestConfirmationProps) => {
  // Already loaded by the form's TenantChoice.
  const { data = [] } = useAll(tenants.listTenants, {});
  return (
    <Confirmation title={`Erase ${kindPhrases[kind]}?`} action="Request erasure" busyAction="Requesting..." isDangerous {...asking}>
      <Effects
        kind={kind}
        of={data.find(({ id }) => id === tenantId)?.name ?? tenantId}
        when={`It starts automatically after ${formatWait(kind)}.`}
      />
    </Confirmation>
  );
};

export default RequestDialog;
