import { type ComponentType, lazy, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Route, Routes } from "react-router-dom";
import { type Access, type Page, pages } from "../lib/routing/pages.ts";
import type { AppViewName } from "./app-views.tsx";
import { AuthProvider } from "../lib/session/auth.tsx";

/** Rendered without theme and router: usually a chunk failed to load. */
const CrashPage = () => (
  <main style={{ font: "1rem/1.6 system-ui, sans-serif", maxWidth: "36rem", margin: "20vh auto", padding: "0 1rem" }}>
    <title>Something went wrong · Vitaline</title>
    <h1>Something went wrong</h1>
    <p>The page could not be loaded. Check your connection and reload the page.</p>
    <button type="button" onClick={() => location.reload()}>
      Reload page
    </button>
  </main>
);

const PublicLayout = lazy(() => import("./public-layout.tsx"));
const AppLayout = lazy(() => import("./app-layout.tsx"));

type PropsOf<V> = NonNullable<Extract<Page, { view: V }>["props"]>;

type PublicView = Exclude<Page["view"], AppViewName>;

const views: { [V in PublicView]: ComponentType<PropsOf<V>> } = {
  landing: lazy(() => import("../features/site/landing-page.tsx")),
  hub: lazy(() => import("../features/site/hub-page.tsx")),
  pricing: lazy(() => import("../features/site/pricing-page.tsx")),
  contact: lazy(() => import("../features/site/contact-page.tsx")),
  security: lazy(() => import("../features/site/security-page.tsx")),
  legal: lazy(() => import("../features/site/legal-page.tsx")),
  questions: lazy(() => import("../features/site/questions-page.tsx")),
  docs: lazy(() => import("../features/docs/docs-page.tsx")),
  platform: lazy(() => import("../features/docs/platform-page.tsx")),
  "api-reference": lazy(() => import("../features/docs/api-reference-page.tsx")),
  "not-found": lazy(() => import("../features/site/not-found-page.tsx")),
  login: lazy(() => import("../features/sessions/login-page.tsx")),
  "forgot-password": lazy(() => import("../features/accounts/forgot-password-page.tsx")),
  "mailed-link": lazy(() => import("../features/accounts/mailed-link-page.tsx")),
};

const publicRoutes = pages.public.map(({ path, view, props }) => {
  const View = views[view as PublicView] as ComponentType<object>;
  // The key remounts a view that another route shows with other props.
  return <Route key={path} path={path} element={<View key={path} {...props} />} />;
});

/** The layout shows the page. */
const routesFor = (access: Access) => pages[access].map(({ path }) => <Route key={path} path={path} element={null} />);

export const Site = () => (
  <ErrorBoundary FallbackComponent={CrashPage}>
    <AuthProvider>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<PublicLayout />}>{publicRoutes}</Route>
          <Route element={<AppLayout key="tenant" forRole="tenant_admin" />}>{routesFor("tenant_admin")}</Route>
          <Route element={<AppLayout key="admin" forRole="system_admin" />}>{routesFor("system_admin")}</Route>
          <Route element={<AppLayout key="account" />}>{routesFor("account")}</Route>
        </Routes>
      </Suspense>
    </AuthProvider>
  </ErrorBoundary>
);
