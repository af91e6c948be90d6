import type { FhirProvider, TenantAssignments } from "@vitaline/contract";
import type { Loaded } from "../../lib/api/use-api.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { type AssignmentOptions, useAssignment } from "./use-assignment.ts";

type Props = AssignmentOptions & { providers: Loaded<FhirProvider[]> };

/** What a tenant may be given: the platform's record systems and its own. */
const choicesFor = ({ tenantId, defaultFhirProvider }: TenantAssignments, isOffice: boolean, providers: readonly FhirProvider[]) => [
  { value: "", label: isOffice ? `Inherits default (${defaultFhirProvider?.name ?? "Not configured"})` : "Not configured" },
  ...providers
    .filter(({ ownerTenantId }) => ownerTenantId === null || ownerTenantId === tenantId)
    .map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (Inactive)` })),
];

const Form = ({ providers, ...options }: AssignmentOptions & { providers: readonly FhirProvider[] }) => {
  const { row, place, onClose } = options;
  const { field, failure, isBusy, submit, form, known, holder } = useAssignment({ providers, ...options });
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
      <FormFrame onSubmit={submit} failure={failure}>
        <ChoiceField
          label="FHIR provider"
          hint={`At present: ${now}`}
          options={choicesFor(known, place.officeId !== undefined, providers)}
          {...field("providerId")}
        />
        <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

/** Chooses the record system of a tenant or of one of its offices. */
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

export default AssignmentDialog;
