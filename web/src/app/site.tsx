import { lazy, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Route, Routes } from "react-router-dom";
import { AuthProvider } from "../lib/session/auth.tsx";

/** The last resort, without theme or router: something so basic broke that no frame could be drawn, mostly a chunk that did not load. */
const CrashPage = () => (
  <main style={{ font: "1rem/1.6 system-ui, sans-serif", maxWidth: "36rem", margin: "20vh auto", padding: "0 1rem" }}>
    <title>Something went wrong · Vitaline</title>
    <h1>Something went wrong</h1>
    <p>The page could not be loaded. Check your connection and load it again.</p>
    <button type="button" onClick={() => location.reload()}>
      Load again
    </button>
  </main>
);

const PublicLayout = lazy(() => import("./public-layout.tsx"));
const AppLayout = lazy(() => import("./app-layout.tsx"));
const LandingPage = lazy(() => import("../features/site/landing-page.tsx"));
const HubPage = lazy(() => import("../features/site/hub-page.tsx"));
const PricingPage = lazy(() => import("../features/site/pricing-page.tsx"));
const ContactPage = lazy(() => import("../features/site/contact-page.tsx"));
const NotFoundPage = lazy(() => import("../features/site/not-found-page.tsx"));
const LoginPage = lazy(() => import("../features/sessions/login-page.tsx"));
const ForgotPasswordPage = lazy(() => import("../features/accounts/forgot-password-page.tsx"));
const MailedLinkPage = lazy(() => import("../features/accounts/mailed-link-page.tsx"));
const TenantDashboardPage = lazy(() => import("../features/tenant-dashboard/tenant-dashboard-page.tsx"));
const AccountPage = lazy(() => import("../features/accounts/account-page.tsx"));
const AdminDashboardPage = lazy(() => import("../features/admin-dashboard/admin-dashboard-page.tsx"));

/** Every address of the site. A new one also goes into paths.json, from which the edge knows what to serve. */
export const Site = () => (
  <ErrorBoundary FallbackComponent={CrashPage}>
    <AuthProvider>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<PublicLayout />}>
            <Route path="/" element={<LandingPage />} />
            <Route path="/healthcare" element={<LandingPage />} />
            <Route path="/dashboard" element={<HubPage />} />
            <Route path="/pricing" element={<PricingPage />} />
            <Route path="/contact" element={<ContactPage />} />
            <Route path="/login" element={<LoginPage key="tenant" forRole="tenant_admin" />} />
            <Route path="/admin-login" element={<LoginPage key="admin" forRole="system_admin" />} />
            <Route path="/admin/login" element={<LoginPage key="admin" forRole="system_admin" />} />
            <Route path="/forgot-password" element={<ForgotPasswordPage />} />
            <Route path="/reset-password/:token" element={<MailedLinkPage key="reset" link="reset" />} />
            <Route path="/accept-invite/:token" element={<MailedLinkPage key="invite" link="invite" />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
          <Route element={<AppLayout key="tenant" forRole="tenant_admin" />}>
            <Route path="/tenant" element={<TenantDashboardPage />} />
            <Route path="/tenant-dashboard" element={<TenantDashboardPage />} />
          </Route>
          <Route element={<AppLayout key="admin" forRole="system_admin" />}>
            <Route path="/admin" element={<AdminDashboardPage />} />
            <Route path="/admin-dashboard" element={<AdminDashboardPage />} />
          </Route>
          <Route element={<AppLayout key="account" />}>
            <Route path="/account" element={<AccountPage />} />
          </Route>
        </Routes>
      </Suspense>
    </AuthProvider>
  </ErrorBoundary>
);
