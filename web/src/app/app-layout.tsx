import { Box } from "@chakra-ui/react/box";
import { SkipNavLink } from "@chakra-ui/react/skip-nav";
import { chakra, ChakraProvider } from "@chakra-ui/react/styled-system";
import type { Role } from "@vitaline/contract";
import { type ComponentType, lazy, type MouseEvent, type ReactNode, Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { matchPath, Navigate, useLocation } from "react-router-dom";
import { SWRConfig } from "swr";
import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { Grid } from "@chakra-ui/react/grid";
import { HStack, Stack, type StackProps } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import LogOut from "lucide-react/dist/esm/icons/log-out.mjs";
import { takeViewEnded } from "../lib/session/credentials.ts";
import { PageHeading } from "../components/layout/page-heading.tsx";
import { FailedPage } from "../components/layout/failed-page.tsx";
import { Waiting } from "../components/feedback/waiting.tsx";
import { systemApp } from "../theme/system-app.ts";
import { accountPath, areas, homeOf, roleNames } from "../lib/session/areas.ts";
import { useAuth } from "../lib/session/auth.tsx";
import { announce, forgetDismissed } from "../lib/toast.ts";
import { PlatformCards } from "../features/admin-dashboard/platform-cards.tsx";
import { MainNav } from "../features/navigation/main-nav.tsx";
import { PaletteButton } from "../features/navigation/palette-button.tsx";
import { SummaryCards } from "../features/tenant-dashboard/summary-cards.tsx";
import { setDensity, useDensity } from "../lib/dom/density.ts";
import { AppView, useViewLoaded } from "./app-views.tsx";
import { IdleWatch } from "./idle-watch.tsx";
import { Toasts } from "./toasts.tsx";
import { ColorModeButton, Logo } from "../components/layout/logo.tsx";
import { TextLink } from "../components/layout/links.tsx";
import { admit } from "../lib/session/admission.ts";
import { pages } from "../lib/routing/pages.ts";
import { opensPage } from "../lib/routing/places.ts";
import { accessNames } from "../lib/session/may.ts";
import Rows3 from "lucide-react/dist/esm/icons/rows-3.mjs";
import Rows4 from "lucide-react/dist/esm/icons/rows-4.mjs";

const DensityButton = () => {
  const isCompact = useDensity() === "compact";
  const label = isCompact ? "Use comfortable spacing" : "Use compact spacing";
  return (
    <Button
      variant="ghost"
      px="0"
      hideBelow="md"
      aria-label={label}
      title={label}
      onClick={() => setDensity(isCompact ? "comfortable" : "compact")}
    >
      {isCompact ? <Rows3 aria-hidden /> : <Rows4 aria-hidden />}
    </Button>
  );
};

const NotForYourAccess = lazy(() => import("./not-for-your-access.tsx"));

const viewEnded = {
  type: "success",
  title: "View ended",
  description: "Your view of the tenant has ended. You are back in your own console.",
} as const;

const ViewEnded = () => {
  // The toaster mounts in the same pass and does not hear an earlier toast.
  useEffect(() => {
    if (takeViewEnded()) setTimeout(() => announce(viewEnded));
  }, []);
  return null;
};

const ViewBanner = lazy(() => import("./view-banner.tsx"));

/** The frame of every page behind a login. Loaded data is dropped when the user or the viewed tenant changes. */
const AppLayout = ({ forRole }: { forRole?: Role }) => {
  const { user, session } = useAuth();
  const { pathname } = useLocation();
  const page = pages[forRole ?? "account"].find(({ path }) => matchPath(path, pathname));
  const isTenant = user?.role === "tenant_admin";
  const isViewLoaded = useViewLoaded(page, session.status === "checking");
  useEffect(() => {
    if (!user) forgetDismissed();
  }, [user]);
  return (
    <ChakraProvider value={systemApp}>
      <Guard forRole={forRole} isViewLoaded={isViewLoaded} redirectTo={areas[forRole ?? "tenant_admin"].login}>
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
            <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: isTenant ? "14rem minmax(0, 1fr)" : "minmax(0, 1fr)" }}>
              {isTenant ? <MainNav top={user.viewAs ? "7.5rem" : "4.25rem"} /> : null}
              <Box as="main" id="content" tabIndex={-1} minW="0" minH={{ xl: "calc(100dvh - 4rem - 1px)" }}>
                <ErrorBoundary FallbackComponent={FailedPage} resetKeys={[pathname]}>
                  <Suspense fallback={<WaitingPage dashboard={dashboardAt(pathname)} text={loadingPage} />}>
                    {page && opensPage(user, page.path) ? <AppView {...page} /> : <NotForYourAccess />}
                  </Suspense>
                </ErrorBoundary>
              </Box>
            </Grid>
          </Box>
          <IdleWatch />
          <Toasts />
          {user?.viewAs ? null : <ViewEnded key={user?.id} />}
        </SWRConfig>
      </Guard>
    </ChakraProvider>
  );
};

type Props = {
  /** Every signed-in user if undefined. */
  forRole: Role | undefined;
  /** Whether the first page can be shown at once. Only a dashboard, whose document names its scripts, is waited for. */
  isViewLoaded: boolean;
  redirectTo?: string;
  children: ReactNode;
};

/** Redirects other users to the login page, which leads back to the requested address. */
const Guard = ({ forRole, isViewLoaded, redirectTo = "/admin/login", children }: Props) => {
  const { session } = useAuth();
  const { pathname, search, hash } = useLocation();
  const admission = admit(session, { role: forRole, redirectTo, afterLogout: areas[forRole ?? "tenant_admin"].afterLogout });

  const dashboard = dashboardAt(pathname);
  if (admission.kind === "wait") return <Frame dashboard={dashboard} text="Checking your session..." />;
  if (admission.kind === "show") return isViewLoaded || !dashboard ? children : <Frame dashboard={dashboard} text={loadingPage} />;
  return <Navigate to={admission.to} replace state={admission.remember ? { from: `${pathname}${search}${hash}` } : null} />;
};

const loadingPage = "Loading page...";

/** The parts of a dashboard that do not depend on its user. */
type Dashboard = { title: string; Cards: ComponentType; isTenant: boolean; gap: StackProps["gap"] };

const ofTenant: Dashboard = { title: "Tenant Dashboard", Cards: SummaryCards, isTenant: true, gap: { base: "5", md: "panel" } };
const ofPlatform: Dashboard = { title: "Admin Dashboard", Cards: PlatformCards, isTenant: false, gap: { base: "6", md: "8" } };
const dashboards: Readonly<Record<string, Dashboard>> = {
  "/tenant": ofTenant,
  "/tenant-dashboard": ofTenant,
  "/admin": ofPlatform,
  "/admin-dashboard": ofPlatform,
};

/** An address may end with a slash. */
const dashboardAt = (pathname: string): Dashboard | undefined => dashboards[pathname.replace(/\/+$/, "")];

type WaitingProps = { dashboard: Dashboard | undefined; text: string };

const WaitingPage = ({ dashboard, text }: WaitingProps) => (
  <Container py={{ base: "6", md: "page" }}>
    {dashboard === undefined ? (
      <Waiting text={text} />
    ) : (
      <Stack gap={dashboard.gap}>
        {/* The Refresh button comes below the title of a narrow page. */}
        <Box pb={{ base: "12", md: "0" }}>
          <PageHeading size="3xl">{dashboard.title}</PageHeading>
          <chakra.output display="block" color="fg.muted">
            {text}
          </chakra.output>
        </Box>
        {/* An address that names a tab may show smaller cards, or none. */}
        <Box css={{ "html[data-tab] &": { display: "none" } }}>
          <dashboard.Cards />
        </Box>
      </Stack>
    )}
  </Container>
);

/** The parts of a page that need no session, at the places where they stay. The prerendered document shows them while the scripts load. */
const Frame = ({ dashboard, text }: WaitingProps) => (
  <Box minH="dvh" bg="bg.subtle" color="fg">
    <Box as="header" bg="bg.panel" borderBottomWidth="1px" borderColor="border">
      <Container maxW={dashboard?.isTenant ? "full" : undefined}>
        <Flex minH={{ base: "6.5rem", md: "16" }} py="2.5" align={{ base: "flex-start", md: "center" }}>
          <Flex minH="10" align="center">
            <Logo />
          </Flex>
        </Flex>
      </Container>
    </Box>
    <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: dashboard?.isTenant ? "14rem minmax(0, 1fr)" : "minmax(0, 1fr)" }}>
      {dashboard?.isTenant ? (
        <Box
          bg="bg.panel"
          borderColor="border"
          borderBottomWidth={{ base: "1px", xl: "0" }}
          borderEndWidth={{ xl: "1px" }}
          minH={{ base: "calc(3.25rem + 1px)", xl: "calc(100dvh - 4rem - 1px)" }}
        />
      ) : null}
      <main>
        <WaitingPage dashboard={dashboard} text={text} />
      </main>
    </Grid>
  </Box>
);

/** Moves the focus without a history entry: the router counts them. */
const skipTo = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>(event.currentTarget.hash)?.focus();
};

const AppHeader = () => {
  const { user, signOut } = useAuth();
  if (!user) return null;
  return (
    <Box as="header" bg="bg.panel" borderBottomWidth="1px" borderColor="border">
      <Container maxW={user.role === "tenant_admin" ? "full" : undefined}>
        <Flex minH="16" py="2.5" align="center" justify="space-between" columnGap="4" rowGap="2" wrap={{ base: "wrap", md: "nowrap" }}>
          <TextLink to={homeOf(user.role)} variant="plain" aria-label="Vitaline dashboard">
            <Logo />
          </TextLink>
          <HStack
            order={{ base: "1", md: "0" }}
            flexBasis={{ base: "100%", md: "auto" }}
            justify={{ base: "space-between", md: "flex-end" }}
            flex={{ md: "1" }}
            gap="3"
            minW="0"
          >
            <TextLink to={accountPath} variant="plain" display="block" textAlign={{ md: "end" }} minW="0">
              <VisuallyHidden>Your account: </VisuallyHidden>
              <Text textStyle="sm" fontWeight="semibold" truncate>
                {`${user.firstName} ${user.lastName}`.trim() || user.email}
              </Text>
              <Text textStyle="xs" color="fg.muted" truncate>
                {user.email}
              </Text>
            </TextLink>
            <Badge colorPalette="teal" flexShrink="0">
              {user.access === undefined ? roleNames[user.role] : accessNames[user.access]}
            </Badge>
          </HStack>
          <HStack gap={{ base: "1", sm: "3" }} flexShrink="0">
            <PaletteButton />
            <DensityButton />
            <ColorModeButton />
            <Button variant="outline" onClick={signOut}>
              <LogOut aria-hidden />
              Logout
            </Button>
          </HStack>
        </Flex>
      </Container>
    </Box>
  );
};

export default AppLayout;
