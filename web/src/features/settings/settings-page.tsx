import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Grid } from "@chakra-ui/react/grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ComponentType, lazy, Suspense } from "react";
import { NavLink } from "react-router-dom";
import { tenant } from "@vitaline/contract";
import { Waiting } from "../../components/feedback/waiting.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { pages, type SettingsSection } from "../../lib/routing/pages.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { may } from "../../lib/session/may.ts";

const sections: Record<SettingsSection, { label: string; Content: ComponentType }> = {
  organization: { label: "Organization", Content: lazy(() => import("./organization-part.tsx")) },
  team: { label: "Team", Content: lazy(() => import("./team/team-part.tsx")) },
  notices: { label: "Notices", Content: lazy(() => import("./notices-part.tsx")) },
  retention: { label: "Retention", Content: lazy(() => import("./retention-part.tsx")) },
  plan: { label: "Plan and usage", Content: lazy(() => import("./plan-part.tsx")) },
  requests: { label: "Requests", Content: lazy(() => import("./requests-part.tsx")) },
};

const SettingsPage = ({ section }: { section: SettingsSection }) => {
  const { label, Content } = sections[section];
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "10" }}>
        <PageHeading size="3xl" documentTitle={`${label} · Settings`}>
          Settings
        </PageHeading>
        <OrganizationName />
        <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "12rem minmax(0, 1fr)" }} gap={{ base: "5", lg: "8" }} mt="6">
          <Sections />
          <Box minW="0">
            <Suspense fallback={<Waiting text={`Loading ${label}...`} />}>
              <Content />
            </Suspense>
          </Box>
        </Grid>
      </Container>
    </ZoneContext>
  );
};

const OrganizationName = () => <Text color="fg.muted">{useAuth().user?.tenantName}</Text>;

/** The sections that the user's access opens, as links. */
const Sections = () => {
  const { user } = useAuth();
  return (
    <chakra.nav aria-label="Settings">
      <chakra.ul listStyleType="none" display="flex" flexDirection={{ base: "row", lg: "column" }} flexWrap="wrap" gap="1">
        {pages.tenant_admin.map((page) =>
          page.view === "settings" && (page.needs === undefined || may(user, page.needs)) ? (
            <li key={page.path}>
              <chakra.span
                css={{
                  "& a": {
                    display: "block",
                    px: "3",
                    py: "2.5",
                    borderRadius: "l2",
                    textStyle: "sm",
                    fontWeight: "medium",
                    color: "fg.muted",
                    outline: "0",
                    focusVisibleRing: "outside",
                  },
                  "& a:hover": { bg: "bg.muted" },
                  "& a[aria-current=page]": { bg: "bg.muted", color: "fg", fontWeight: "semibold" },
                }}
              >
                <NavLink to={page.path} end>
                  {sections[page.props.section].label}
                </NavLink>
              </chakra.span>
            </li>
          ) : null,
        )}
      </chakra.ul>
    </chakra.nav>
  );
};

export default SettingsPage;
