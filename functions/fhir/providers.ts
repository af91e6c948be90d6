import type { fhirProviders } from "@vitaline/contract";
import {
  assignFhirProvider,
  assignOfficeFhirProvider,
  beginAuthorization,
  checkFhirProvider,
  createFhirProvider,
  discoverFhirServer,
  fhirHealthStatus,
  listFhirAssignments,
  listFhirPresets,
  listFhirProviders,
  testFhirProvider,
  updateFhirProvider,
} from "@vitaline/fhir-providers";
import { tools } from "@vitaline/tools";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";
import { backToConsole, signedIn, toSignIn } from "./authorization.ts";

export const fhirProviderVerbs: Handlers<typeof fhirProviders> = {
  listFhirProviders: (ctx) => listFhirProviders(ctx),
  createFhirProvider: (ctx, { body }) => createFhirProvider(ctx, body),
  updateFhirProvider: (ctx, { params, body, ifMatch }) => updateFhirProvider(ctx, params.id, body, { ifMatch }),
  testFhirProvider: (ctx, { params, body }) => testFhirProvider(ctx, params.id, body.patientId, Object.values(tools)),
  checkFhirProvider: (ctx, { params }) => checkFhirProvider(ctx, params.id),
  authorizeFhirProvider: async (ctx, { params }) => toSignIn(await beginAuthorization(ctx, params.id, signedIn(ctx.session))),
  fhirAuthorizationCallback: (ctx, { params, query }) => backToConsole(ctx, params.vendor, query),
  fhirHealthStatus: (ctx) => fhirHealthStatus(ctx),
  listFhirPresets: async (ctx) => listFhirPresets(ctx),
  discoverFhirServer: (ctx, { body }) => discoverFhirServer(ctx, body.baseUrl),
  listFhirAssignments: async (ctx, { query }) => {
    const { rows, next } = await listFhirAssignments(ctx, query);
    return answerWith(rows, { next });
  },
  assignFhirProvider: (ctx, { params, body, ifMatch }) => assignFhirProvider(ctx, params.tenantId, body.fhirProviderId, ifMatch),
  assignOfficeFhirProvider: (ctx, { params: { tenantId, officeId }, body, ifMatch }) =>
    assignOfficeFhirProvider(ctx, tenantId, officeId, body.fhirProviderId, ifMatch),
};
