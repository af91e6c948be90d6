import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type ComponentType, lazy } from "react";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { SectionNav } from "../../components/layout/section-nav.tsx";
import { TenantPage } from "../../components/tenants/tenant-page.tsx";
import { type DeveloperSection, pages } from "../../lib/routing/pages.ts";
import { developerNames } from "../../lib/routing/places.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { may } from "../../lib/session/may.ts";

const contents: Record<DeveloperSection, { title: string; Content: ComponentType }> = {
  connect: { title: "Platform Configuration", Content: lazy(() => import("../api-keys/snippets-panel.tsx")) },
  test: { title: "Test a tool", Content: lazy(() => import("../tools/tool-console.tsx")) },
  "tool-calls": { title: "Recent Tool Calls", Content: lazy(() => import("../api-keys/tool-calls-panel.tsx")) },
  webhooks: { title: "Webhooks", Content: lazy(() => import("../webhooks/webhooks-panel.tsx")) },
};

const DevelopersPage = ({ section }: { section: DeveloperSection }) => {
  const { user } = useAuth();
  const { title, Content } = contents[section];
  return (
    <TenantPage title="Developers" part={developerNames[section]}>
      <SectionNav label="Developers" parts={ownSections(user)}>
        <Stack gap="panels">
          <LazyPanel title={title}>
            <Content />
          </LazyPanel>
          <Text color="fg.muted">
            {may(user, "GET /api/tenant/api-keys") ? (
              <>
                Your key is under <TextLink to="/tenant?tab=api-keys">API Keys</TextLink>.{" "}
              </>
            ) : null}
            All addresses are in the <TextLink to="/docs/api">API reference</TextLink>.
          </Text>
        </Stack>
      </SectionNav>
    </TenantPage>
  );
};

const ownSections = (user: ReturnType<typeof useAuth>["user"]) =>
  pages.tenant_admin.flatMap((page) =>
    page.view === "developers" && page.needs !== undefined && may(user, page.needs)
      ? [{ path: page.path, name: developerNames[page.props.section] }]
      : [],
  );

export default DevelopersPage;
