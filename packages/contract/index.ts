import { tenantCalls } from "./calls/calls.ts";
import { leads } from "./calls/leads.ts";
import { messages } from "./calls/messages.ts";
import { dashboard, tenantDashboard } from "./calls/metrics.ts";
import { tasks } from "./calls/tasks.ts";
import { fhirProviders, tenantFhirProviders } from "./fhir/fhir-providers.ts";
import { platformKeys, wellKnown } from "./fhir/platform-keys.ts";
import type { Route, Routes } from "./http/route.ts";
import { platformAudit, tenantAudit } from "./operations/audit.ts";
import { compliance } from "./operations/compliance.ts";
import { erasures } from "./operations/erasures.ts";
import { exports } from "./operations/exports.ts";
import { keptEvents } from "./operations/kept-events.ts";
import { contactMessages, site } from "./operations/site.ts";
import { platformHealth, tenantHealth } from "./operations/system-health.ts";
import { apiKeys } from "./tenants/api-keys.ts";
import { calendar, calendarFeeds } from "./tenants/calendar.ts";
import { offices, tenantOffices } from "./tenants/offices.ts";
import { proxies } from "./tenants/proxies.ts";
import { tenant, tenants } from "./tenants/tenants.ts";
import { webhooks } from "./tenants/webhooks.ts";
import { accounts } from "./users/accounts.ts";
import { sessions } from "./users/sessions.ts";
import { users } from "./users/users.ts";
import { callReports } from "./voice/call-reports.ts";
import { elevenLabs, hooks, retell } from "./voice/hooks.ts";
import { snippets } from "./voice/snippets.ts";
import { mcp, tools } from "./voice/tools.ts";
import { vapi } from "./voice/vapi.ts";
import { tenantVoiceAgents, voiceAgents } from "./voice/voice-agents.ts";
import { tenantVoiceProviders, voiceProviders } from "./voice/voice-providers.ts";

/** All HTTP routes, by the Lambda function that serves them. */
export const contract = {
  auth: { ...sessions, ...accounts },
  tenant: {
    ...tenant,
    ...apiKeys,
    ...tenantOffices,
    ...tenantDashboard,
    ...tenantCalls,
    ...leads,
    ...tasks,
    ...messages,
    ...proxies,
    ...webhooks,
    ...calendarFeeds,
    ...tenantAudit,
    ...tenantHealth,
  },
  admin: { ...users, ...tenants, ...offices, ...keptEvents, ...erasures },
  agents: { ...voiceProviders, ...voiceAgents, ...tenantVoiceProviders, ...tenantVoiceAgents },
  fhir: { ...fhirProviders, ...tenantFhirProviders },
  tools: { ...tools, ...snippets },
  keys: { ...platformKeys },
  dashboard: { ...dashboard, ...platformAudit, ...compliance, ...platformHealth, ...contactMessages },
  exports: { ...exports },
  voice: { ...vapi, ...retell, ...elevenLabs, ...callReports, ...hooks },
  mcp: { ...mcp },
  calendar: { ...calendar },
  site: { ...site },
  wellknown: { ...wellKnown },
} as const satisfies Record<string, Routes>;

export type FunctionName = keyof typeof contract;

/** All routes with operation name and function, in table order. */
export const allRoutes = (): { functionName: FunctionName; operation: string; route: Route }[] =>
  Object.entries(contract).flatMap(([functionName, table]) =>
    Object.entries(table as Routes).map(([operation, route]) => ({ functionName: functionName as FunctionName, operation, route })),
  );

export * from "./calls/calls.ts";
export * from "./calls/leads.ts";
export * from "./calls/messages.ts";
export * from "./calls/metrics.ts";
export * from "./calls/tasks.ts";
export * from "./fhir/fhir-assignment.ts";
export * from "./fhir/fhir-health.ts";
export * from "./fhir/fhir-provider.ts";
export * from "./fhir/fhir-providers.ts";
export * from "./fhir/platform-keys.ts";
export { Email, Id } from "./http/fields.ts";
export * from "./http/route.ts";
export * from "./language.ts";
export * from "./operations/audit.ts";
export * from "./operations/compliance.ts";
export * from "./operations/erasures.ts";
export * from "./operations/exports.ts";
export * from "./operations/kept-events.ts";
export * from "./operations/site.ts";
export * from "./operations/system-health.ts";
export * from "./tenants/api-keys.ts";
export * from "./tenants/calendar.ts";
export * from "./tenants/office-facts.ts";
export * from "./tenants/offices.ts";
export { defaultMinorsPolicy, defaultToolRunsPerMinute, MinorsPolicy, ownToolLevels, Policies } from "./tenants/policies.ts";
export * from "./tenants/preferences.ts";
export * from "./tenants/proxies.ts";
export * from "./tenants/retention.ts";
export * from "./tenants/tenants.ts";
export * from "./tenants/webhooks.ts";
export * from "./users/accounts.ts";
export * from "./users/sessions.ts";
export * from "./users/user.ts";
export * from "./users/users.ts";
export * from "./voice/call-reports.ts";
export { ForeignBody } from "./voice/hooks.ts";
export * from "./voice/snippets.ts";
export * from "./voice/tools.ts";
export * from "./voice/vapi.ts";
export * from "./voice/voice-agents.ts";
export * from "./voice/voice-providers.ts";
