import { type ComponentType, lazy, useEffect, useState } from "react";
import type { Page } from "../lib/routing/pages.ts";

type Loader<Props = object> = () => Promise<{ default: ComponentType<Props> }>;

/** Once `load` has ended, `View` shows without a fallback, which React would keep for 300 ms. */
const preloadable = <Props extends object>(load: Loader<Props>) => {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    const found = await load();
    loaded = found.default;
    return found;
  };
  const Lazy = lazy(loadOnce);
  const View = (props: Props) => {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return <Shown {...props} />;
  };
  return { View, load: loadOnce };
};

/** A page that consists of one panel of the dashboard. */
const pageOf = (title: string, load: Loader) =>
  preloadable(async () => {
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
  "tenant-dashboard": preloadable(() => import("../features/tenant-dashboard/tenant-dashboard-page.tsx")),
  settings: preloadable(() => import("../features/settings/settings-page.tsx")),
  setup: preloadable(() => import("../features/setup/setup-page.tsx")),
  "to-do": preloadable(() => import("../features/to-do/to-do-page.tsx")),
  calls: pageOf("Calls", () => import("../features/calls/list/calls-panel.tsx")),
  leads: pageOf("Leads", () => import("../features/leads/leads-panel.tsx")),
  messages: pageOf("Messages", () => import("../features/messages/messages-panel.tsx")),
  proxies: pageOf("Approved callers", () => import("../features/proxies/proxies-panel.tsx")),
  developers: preloadable(() => import("../features/developers/developers-page.tsx")),
  account: preloadable(() => import("../features/accounts/account-page.tsx")),
  "admin-dashboard": preloadable(() => import("../features/admin-dashboard/admin-dashboard-page.tsx")),
} satisfies { [V in Page["view"]]?: { View: ComponentType<NonNullable<Extract<Page, { view: V }>["props"]>> } };

export type AppViewName = keyof typeof views;

const isAppView = (view: Page["view"]): view is AppViewName => Object.hasOwn(views, view);

/** Behind a sign-in, no page is without a view here: `prerender/documents.test.ts` compares them. */
export const AppView = ({ view, path, props }: Page) => {
  if (!isAppView(view)) throw new Error(`${view} is not a view of the app.`);
  const View = views[view].View as ComponentType<object>;
  // The key remounts a view that another path shows with other props.
  return <View key={path} {...props} />;
};

/** Longer, a page without its header and Logout would be worse than the change from one fallback to another. */
const patienceMilliseconds = 1000;

/** Loads the page while the session is checked. False until it is there, or keeps one waiting. */
export const useViewLoaded = (page: Page | undefined, isChecking: boolean): boolean => {
  const [first] = useState(isChecking && page && isAppView(page.view) ? page.view : undefined);
  const [isOver, setOver] = useState(first === undefined);
  useEffect(() => {
    if (first === undefined) return;
    const end = () => setOver(true);
    views[first].load().then(end, end);
    const timer = setTimeout(end, patienceMilliseconds);
    return () => clearTimeout(timer);
  }, [first]);
  return isOver || page?.view !== first;
};
