import type { tenantFhirProviders } from "@vitaline/contract";
import {
  assignOwnOfficeFhirProvider,
  beginOwnAuthorization,
  createOwnFhirProvider,
  listOwnFhirProviders,
  listTenantFhirProviders,
  testTenantFhirProvider,
  updateOwnFhirProvider,
} from "@vitaline/fhir-providers";
import { tools } from "@vitaline/tools";
import { withPlatform } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";
import { signedIn, toSignIn } from "./authorization.ts";
import { requestFhirProvider } from "./request-provider.ts";

export const tenantFhirProviderVerbs: Handlers<typeof tenantFhirProviders> = {
  listTenantFhirProviders: (ctx) => listTenantFhirProviders(withPlatform(ctx), ctx.session.tenant, Object.values(tools)),
  listOwnFhirProviders: (ctx) => listOwnFhirProviders(withPlatform(ctx), ctx.session.tenant),
  createOwnFhirProvider: (ctx, { body }) => createOwnFhirProvider(withPlatform(ctx), ctx.session.tenant, body),
  updateOwnFhirProvider: (ctx, { params, body, ifMatch }) =>
    updateOwnFhirProvider(withPlatform(ctx), ctx.session.tenant, params.id, body, ifMatch),
  testTenantFhirProvider: (ctx, { params, body }) =>
    testTenantFhirProvider(withPlatform(ctx), ctx.session.tenant, params.id, body.patientId, Object.values(tools)),
  authorizeOwnFhirProvider: async (ctx, { params }) =>
    toSignIn(await beginOwnAuthorization(withPlatform(ctx), ctx.session.tenant, params.id, signedIn(ctx.session))),
  requestFhirProvider: (ctx, { body }) => requestFhirProvider(ctx, body.message),
  assignOwnOfficeFhirProvider: (ctx, { params, body, ifMatch }) =>
    assignOwnOfficeFhirProvider(withPlatform(ctx), ctx.session.tenant, params.officeId, body.fhirProviderId, ifMatch),
};
