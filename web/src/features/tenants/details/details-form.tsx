import { type TenantChange, tenants } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import type { UseFormRegisterReturn } from "react-hook-form";
import { call } from "../../../lib/api/call.ts";
import { useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { showOnce } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { useReportDraft } from "../../../lib/forms/drafts.ts";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { changesTo, differences, type TenantRecord, DetailsForm as Form, type DetailsValues, valuesOf } from "./details-values.ts";
import { requiredMessages, TenantFields } from "../tenant-fields.tsx";
import type { TenantFormProps } from "../use-tenant.ts";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { TextField } from "../../../components/form/fields.tsx";

type Props = TenantFormProps & { onDone: () => void };

export const DetailsForm = ({ tenant, onSaved, onStale, onDraft, onDone }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const { field, setFocus, form, failure, isBusy, submit, begun, conflict } = useEditForm<TenantRecord, DetailsValues, TenantChange>({
    current: tenant,
    valuesOf,
    schema: Form,
    differences,
    save: async (typed, before) => {
      const body = changesTo(before, tenant, typed);
      onSaved(await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version }));
      announce({ type: "success", title: "Tenant saved", description: typed.name });
      onDone();
    },
    reread: onStale,
  });
  const told = showOnce("Name and contact email are required", requiredMessages, field);
  useReportDraft(form.formState.isDirty, "details", onDraft);
  useEffect(() => setFocus("name"), [setFocus, begun]);
  const ask = async () => {
    const isEnding = begun.isActive && !form.getValues("isActive");
    if (!isEnding) await submit();
    else if (await form.trigger(undefined, { shouldFocus: true })) setIsAsking(true);
  };
  return (
    <FormFrame onSubmit={ask} failure={failure ?? told.sentence}>
      <EditConflict what="tenant" conflict={conflict} />
      <TenantFields field={told.field} />
      <SwitchField
        label="Active"
        hint="While inactive, its users cannot sign in and its API key is refused. Nothing is deleted."
        {...form.register("isActive")}
      />
      <PlanFields field={field} />
      <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onDone} />
      {isAsking ? (
        <Deactivation
          name={begun.name}
          isBusy={isBusy}
          onConfirm={() => void submit().then(() => setIsAsking(false))}
          onCancel={() => setIsAsking(false)}
        />
      ) : null}
    </FormFrame>
  );
};

type Name = "plan.name" | "plan.monthlyPrice" | "plan.bundledMinutes";
type PlanFieldsProps = { field: (name: Name) => UseFormRegisterReturn & { error: string | undefined } };

const PlanFields = ({ field }: PlanFieldsProps) => (
  <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
    <chakra.legend fontWeight="semibold" mb="3">
      Plan
    </chakra.legend>
    <SimpleGrid columns={{ base: 1, sm: 3 }} gap="5" alignItems="start">
      <TextField label="Plan name" isOptional autoComplete="off" {...field("plan.name")} />
      <TextField label="US dollars per month" inputMode="decimal" isOptional autoComplete="off" {...field("plan.monthlyPrice")} />
      <TextField label="Minutes included" inputMode="numeric" isOptional autoComplete="off" {...field("plan.bundledMinutes")} />
    </SimpleGrid>
  </chakra.fieldset>
);

type DeactivationProps = { name: string; isBusy: boolean; onConfirm: () => void; onCancel: () => void };

const Deactivation = ({ name, ...asking }: DeactivationProps) => (
  <Confirmation title="Deactivate tenant?" action="Deactivate" busyAction="Saving..." isDangerous {...asking}>
    {`The users of ${name} are signed out and cannot sign in, and its voice agents are refused, until it is active again. Nothing is deleted.`}
  </Confirmation>
);
