import type { contract, FunctionName } from "./contract.ts";
import type { Route } from "./http/route.ts";
import type { UserAccess } from "./users/user.ts";

type KeyOf<R> = R extends Route ? (R["auth"] extends "tenant_admin" ? `${R["method"]} ${R["path"]}` : never) : never;
type KeysIn<F extends FunctionName> = (typeof contract)[F] extends infer Table
  ? { [O in keyof Table]: KeyOf<Table[O]> }[keyof Table]
  : never;

/** A route that is open to an organization's users, such as "GET /api/tenant/calls". */
export type TenantRouteKey = { [F in FunctionName]: KeysIn<F> }[FunctionName];

type Permission = { what: string; open: readonly UserAccess[]; routes: readonly TenantRouteKey[] };

/**
 * What an organization's users may do, by route: enforced where the role is checked, tried by the isolation matrix, and shown on the
 * team's page. A route without a row is open to administrators alone.
 */
export const permissions: readonly Permission[] = [
  {
    what: "See the organization's name, time zone and offices",
    open: ["administrator", "staff", "auditor"],
    routes: ["GET /api/tenant/info", "GET /api/tenant/settings", "GET /api/tenant/dashboard/offices"],
  },
  {
    what: "See figures: calls, tools, transfers, minutes, savings",
    open: ["administrator", "staff", "auditor"],
    routes: [
      "GET /api/tenant/dashboard/metrics",
      "GET /api/tenant/dashboard/tool-usage",
      "GET /api/tenant/dashboard/routing",
      "GET /api/tenant/dashboard/charts",
      "GET /api/tenant/dashboard/savings",
      "GET /api/tenant/usage",
    ],
  },
  {
    what: "Read calls with their transcripts, and follow up",
    open: ["administrator", "staff"],
    routes: [
      "GET /api/tenant/dashboard/recent-calls",
      "GET /api/tenant/calls",
      "GET /api/tenant/calls/in-progress",
      "GET /api/tenant/calls/{callId}",
      "POST /api/tenant/calls/search",
      "PUT /api/tenant/calls/{callId}/follow-up",
      "POST /api/tenant/calls/follow-up",
      "GET /api/tenant/call-views",
      "PUT /api/tenant/call-views",
      "GET /api/tenant/tool-calls",
    ],
  },
  {
    what: "Work on tasks, leads and messages to patients",
    open: ["administrator", "staff"],
    routes: [
      "GET /api/tenant/to-do",
      "GET /api/tenant/to-do/count",
      "GET /api/tenant/to-do/{toDoId}",
      "PUT /api/tenant/to-do/{toDoId}",
      "GET /api/tenant/notices",
      "PUT /api/tenant/notices",
      "GET /api/tenant/tasks",
      "GET /api/tenant/tasks/{taskId}",
      "PUT /api/tenant/tasks/{taskId}",
      "GET /api/tenant/leads",
      "POST /api/tenant/leads",
      "GET /api/tenant/leads/{leadId}",
      "PUT /api/tenant/leads/{leadId}",
      "GET /api/tenant/messages",
    ],
  },
  {
    what: "Approve people who may call for a patient",
    open: ["administrator", "staff"],
    routes: [
      "GET /api/tenant/proxies",
      "POST /api/tenant/proxies",
      "GET /api/tenant/proxies/{proxyId}",
      "PUT /api/tenant/proxies/{proxyId}",
      "DELETE /api/tenant/proxies/{proxyId}",
    ],
  },
  {
    what: "See whether the connections work",
    open: ["administrator", "staff"],
    routes: ["GET /api/tenant/dashboard/system-health", "GET /api/tenant/dashboard/notices"],
  },
  {
    what: "Search the audit log and export it",
    open: ["administrator", "auditor"],
    routes: [
      "GET /api/tenant/dashboard/audit-logs",
      "GET /api/tenant/dashboard/audit-status",
      "POST /api/tenant/audit/export",
      "GET /api/tenant/audit/exports",
      "GET /api/tenant/audit/exports/{exportId}",
    ],
  },
  {
    what: "Report who saw a patient's data, with the patient found in the record system",
    open: ["administrator", "auditor"],
    routes: [
      "POST /api/tenant/audit/access-reports",
      "GET /api/tenant/audit/access-reports",
      "GET /api/tenant/audit/people",
      "GET /api/tenant/audit/access-reports/{reportId}",
      "POST /api/tenant/patients/search",
    ],
  },
  {
    what: "Export calls, without what was said",
    open: ["administrator", "auditor"],
    routes: ["GET /api/tenant/calls/export"],
  },
  {
    what: "Export leads, with contact details",
    open: ["administrator"],
    routes: ["GET /api/tenant/leads/export"],
  },
  {
    what: "Invite, change, unlock and remove colleagues, and reset their second factor",
    open: ["administrator"],
    routes: [
      "GET /api/tenant/team",
      "POST /api/tenant/team",
      "PUT /api/tenant/team/{userId}",
      "POST /api/tenant/team/{userId}/resend-invite",
      "POST /api/tenant/team/{userId}/unlock",
      "POST /api/tenant/team/{userId}/reset-totp",
    ],
  },
  {
    what: "Change offices, their voice agents and calendars, and settings",
    open: ["administrator"],
    routes: [
      "PUT /api/tenant/settings",
      "PUT /api/tenant/contact-preferences",
      "POST /api/tenant/offices",
      "GET /api/tenant/offices/{officeId}",
      "PUT /api/tenant/offices/{officeId}",
      "GET /api/tenant/offices/{officeId}/calendar-feed",
      "POST /api/tenant/offices/{officeId}/calendar-feed",
      "DELETE /api/tenant/offices/{officeId}/calendar-feed",
      "GET /api/tenant/voice-providers",
      "GET /api/tenant/voice-providers/{providerId}/agents",
      "GET /api/tenant/voice-agents",
      "POST /api/tenant/offices/{officeId}/voice-agents",
      "PUT /api/tenant/offices/{officeId}/voice-agents/{id}",
      "DELETE /api/tenant/offices/{officeId}/voice-agents/{id}",
    ],
  },
  {
    what: "Connect voice platforms",
    open: ["administrator"],
    routes: [
      "POST /api/tenant/voice-providers",
      "GET /api/tenant/voice-providers/{providerId}",
      "PUT /api/tenant/voice-providers/{providerId}",
      "DELETE /api/tenant/voice-providers/{providerId}",
    ],
  },
  {
    what: "See and replace API keys, run tools, set up webhooks",
    open: ["administrator"],
    routes: [
      "POST /api/tenant/regenerate-api-key",
      "GET /api/tenant/api-keys",
      "POST /api/tenant/api-keys/{keyId}/revoke",
      "GET /api/tenant/tools",
      "POST /api/tenant/tools/{name}",
      "POST /api/tenant/test-calls",
      "POST /api/tenant/test-calls/end",
      "GET /api/tenant/snippets",
      "GET /api/tenant/webhooks",
      "POST /api/tenant/webhooks",
      "PUT /api/tenant/webhooks/{webhookId}",
      "DELETE /api/tenant/webhooks/{webhookId}",
      "POST /api/tenant/webhooks/{webhookId}/rotate-secret",
      "POST /api/tenant/webhooks/{webhookId}/test",
      "GET /api/tenant/webhook-deliveries",
      "POST /api/tenant/webhook-deliveries/{deliveryId}/replay",
    ],
  },
  {
    what: "Ask the platform for something, and see what became of it",
    open: ["administrator"],
    routes: ["GET /api/tenant/requests", "POST /api/tenant/requests", "POST /api/tenant/requests/{requestId}/replies"],
  },
  {
    what: "Connect record systems",
    open: ["administrator"],
    routes: [
      "GET /api/tenant/dashboard/fhir-providers",
      "GET /api/tenant/fhir-providers",
      "POST /api/tenant/fhir-providers",
      "PUT /api/tenant/fhir-providers/{id}",
      "POST /api/tenant/fhir-providers/{id}/test",
      "POST /api/tenant/fhir-providers/{id}/authorize",
      "POST /api/tenant/fhir-providers/request",
      "PUT /api/tenant/offices/{officeId}/fhir-provider",
    ],
  },
];

const openTo = new Map<string, readonly UserAccess[]>(permissions.flatMap(({ routes, open }) => routes.map((key) => [key, open] as const)));
const administratorsOnly: readonly UserAccess[] = ["administrator"];

/** Whether a user of an organization may call the route, as `routeKey` names it; absent access is an administrator's. */
export const mayCall = (access: UserAccess | undefined, key: string): boolean =>
  (openTo.get(key) ?? administratorsOnly).includes(access ?? "administrator");
