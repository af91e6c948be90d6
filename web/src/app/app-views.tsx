import { type ComponentType, lazy } from "react";
import type { Page } from "../lib/routing/pages.ts";

/** A page that consists of one panel of the dashboard. */
const pageOf = (title: string, load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => {
    const [{ TenantPage }, { default: Panel }] = await Promise.all([import("../components/tenants/tenant-page.tsx"), load()]);
    return {
      default: () => (
        <TenantPage title={title}>
          <Panel />
        </TenantPage>
      ),
    };
  });

/** The pages behind a sign-in. Their list is a part of the app's chunk: the public site does not load it. */
const views = {
  "tenant-dashboard": lazy(() => import("../features/tenant-dashboard/tenant-dashboard-page.tsx")),
  settings: lazy(() => import("../features/settings/settings-page.tsx")),
  setup: lazy(() => import("../features/setup/setup-page.tsx")),
  "to-do": lazy(() => import("../features/to-do/to-do-page.tsx")),
  calls: pageOf("Calls", () => import("../features/calls/list/calls-panel.tsx")),
  leads: pageOf("Leads", () => import("../features/leads/leads-panel.tsx")),
  messages: pageOf("Messages", () => import("../features/messages/messages-panel.tsx")),
  proxies: pageOf("Approved callers", () => import("../features/proxies/proxies-panel.tsx")),
  developers: lazy(() => import("../features/developers/developers-page.tsx")),
  account: lazy(() => import("../features/accounts/account-page.tsx")),
  "admin-dashboard": lazy(() => import("../features/admin-dashboard/admin-dashboard-page.tsx")),
} satisfies { [V in Page["view"]]?: ComponentType<NonNullable<Extract<Page, { view: V }>["props"]>> };

export type AppViewName = keyof typeof views;

const isAppView = (view: Page["view"]): view is AppViewName => Object.hasOwn(views, view);

/** Behind a sign-in, no page is without a view here: `prerender/documents.test.ts` compares them. */
export const AppView = ({ view, path, props }: Page) => {
  if (!isAppView(view)) throw new Error(`${view} is not a view of the app.`);
  const View = views[view] as ComponentType<object>;
  // The key remounts a view that another path shows with other props.
  return <View key={path} {...props} />;
};
