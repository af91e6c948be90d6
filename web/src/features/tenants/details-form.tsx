import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { type TenantChange, tenants } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { isStale } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { Confirmation } from "../../components/confirmation.tsx";
import { DialogButtons } from "../../components/dialog-buttons.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { OvertakenNotice } from "../../components/overtaken-notice.tsx";
import { SwitchField } from "../../components/switch-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useDraft } from "../offices/use-drafts.ts";
import { changesTo, DetailsForm as Form, differences, type Facts, type TypedDetails, valuesOf } from "./details-values.ts";
import { TenantFields } from "./tenant-fields.tsx";
import type { Saving } from "./tenant-parts.tsx";

type Props = Saving & {
  /** As it was when the form began. */ begun: Facts;
  isEditing: boolean;
  onTakeTheirs: () => void;
  onDone: () => void;
};

/** Sends what was changed. If somebody was faster, what they changed is told; what is typed stays. */
export const DetailsForm = ({ begun, tenant, isEditing, onSaved, onStale, onDraft, onTakeTheirs, onDone }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const { field, setFocus, form, failure, isBusy, submit } = useRequestForm<TypedDetails, TenantChange>({
    schema: Form,
    defaultValues: valuesOf(begun),
    send: async (typed) => {
      try {
        const body = changesTo(begun, tenant, typed);
        onSaved(await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version }));
      } catch (error) {
        if (isStale(error)) await onStale();
        throw error;
      }
      announce({ type: "success", title: "Tenant saved", description: typed.name });
      onDone();
    },
  });
  useDraft(isEditing && form.formState.isDirty, "details", onDraft);
  useEffect(() => {
    if (isEditing) setFocus("name");
  }, [isEditing, setFocus]);
  const changed = differences(begun, tenant);
  /** Who is switched off is asked about first: its people and its calls stop at once. */
  const ask = async () => {
    if (begun.isActive && !form.getValues("isActive")) setIsAsking(true);
    else await submit();
  };
  const shown = { readOnly: !isEditing, autoComplete: "off", ...(!isEditing && { bg: "bg.subtle" }) };
  return (
    <FormFrame onSubmit={ask} failure={failure}>
      {isEditing && changed.length > 0 ? <OvertakenNotice what="tenant" changed={changed} onTakeTheirs={onTakeTheirs} /> : null}
      <TenantFields field={field} isReadOnly={!isEditing} />
      <SwitchField
        label="Active"
        hint="While it is not active its people cannot sign in and its API key is refused; nothing is deleted."
        disabled={!isEditing}
        {...form.register("isActive")}
      />
      <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
        <chakra.legend fontWeight="semibold" mb="3">
          Plan
        </chakra.legend>
        <SimpleGrid columns={{ base: 1, sm: 3 }} gap="5" alignItems="start">
          <TextField label="Plan name" isOptional={isEditing} {...shown} {...field("plan.name")} />
          <TextField label="US dollars a month" inputMode="decimal" isOptional={isEditing} {...shown} {...field("plan.monthlyPrice")} />
          <TextField label="Minutes included" inputMode="numeric" isOptional={isEditing} {...shown} {...field("plan.bundledMinutes")} />
        </SimpleGrid>
      </chakra.fieldset>
      {isEditing ? <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onDone} /> : null}
      {isAsking ? (
        <Confirmation
          title="Deactivate tenant?"
          action="Deactivate"
          busyAction="Saving..."
          isBusy={isBusy}
          isDangerous
          onConfirm={() => void submit().then(() => setIsAsking(false))}
          onCancel={() => setIsAsking(false)}
        >
          {`The people of ${begun.name} are signed out and cannot sign in, and its voice agents are refused, until it is active again. Nothing is deleted.`}
        </Confirmation>
      ) : null}
    </FormFrame>
  );
};
