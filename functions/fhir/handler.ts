import { contract } from "@vitaline/contract";
import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { reachingOut } from "../lib/ehr.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = reachingOut(
  serve(
    contract.fhir,
    people,
  )({
    createFhirProvider: (ctx, { body }) => createFhirProvider(ctx, body),
    assignFhirProvider: async (ctx, { params, body }) => {
      await assignFhirProvider(ctx, params.tenantId, body.fhirProviderId);
      return { fhirProviderId: body.fhirProviderId };
    },
  }),
);
