import { answerRequest, createRequest, listOperatorRequests, listRequests, replyToRequest } from "@vitaline/contact";
import {
  contract,
  type fhirProviders,
  type NewRequest,
  type operatorRequests,
  type patientSearch,
  type tenantFhirProviders,
  type tenantRequests,
} from "@vitaline/contract";
import {
  assignFhirProvider,
  assignOfficeFhirProvider,
  assignOwnOfficeFhirProvider,
  beginAuthorization,
  beginOwnAuthorization,
  checkFhirProvider,
  createFhirProvider,
  createOwnFhirProvider,
  discoverFhirServer,
  findPatients,
  fhirHealthStatus,
  listFhirAssignments,
  listFhirPresets,
  listFhirProviders,
  listOwnFhirProviders,
  listTenantFhirProviders,
  testFhirProvider,
  testTenantFhirProvider,
  updateFhirProvider,
  updateOwnFhirProvider,
} from "@vitaline/fhir-providers";
import { loadTools, type Tool } from "@vitaline/tools";
import { serve, type Handlers } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import type { TenantAdminContext } from "../lib/auth/types.ts";
import { withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { withScopes } from "../lib/context/platform-context.ts";
import { answerPage } from "../lib/http/response.ts";
import { redirectToConsole, redirectToEhr, userOf } from "./oauth-redirect.ts";

const allTools = async (): Promise<Tool[]> => Object.values(await loadTools());

const providerHandlers: Handlers<typeof fhirProviders, "accounts" | "directory" | "ehr" | "throttle"> = {
  listFhirProviders: (ctx) => listFhirProviders(ctx),
  createFhirProvider: (ctx, { body }) => createFhirProvider(ctx, body),
  updateFhirProvider: (ctx, { params, body, ifMatch }) => updateFhirProvider(ctx, params.id, body, { ifMatch }),
  testFhirProvider: async (ctx, { params, body }) => testFhirProvider(ctx, params.id, body.patientId, await allTools()),
  checkFhirProvider: (ctx, { params }) => checkFhirProvider(ctx, params.id),
  authorizeFhirProvider: async (ctx, { params }) => redirectToEhr(await beginAuthorization(ctx, params.id, userOf(ctx.session))),
  fhirAuthorizationCallback: (ctx, { params, query }) => redirectToConsole(ctx, params.vendor, query),
  fhirHealthStatus: (ctx) => fhirHealthStatus(ctx),
  listFhirPresets: async (ctx) => listFhirPresets(ctx),
  discoverFhirServer: (ctx, { body }) => discoverFhirServer(ctx, body.baseUrl),
  listFhirAssignments: async (ctx, { query }) => answerPage(await listFhirAssignments(ctx, query)),
  assignFhirProvider: (ctx, { params, body, ifMatch }) => assignFhirProvider(ctx, params.tenantId, body.fhirProviderId, ifMatch),
  assignOfficeFhirProvider: (ctx, { params: { tenantId, officeId }, body, ifMatch }) =>
    assignOfficeFhirProvider(ctx, tenantId, officeId, body.fhirProviderId, ifMatch),
};

const tenantHandlers: Handlers<typeof tenantFhirProviders & typeof patientSearch> = {
  listTenantFhirProviders: async (ctx) => listTenantFhirProviders(withScopes(ctx, "ehr"), ctx.session.tenant, await allTools()),
  listOwnFhirProviders: (ctx) => listOwnFhirProviders(withScopes(ctx, "ehr"), ctx.session.tenant),
  createOwnFhirProvider: (ctx, { body }) => createOwnFhirProvider(withScopes(ctx, "ehr"), ctx.session.tenant, body),
  updateOwnFhirProvider: (ctx, { params, body, ifMatch }) =>
    updateOwnFhirProvider(withScopes(ctx, "ehr"), ctx.session.tenant, params.id, body, ifMatch),
  testTenantFhirProvider: async (ctx, { params, body }) =>
    testTenantFhirProvider(withScopes(ctx, "ehr", "throttle"), ctx.session.tenant, params.id, body.patientId, await allTools()),
  authorizeOwnFhirProvider: async (ctx, { params }) =>
    redirectToEhr(await beginOwnAuthorization(withScopes(ctx, "ehr"), ctx.session.tenant, params.id, userOf(ctx.session))),
  requestFhirProvider: async (ctx, { body }) => {
    await ask(ctx, { kind: "record_system", message: body.message });
    return { received: true };
  },
  findPatients: (ctx, { body }) => findPatients(withScopes(ctx, "ehr", "throttle"), ctx.session.tenant, body),
  assignOwnOfficeFhirProvider: (ctx, { params, body, ifMatch }) =>
    assignOwnOfficeFhirProvider(withScopes(ctx, "ehr"), ctx.session.tenant, params.officeId, body.fhirProviderId, ifMatch),
};

const tenantRequestHandlers: Handlers<typeof tenantRequests> = {
  listRequests: async (ctx, { query }) => answerPage(await listRequests(ctx, query)),
  createRequest: (ctx, { body }) => ask(ctx, body),
  replyToRequest: (ctx, { params, body, ifMatch }) =>
    replyToRequest(withScopes(ctx, "contact", "throttle"), askerOf(ctx), params.requestId, { ...body, ifMatch }),
};

const operatorRequestHandlers: Handlers<typeof operatorRequests, "accounts" | "contact"> = {
  listOperatorRequests: async (ctx, { query: { closed, ...page } }) =>
    answerPage(await listOperatorRequests(ctx, { ...page, closed: closed === "true" })),
  answerRequest: (ctx, { params, body, ifMatch }) => {
    const { firstName, lastName } = ctx.session.user;
    return answerRequest(ctx, params, body, { by: `${firstName} ${lastName}`, ifMatch });
  },
};

const askerOf = ({ tenantId, session: { tenant, user } }: TenantAdminContext) => {
  const { id: userId, firstName, lastName, email } = user;
  return { tenantId, tenantName: tenant.name, userId, firstName, lastName, email };
};
const ask = (ctx: TenantAdminContext, request: NewRequest) => createRequest(withScopes(ctx, "contact", "throttle"), askerOf(ctx), request);

export const handler = withOutboundLoopbackRule(
  serve(contract.fhir, sessionAuth, ["accounts", "directory", "ehr", "contact", "throttle"])({
    ...providerHandlers,
    ...tenantHandlers,
    ...tenantRequestHandlers,
    ...operatorRequestHandlers,
  }),
);
