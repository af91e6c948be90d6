import { sendTenantMessage } from "@vitaline/contact";
import type { TenantAdminContext } from "../lib/callers.ts";
import { withPlatform } from "../lib/context.ts";

/** A tenant asks for a record system: its words go where visitors' do, to support, and the tenant's log says that it asked. AppErrors as there. */
export function requestFhirProvider(ctx: TenantAdminContext, message: string): Promise<{ received: true }> {
  const { firstName, lastName, email } = ctx.session.user;
  const fields = { firstName, lastName, email, company: ctx.session.tenant.name, message };
  return sendTenantMessage(withPlatform(ctx), ctx.tenantId, fields, {
    category: "configuration_change",
    action: "fhirProvider.request",
    resourceType: "Tenant",
    resourceId: ctx.tenantId,
  });
}
