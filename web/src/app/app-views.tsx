import { type ComponentType, lazy } from "react";
import type { Page } from "../lib/routing/pages.ts";

/** The pages behind a sign-in. Their list is a part of the app's chunk: the public site does not load it. */
const views = {
  "tenant-dashboard": lazy(() => import("../features/tenant-dashboard/tenant-dashboard-page.tsx")),
  settings: lazy(() => import("../features/settings/settings-page.tsx")),
  setup: lazy(() => import("../features/setup/setup-page.tsx")),
  "to-do": lazy(() => import("../features/to-do/to-do-page.tsx")),
  calls: lazy(() => import("../features/calls/calls-page.tsx")),
  leads: lazy(() => import("../features/leads/leads-page.tsx")),
  messages: lazy(() => import("../features/messages/messages-page.tsx")),
  proxies: lazy(() => import("../features/proxies/proxies-page.tsx")),
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
