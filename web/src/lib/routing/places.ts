import type { Me, TenantRouteKey } from "@vitaline/contract";
import { may } from "../session/may.ts";
import { type DeveloperSection, pages, type SettingsSection } from "./pages.ts";

/** `value` is the tab's name in the address. */
type Tab = { value: string; label: string; needs?: TenantRouteKey };

export const tenantTabs = [
  { value: "overview", label: "Overview", needs: "GET /api/tenant/dashboard/recent-calls" },
  { value: "api-keys", label: "API Keys", needs: "GET /api/tenant/api-keys" },
  { value: "fhir", label: "FHIR", needs: "GET /api/tenant/dashboard/fhir-providers" },
  { value: "analytics", label: "Analytics", needs: "GET /api/tenant/calls" },
  { value: "offices", label: "Offices", needs: "POST /api/tenant/offices" },
  { value: "audit", label: "Audit", needs: "GET /api/tenant/dashboard/audit-logs" },
  { value: "system", label: "System", needs: "GET /api/tenant/dashboard/system-health" },
] as const satisfies readonly Tab[];

export const adminTabs = [
  { value: "users", label: "Users" },
  { value: "tenants", label: "Tenants" },
  { value: "voice", label: "Voice & AI" },
  { value: "fhir", label: "EHR/FHIR" },
  { value: "audit", label: "Audit & Compliance" },
] as const satisfies readonly Tab[];

export const settingsNames: Record<SettingsSection, string> = {
  organization: "Organization",
  team: "Team",
  "patient-contact": "Patient contact",
  voice: "Voice platforms",
  retention: "Retention and rules",
  plan: "Plan and usage",
  requests: "Requests",
};

export const developerNames: Record<DeveloperSection, string> = {
  connect: "Connect a platform",
  test: "Test a tool",
  "tool-calls": "Tool calls",
  webhooks: "Webhooks",
};

/** The pages of an organization that are not parts of another one. */
export const sections = [
  { path: "/tenant/to-do", name: "To do" },
  { path: "/tenant/calls", name: "Calls" },
  { path: "/tenant/leads", name: "Leads" },
  { path: "/tenant/messages", name: "Messages" },
  { path: "/tenant/proxies", name: "Approved callers" },
  { path: "/tenant/developers", name: "Developers" },
  { path: "/tenant/settings", name: "Settings" },
] as const;
export type Section = (typeof sections)[number];

type Visitor = Pick<Me, "role" | "access"> | null;

/** Whether the user's access opens a page of their organization. */
export const opensPage = (user: Visitor, path: string): boolean => {
  const needs = pages.tenant_admin.find((page) => page.path === path)?.needs;
  return needs === undefined || may(user, needs);
};

/** `also`: other words that people look for. */
export type Place = { to: string; name: string; also?: string };

const tabWords: Readonly<Record<string, string>> = {
  "api-keys": "key token regenerate secret endpoint",
  fhir: "record system ehr epic connection",
  analytics: "charts figures report revenue savings",
  offices: "locations hours breaks lunch holidays voice agents calendar",
  audit: "compliance access report patient log export who saw",
  system: "health status uptime outage",
};

const sectionWords: Readonly<Record<string, string>> = {
  "/tenant/to-do": "tasks refills callbacks emergencies email notices notifications quiet hours",
  "/tenant/calls": "transcripts follow-up search number",
  "/tenant/leads": "new patients callbacks contacts",
  "/tenant/messages": "texts emails reminders delivery",
  "/tenant/proxies": "people who may call for a patient proxy guardian family",
};

const settingsWords: Record<SettingsSection, string> = {
  organization: "name address time zone hours holidays breaks",
  team: "invite colleague staff auditor access remove user",
  "patient-contact": "reminders texts emails confirmation messages languages",
  voice: "vapi retell elevenlabs provider assistant key",
  retention: "delete transcripts years rules",
  plan: "usage minutes calls month price",
  requests: "ask support operator change",
};

const developerWords: Record<DeveloperSection, string> = {
  connect: "platform configuration snippets vapi retell elevenlabs openai mcp",
  test: "console sandbox try curl",
  "tool-calls": "requests errors log",
  webhooks: "events deliveries secret crm",
};

const tenantPages = (user: Visitor): Place[] => [
  ...tenantTabs
    .filter(({ needs }) => may(user, needs))
    .map(({ value, label }) => ({ to: `/tenant?tab=${value}`, name: label, also: `dashboard ${tabWords[value] ?? ""}` })),
  ...pages.tenant_admin.flatMap(({ path, needs, ...page }): Place[] => {
    if (needs !== undefined && !may(user, needs)) return [];
    if (page.view === "setup") return [{ to: path, name: "Set up a voice platform", also: "guide test call help first steps" }];
    if (page.view === "developers")
      return [{ to: path, name: developerNames[page.props.section], also: `developers ${developerWords[page.props.section]}` }];
    const section = page.view === "settings" ? undefined : sections.find((one) => one.path === path);
    return section ? [{ to: path, name: section.name, also: sectionWords[path] ?? "" }] : [];
  }),
];

const account: Place = { to: "/account", name: "Your account", also: "password two-factor second factor sessions sign out" };

const tenantSettings = (user: Visitor): Place[] =>
  pages.tenant_admin.flatMap((page) =>
    page.view === "settings" && page.needs !== undefined && may(user, page.needs)
      ? [{ to: page.path, name: settingsNames[page.props.section], also: `settings ${settingsWords[page.props.section]}` }]
      : [],
  );

const help: readonly Place[] = [
  { to: "/docs", name: "Documentation", also: "help guide manual working day how to" },
  { to: "/docs/api", name: "API reference", also: "help openapi endpoints" },
  { to: "/docs/vapi", name: "Connect Vapi", also: "help docs platform" },
  { to: "/docs/retell-ai", name: "Connect Retell AI", also: "help docs platform" },
  { to: "/docs/elevenlabs", name: "Connect ElevenLabs", also: "help docs platform" },
  { to: "/docs/openai", name: "Connect OpenAI Realtime", also: "help docs platform" },
  { to: "/docs/mcp", name: "Connect an MCP client", also: "help docs platform" },
  { to: "/faq", name: "Questions and answers", also: "help faq" },
  { to: "/security", name: "Security and compliance", also: "help hipaa baa" },
  { to: "/dashboard", name: "Service status", also: "help outage history" },
  { to: "/contact", name: "Contact support", also: "help message email" },
];

const adminTabWords: Readonly<Record<string, string>> = {
  users: "people accounts administrators",
  tenants: "organizations clinics plans activity",
  voice: "vapi retell elevenlabs platform keys agents",
  fhir: "record systems connections",
  audit: "logs access report exports erasures contact messages unprocessed events",
};

const consolePages: readonly Place[] = [
  ...adminTabs.map(({ value, label }) => ({ to: `/admin?tab=${value}`, name: label, also: `console ${adminTabWords[value] ?? ""}` })),
  { to: "/admin?tab=audit#requests", name: "Requests", also: "console what organizations ask for support answer reply" },
];

/** Where a signed-in user can go, in groups. */
export const placesOf = (user: Visitor): { name: string; places: readonly Place[] }[] =>
  user?.role === "system_admin"
    ? [
        { name: "Pages", places: consolePages },
        { name: "Settings", places: [account] },
        { name: "Help", places: help },
      ]
    : [
        { name: "Pages", places: tenantPages(user) },
        { name: "Settings", places: [...tenantSettings(user), account] },
        { name: "Help", places: help },
      ];
