import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Text } from "@chakra-ui/react/text";
import { type ComponentType, lazy, Suspense } from "react";
import { tenant } from "@vitaline/contract";
import { Waiting } from "../../components/feedback/waiting.tsx";
import { SectionNav } from "../../components/layout/section-nav.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { pages, type SettingsSection } from "../../lib/routing/pages.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { opensPage, settingsNames } from "../../lib/routing/places.ts";

const contents: Record<SettingsSection, ComponentType> = {
  organization: lazy(() => import("./organization-part.tsx")),
  team: lazy(() => import("./team/team-part.tsx")),
  "patient-contact": lazy(() => import("./patient-contact-part.tsx")),
  voice: lazy(() => import("./voice-part.tsx")),
  retention: lazy(() => import("./retention-part.tsx")),
  plan: lazy(() => import("./plan-part.tsx")),
  requests: lazy(() => import("./requests-part.tsx")),
};

const SettingsPage = ({ section }: { section: SettingsSection }) => {
  const [label, Content] = [settingsNames[section], contents[section]];
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "page" }}>
        <PageHeading size="3xl" documentTitle={`${label} · Settings`}>
          Settings
        </PageHeading>
        <OrganizationName />
        <Box mt="6">
          <SectionNav label="Settings" parts={useOwnSections()}>
            <Box maxW="5xl">
              <Suspense fallback={<Waiting text={`Loading ${label}...`} />}>
                <Content />
              </Suspense>
            </Box>
          </SectionNav>
        </Box>
      </Container>
    </ZoneContext>
  );
};

/** The sections that the user's access opens. */
const useOwnSections = () => {
  const { user } = useAuth();
  return pages.tenant_admin.flatMap((page) =>
    page.view === "settings" && opensPage(user, page.path) ? [{ path: page.path, name: settingsNames[page.props.section] }] : [],
  );
};

const OrganizationName = () => <Text color="fg.muted">{useAuth().user?.tenantName}</Text>;

export default SettingsPage;
