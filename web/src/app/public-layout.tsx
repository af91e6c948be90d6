import { Box } from "@chakra-ui/react/box";
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { SkipNavLink } from "@chakra-ui/react/skip-nav";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Outlet, useLocation } from "react-router-dom";
import { FailedPage } from "../components/failed-page.tsx";
import { Waiting } from "../components/waiting.tsx";
import { systemPublic } from "../theme/system-public.ts";
import { PublicFooter } from "./public-footer.tsx";
import { PublicHeader } from "./public-header.tsx";

/** The frame of every open page. */
const PublicLayout = () => (
  <ChakraProvider value={systemPublic}>
    <SkipNavLink id="content">Skip to content</SkipNavLink>
    <Box display="flex" flexDirection="column" minH="dvh" bg="bg" color="fg">
      <PublicHeader />
      <Box as="main" id="content" tabIndex={-1} flex="1">
        <ErrorBoundary FallbackComponent={FailedPage} resetKeys={[useLocation().pathname]}>
          <Suspense fallback={<Waiting text="Loading page..." />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </Box>
      <PublicFooter />
    </Box>
  </ChakraProvider>
);

export default PublicLayout;
