import { Box } from "@chakra-ui/react/box";
import { SkipNavLink } from "@chakra-ui/react/skip-nav";
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import type { Role } from "@vitaline/contract";
import { lazy, type MouseEvent, Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Outlet, useLocation } from "react-router-dom";
import { SWRConfig } from "swr";
import { takeViewOver } from "../api/credentials.ts";
import { FailedPage } from "../components/failed-page.tsx";
import { Waiting } from "../components/waiting.tsx";
import { systemApp } from "../theme/system-app.ts";
import { AppHeader } from "./app-header.tsx";
import { areas } from "./areas.ts";
import { useAuth } from "./auth.tsx";
import { forgetDismissed } from "./dismissed-toasts.ts";
import { Guard } from "./guard.tsx";
import { IdleWatch } from "./idle-watch.tsx";
import { announce } from "./toaster.ts";
import { Toasts } from "./toasts.tsx";

const ViewBanner = lazy(() => import("./view-banner.tsx"));

/** Goes to what the link names without a step in the history, whose steps are the router's to count. */
const skipTo = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>(event.currentTarget.hash)?.focus();
};

const viewEnded = {
  type: "success",
  title: "View ended",
  description: "Your look at the tenant is over. You are in your own console again.",
} as const;

/** The frame of what is not open: a role's area, or everybody's own. Loaded data lives as long as the user's session and dies with it. */
const AppLayout = ({ forRole }: { forRole?: Role }) => {
  const { user } = useAuth();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!user) forgetDismissed();
    // The toaster hears what is announced from its first moment on, which this is.
    else if (!user.viewAs && takeViewOver()) setTimeout(() => announce(viewEnded));
  }, [user]);
  return (
    <ChakraProvider value={systemApp}>
      <Guard forRole={forRole} redirectTo={areas[forRole ?? "tenant_admin"].login}>
        <SWRConfig key={`${user?.id} ${user?.viewAs?.tenantId}`} value={{ provider: () => new Map() }}>
          <SkipNavLink id="content" onClick={skipTo}>
            Skip to content
          </SkipNavLink>
          <Box minH="dvh" bg="bg.subtle" color="fg">
            <Box position={{ md: "sticky" }} top="0" zIndex="sticky">
              {user?.viewAs ? (
                <Suspense fallback={null}>
                  <ViewBanner name={`${user.firstName} ${user.lastName}`} view={user.viewAs} />
                </Suspense>
              ) : null}
              <AppHeader />
            </Box>
            <Box as="main" id="content" tabIndex={-1}>
              <ErrorBoundary FallbackComponent={FailedPage} resetKeys={[pathname]}>
                <Suspense fallback={<Waiting text="Loading page..." />}>
                  <Outlet />
                </Suspense>
              </ErrorBoundary>
            </Box>
          </Box>
          <IdleWatch />
          <Toasts />
        </SWRConfig>
      </Guard>
    </ChakraProvider>
  );
};

export default AppLayout;
