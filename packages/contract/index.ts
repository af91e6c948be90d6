import { accounts } from "./accounts.ts";
import { apiKeys } from "./api-keys.ts";
import { platformAudit, tenantAudit } from "./audit.ts";
import { callReports } from "./call-reports.ts";
import { calendar, calendarFeeds } from "./calendar.ts";
import { tenantCalls } from "./calls.ts";
import { compliance } from "./compliance.ts";
import { elevenLabs } from "./elevenlabs.ts";
import { erasures } from "./erasures.ts";
import { exports } from "./exports.ts";
import { fhirProviders, tenantFhirProviders } from "./fhir-providers.ts";
import { hooks } from "./hooks.ts";
import { keptEvents } from "./kept-events.ts";
import { leads } from "./leads.ts";
import { dashboard, tenantDashboard } from "./metrics.ts";
import { mcp } from "./mcp.ts";
import { messages } from "./messages.ts";
import { offices, tenantOffices } from "./offices.ts";
import { platformKeys, wellKnown } from "./platform-keys.ts";
import { retell } from "./retell.ts";
import type { Route, Routes } from "./route.ts";
import { sessions } from "./sessions.ts";
import { contactMessages, site } from "./site.ts";
import { snippets } from "./snippets.ts";
import { platformHealth, tenantHealth } from "./system-health.ts";
import { tasks } from "./tasks.ts";
import { tenant, tenants } from "./tenants.ts";
import { tools } from "./tools.ts";
import { users } from "./users.ts";
import { vapi } from "./vapi.ts";
import { tenantVoiceAgents, voiceAgents } from "./voice-agents.ts";
import { tenantVoiceProviders, voiceProviders } from "./voice-providers.ts";
import { webhooks } from "./webhooks.ts";

/** Every HTTP route, by the Lambda function that serves it. A route that is not here does not exist. */
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

/** All routes with their operation name and function, in table order. */
export const allRoutes = (): { functionName: FunctionName; operation: string; route: Route }[] =>
  Object.entries(contract).flatMap(([functionName, table]) =>
    Object.entries(table as Routes).map(([operation, route]) => ({ functionName: functionName as FunctionName, operation, route })),
  );

export * from "./accounts.ts";
export * from "./api-keys.ts";
export * from "./audit.ts";
export * from "./call-reports.ts";
export * from "./calendar.ts";
export * from "./calls.ts";
export * from "./compliance.ts";
export * from "./erasures.ts";
export * from "./exports.ts";
export * from "./fhir-providers.ts";
export { ForeignBody } from "./hooks.ts";
export * from "./kept-events.ts";
export * from "./leads.ts";
export * from "./mcp.ts";
export { filled, standardTexts } from "./message-texts.ts";
export * from "./messages.ts";
export * from "./metrics.ts";
export * from "./offices.ts";
export * from "./platform-keys.ts";
export * from "./preferences.ts";
export * from "./problem.ts";
export * from "./retention.ts";
export * from "./route.ts";
export * from "./sessions.ts";
export * from "./site.ts";
export * from "./snippets.ts";
export * from "./system-health.ts";
export * from "./tasks.ts";
export * from "./tenants.ts";
export * from "./tools.ts";
export * from "./user.ts";
export * from "./users.ts";
export * from "./vapi.ts";
export * from "./voice-agents.ts";
export * from "./voice-providers.ts";
export * from "./webhooks.ts";
export { Email, Id } from "./fields.ts";
