import type { Role, TenantRouteKey } from "@vitaline/contract";

export type SettingsSection = "organization" | "team" | "patient-contact" | "voice" | "retention" | "plan" | "requests";
export type DeveloperSection = "connect" | "test" | "tool-calls" | "webhooks";

/** A page's component, named as its file `NAME-page.tsx`, and its props. */
type View =
  | {
      view:
        | "account"
        | "admin-dashboard"
        | "api-reference"
        | "calls"
        | "contact"
        | "docs"
        | "forgot-password"
        | "hub"
        | "landing"
        | "leads"
        | "messages"
        | "not-found"
        | "pricing"
        | "proxies"
        | "questions"
        | "security"
        | "setup"
        | "tenant-dashboard"
        | "to-do";
      props?: Record<string, never>;
    }
  | { view: "settings"; props: { section: SettingsSection } }
  | { view: "developers"; props: { section: DeveloperSection } }
  | { view: "login"; props: { forRole: Role } }
  | { view: "legal"; props: { text: "privacy" | "terms" } }
  | { view: "mailed-link"; props: { link: "reset" | "invite" } }
  | { view: "platform"; props: { slug: "vapi" | "retell-ai" | "elevenlabs" | "openai" | "mcp" } };

/** Who a page opens to: everyone, every signed-in user, or the users of one role. */
export type Access = "public" | "account" | Role;

/** `path` as React Router matches it. `needs`: the page opens to users whose access opens this route. */
export type Page = { path: string; needs?: TenantRouteKey } & View;

/** All pages of the site. `app/paths.json` lists the same paths for the CDN; `prerender/documents.test.ts` compares the two. */
export const pages: Readonly<Record<Access, readonly Page[]>> = {
  public: [
    { path: "/", view: "landing" },
    { path: "/healthcare", view: "landing" },
    { path: "/dashboard", view: "hub" },
    { path: "/pricing", view: "pricing" },
    { path: "/contact", view: "contact" },
    { path: "/security", view: "security" },
    { path: "/privacy", view: "legal", props: { text: "privacy" } },
    { path: "/terms", view: "legal", props: { text: "terms" } },
    { path: "/faq", view: "questions" },
    { path: "/docs", view: "docs" },
    { path: "/docs/api", view: "api-reference" },
    { path: "/docs/vapi", view: "platform", props: { slug: "vapi" } },
    { path: "/docs/retell-ai", view: "platform", props: { slug: "retell-ai" } },
    { path: "/docs/elevenlabs", view: "platform", props: { slug: "elevenlabs" } },
    { path: "/docs/openai", view: "platform", props: { slug: "openai" } },
    { path: "/docs/mcp", view: "platform", props: { slug: "mcp" } },
    { path: "/login", view: "login", props: { forRole: "tenant_admin" } },
    { path: "/admin-login", view: "login", props: { forRole: "system_admin" } },
    { path: "/admin/login", view: "login", props: { forRole: "system_admin" } },
    { path: "/forgot-password", view: "forgot-password" },
    { path: "/reset-password/:token", view: "mailed-link", props: { link: "reset" } },
    { path: "/accept-invite/:token", view: "mailed-link", props: { link: "invite" } },
    { path: "*", view: "not-found" },
  ],
  tenant_admin: [
    { path: "/tenant", view: "tenant-dashboard" },
    { path: "/tenant-dashboard", view: "tenant-dashboard" },
    { path: "/tenant/settings", view: "settings", props: { section: "organization" }, needs: "PUT /api/tenant/settings" },
    { path: "/tenant/settings/team", view: "settings", props: { section: "team" }, needs: "GET /api/tenant/team" },
    {
      path: "/tenant/settings/patient-contact",
      view: "settings",
      props: { section: "patient-contact" },
      needs: "PUT /api/tenant/contact-preferences",
    },
    { path: "/tenant/settings/voice", view: "settings", props: { section: "voice" }, needs: "POST /api/tenant/voice-providers" },
    { path: "/tenant/settings/retention", view: "settings", props: { section: "retention" }, needs: "PUT /api/tenant/settings" },
    { path: "/tenant/settings/plan", view: "settings", props: { section: "plan" }, needs: "PUT /api/tenant/settings" },
    { path: "/tenant/settings/requests", view: "settings", props: { section: "requests" }, needs: "GET /api/tenant/requests" },
    { path: "/tenant/setup", view: "setup", needs: "POST /api/tenant/test-calls" },
    { path: "/tenant/to-do", view: "to-do", needs: "GET /api/tenant/to-do" },
    { path: "/tenant/calls", view: "calls", needs: "GET /api/tenant/calls" },
    { path: "/tenant/leads", view: "leads", needs: "GET /api/tenant/leads" },
    { path: "/tenant/messages", view: "messages", needs: "GET /api/tenant/messages" },
    { path: "/tenant/proxies", view: "proxies", needs: "GET /api/tenant/proxies" },
    { path: "/tenant/developers", view: "developers", props: { section: "connect" }, needs: "GET /api/tenant/snippets" },
    { path: "/tenant/developers/test", view: "developers", props: { section: "test" }, needs: "POST /api/tenant/tools/{name}" },
    { path: "/tenant/developers/tool-calls", view: "developers", props: { section: "tool-calls" }, needs: "GET /api/tenant/tool-calls" },
    { path: "/tenant/developers/webhooks", view: "developers", props: { section: "webhooks" }, needs: "GET /api/tenant/webhooks" },
  ],
  system_admin: [
    { path: "/admin", view: "admin-dashboard" },
    { path: "/admin-dashboard", view: "admin-dashboard" },
  ],
  account: [{ path: "/account", view: "account" }],
};
