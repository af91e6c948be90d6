import { type Erasure, erasures, tenants } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { isUncertain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { type AskedErasure, noErasure, RequestValues, type TypedErasure } from "./request-values.ts";

type Options = {
  tenantId: string;
  onRequested: (erasure: Erasure) => void;
  /** It is not known whether there is a new one. */ onUncertain: () => void;
};

/** The request for an erasure; `organization` is the chosen one as it is now, where the whole of it is meant. */
export const useRequest = ({ tenantId: begun, onRequested, onUncertain }: Options) => {
  const { form, ...rest } = useRequestForm<TypedErasure, AskedErasure>({
    schema: RequestValues,
    defaultValues: { ...noErasure, tenantId: begun },
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
  /** What belongs to the organization that was chosen before. */
  const clearChosen = () => {
    form.setValue("fhirProviderId", "");
    form.setValue("confirmName", "");
  };
  return { form, ...rest, kind, tenantId, organization, mustDeactivate: isWhole && organization.data?.isActive !== false, clearChosen };
};
