import { FhirAssignment, type FhirProvider, fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import type { Loaded } from "../../lib/api/use-api.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { findTarget, type AssignmentTarget, reloadAssignments, withAssignment, withoutProvider } from "./assignment-cache.ts";

type AssignmentOptions = {
  row: TenantAssignments;
  place: AssignmentTarget;
  onChanged: (row: TenantAssignments) => void;
  onClose: () => void;
};

type Props = AssignmentOptions & { providers: Loaded<FhirProvider[]> };

const AssignmentDialog = ({ providers, ...rest }: Props) =>
  providers.data ? (
    <Form providers={providers.data} {...rest} />
  ) : (
    <Dialog title="FHIR provider" onClose={rest.onClose}>
      <Loadable loaded={providers} what="providers" failed="Failed to fetch providers" skeleton={<RowSkeletons />}>
        {() => null}
      </Loadable>
    </Dialog>
  );

const Form = ({ providers, ...options }: AssignmentOptions & { providers: readonly FhirProvider[] }) => {
  const { row, place, onClose } = options;
  const { field, failure, isBusy, submit, form, known, holder } = useAssignment({ providers, ...options });
  const [isAsking, setIsAsking] = useState(false);
  const affected = withoutProvider(known, place, holder?.assigned ?? null);
  const press = async () => {
    if (form.getValues("providerId") === "" && affected.length > 0) setIsAsking(true);
    else await submit();
  };
  const now = holder?.assigned?.name ?? (place.officeId === undefined ? "Not configured" : "Inherits default");
  return (
    <Dialog
      title={`FHIR provider of ${holder?.name ?? row.name}`}
      description={
        place.officeId === undefined
          ? "Offices without a provider of their own use this one."
          : `An office of ${row.name}. Its calls use it.`
      }
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={press} failure={failure}>
        <ChoiceField
          label="FHIR provider"
          hint={`Current: ${now}`}
          options={providerOptions(known, place.officeId !== undefined, providers)}
          {...field("providerId")}
        />
        <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onClose} />
      </FormFrame>
      {isAsking ? (
        <Confirmation
          title="Leave them without a record system?"
          action="Remove it"
          busyAction="Saving..."
          isBusy={isBusy}
          isDangerous
          onConfirm={() => {
            setIsAsking(false);
            void submit();
          }}
          onCancel={() => setIsAsking(false)}
        >
          {`${listed.format(affected)} would have no record system. Starting with the next call, voice agents there cannot look up patients or book appointments.`}
        </Confirmation>
      ) : null}
    </Dialog>
  );
};

const listed = new Intl.ListFormat("en-US", { type: "conjunction" });

/** A select has only strings: "" stands for no provider. */
const Choice = z.object({
  providerId: z.pipe(
    z.string(),
    z.transform((id) => id || null),
  ),
});

/** After a conflict, `known` is reloaded and the user may save again. */
const useAssignment = ({ row, place, providers, onChanged, onClose }: AssignmentOptions & { providers: readonly FhirProvider[] }) => {
  const [known, setKnown] = useState(row);
  const holder = findTarget(known, place);
  const request = useRequestForm({
    schema: Choice,
    defaultValues: { providerId: holder?.assigned?.id ?? "" },
    send: async ({ providerId }) => {
      const assigned = await send(place, { fhirProviderId: providerId }, holder?.version ?? 0);
      const provider = providers.find(({ id }) => id === providerId);
      onChanged(withAssignment(known, place, provider ? { id: provider.id, name: provider.name } : null, assigned));
      announce({ type: "success", title: "Saved", description: `The FHIR provider of ${holder?.name} has been changed.` });
      onClose();
    },
    refuse: (error) => {
      if (!isStale(error)) return explain(error);
      void reloadAssignments(place.tenantId).then(
        (now) => now && setKnown(now),
        () => undefined,
      );
      return `Another user has changed ${holder?.name} in the meantime. Your choice is still here; save again to replace theirs.`;
    },
  });
  return { ...request, known, holder };
};

const send = ({ tenantId, officeId }: AssignmentTarget, body: z.infer<typeof FhirAssignment>, ifMatch: number) =>
  officeId === undefined
    ? call(fhirProviders.assignFhirProvider, { params: { tenantId }, body }, { ifMatch })
    : call(fhirProviders.assignOfficeFhirProvider, { params: { tenantId, officeId }, body }, { ifMatch });

const providerOptions = ({ tenantId, defaultFhirProvider }: TenantAssignments, isOffice: boolean, providers: readonly FhirProvider[]) => [
  { value: "", label: isOffice ? `Inherits default (${defaultFhirProvider?.name ?? "Not configured"})` : "Not configured" },
  ...providers
    .filter(({ ownerTenantId }) => ownerTenantId === null || ownerTenantId === tenantId)
    .map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (Inactive)` })),
];

export default AssignmentDialog;
