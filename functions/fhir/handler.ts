import { contract } from "@vitaline/contract";
import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { serve } from "../lib/serve.ts";

export const handler = serve(contract.fhir)({
  createFhirProvider: (ctx, { body }) => createFhirProvider(ctx, body),
  assignFhirProvider: async (ctx, { params, body }) => {
    await assignFhirProvider(ctx, params.tenantId, body.fhirProviderId);
    return { fhirProviderId: body.fhirProviderId };
  },
});
