import { callViews } from "./calls/call-views.ts";
import { callWork } from "./calls/call-work.ts";
import { tenantCalls } from "./calls/calls.ts";
import { leads } from "./calls/leads.ts";
import { messages } from "./calls/messages.ts";
import { dashboard, tenantDashboard } from "./calls/metrics.ts";
import { tasks } from "./calls/tasks.ts";
import { toDo } from "./calls/to-do.ts";
import { fhirProviders, tenantFhirProviders } from "./fhir/fhir-providers.ts";
import { platformKeys, wellKnown } from "./fhir/platform-keys.ts";
import type { Route, Routes } from "./http/route.ts";
import { accessReports, patientSearch } from "./operations/access-reports.ts";
import { platformAudit, tenantAudit } from "./operations/audit.ts";
import { compliance } from "./operations/compliance.ts";
import { erasures } from "./operations/erasures.ts";
import { exports } from "./operations/exports.ts";
import { keptEvents } from "./operations/kept-events.ts";
import { operatorRequests, tenantRequests } from "./operations/operator-requests.ts";
import { contactMessages, site } from "./operations/site.ts";
import { platformHealth, tenantHealth } from "./operations/system-health.ts";
import { apiKeys } from "./tenants/api-keys.ts";
import { calendar, calendarFeeds } from "./tenants/calendar.ts";
import { notices } from "./tenants/notices.ts";
import { offices, tenantOffices } from "./tenants/offices.ts";
import { proxies } from "./tenants/proxies.ts";
import { tenant, tenants } from "./tenants/tenants.ts";
import { webhooks } from "./tenants/webhooks.ts";
import { accounts } from "./users/accounts.ts";
import { sessions } from "./users/sessions.ts";
import { team } from "./users/team.ts";
import { users } from "./users/users.ts";
import { mcp } from "./voice/tools.ts";
import { toolsFunction } from "./voice/tools-function.ts";
import { tenantVoiceAgents, voiceAgents } from "./voice/voice-agents.ts";
import { voiceRoutes } from "./voice/voice-routes.ts";
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
    ...callWork,
    ...callViews,
    ...leads,
    ...tasks,
    ...toDo,
    ...notices,
    ...messages,
    ...proxies,
    ...webhooks,
    ...calendarFeeds,
    ...tenantAudit,
    ...tenantHealth,
  },
  admin: { ...users, ...team, ...tenants, ...offices, ...keptEvents, ...erasures },
  agents: { ...voiceProviders, ...voiceAgents, ...tenantVoiceProviders, ...tenantVoiceAgents },
  fhir: { ...fhirProviders, ...tenantFhirProviders, ...patientSearch, ...tenantRequests, ...operatorRequests },
  tools: toolsFunction,
  keys: { ...platformKeys },
  dashboard: { ...dashboard, ...platformAudit, ...compliance, ...platformHealth, ...contactMessages },
  exports: { ...exports, ...accessReports },
  voice: voiceRoutes,
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
