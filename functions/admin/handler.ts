import { contract } from "@vitaline/contract";
import { createOffice } from "@vitaline/offices";
import { createTenant, listTenants } from "@vitaline/tenants";
import { createUser, listUsers } from "@vitaline/users";
import { inTenant } from "../lib/context.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(
  contract.admin,
  people,
)({
  listUsers: (ctx) => listUsers(ctx),
  createUser: (ctx, { body }) => createUser(ctx, body),
  listTenants: (ctx) => listTenants(ctx),
  createTenant: (ctx, { body }) => createTenant(ctx, body),
  createOffice: (ctx, { params, body }) => createOffice(inTenant(ctx, params.tenantId), body),
});
