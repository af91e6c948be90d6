import { type FhirProvider, FhirAssignment, fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { holderOf, type Place, withAssigned } from "./replaced.ts";
import { reread } from "./reread.ts";

export type AssignmentOptions = {
  row: TenantAssignments;
  place: Place;
  /** The tenant's row as it is after the change. */ onChanged: (row: TenantAssignments) => void;
  onClose: () => void;
};

/** "" is no provider of its own, as a list has only text. */
const Choice = z.object({
  providerId: z.pipe(
    z.string(),
    z.transform((id) => id || null),
  ),
});

const send = ({ tenantId, officeId }: Place, body: z.infer<typeof FhirAssignment>, ifMatch: number) =>
  officeId === undefined
    ? call(fhirProviders.assignFhirProvider, { params: { tenantId }, body }, { ifMatch })
    : call(fhirProviders.assignOfficeFhirProvider, { params: { tenantId, officeId }, body }, { ifMatch });

/** The choice of a record system. Who comes second is told, sees what it is now (`known`), and may save again. */
export const useAssignment = ({
  row,
  place,
  providers,
  onChanged,
  onClose,
}: AssignmentOptions & { providers: readonly FhirProvider[] }) => {
  const [known, setKnown] = useState(row);
  const holder = holderOf(known, place);
  const request = useRequestForm({
    schema: Choice,
    defaultValues: { providerId: holder?.assigned?.id ?? "" },
    send: async ({ providerId }) => {
      const assigned = await send(place, { fhirProviderId: providerId }, holder?.version ?? 0);
      const provider = providers.find(({ id }) => id === providerId);
      onChanged(withAssigned(known, place, provider ? { id: provider.id, name: provider.name } : null, assigned));
      announce({ type: "success", title: "Saved", description: `The FHIR provider of ${holder?.name} has been changed.` });
      onClose();
    },
    refuse: (error) => {
      if (!isStale(error)) return explain(error);
      void reread(place.tenantId).then(
        (now) => now && setKnown(now),
        () => undefined,
      );
      return `Somebody else has changed ${holder?.name} in the meantime. Your choice is still here; save it again to replace theirs.`;
    },
  });
  return { ...request, known, holder };
};
