import { Button } from "@chakra-ui/react/button";
import { type FhirProvider, fhirProviders } from "@vitaline/contract";
import DatabaseZap from "lucide-react/dist/esm/icons/database-zap.mjs";
import PlugZap from "lucide-react/dist/esm/icons/plug-zap.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { useApi } from "../../../lib/api/use-api.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { StatList } from "../../../components/data/stat-card.tsx";
import { LoadMore, useIncrementalList } from "../../../components/table/load-more.tsx";
import { SearchField } from "../../../components/form/search-field.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { minRowsForSearch } from "../../../lib/format/labels.ts";
import { PlatformProviderTable } from "./platform-provider-table.tsx";
import { filterProviders, typeCounts } from "../provider-format.ts";

const PlatformProviderDialog = lazy(() => import("./platform-provider-dialog.tsx"));
const PlatformTestDialog = lazy(() => import("./platform-test-dialog.tsx"));

/** Without `providerId`: a new provider, or a test of any provider. */
type Opened = { what: "form" | "test"; providerId?: string };

const PlatformProvidersPanel = () => {
  const providers = useApi(fhirProviders.listFhirProviders, {});
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const edited = providers.data?.find(({ id }) => id === opened?.providerId);
  return (
    <Panel
      title="FHIR Providers"
      description="The record systems that voice agents read from and write to"
      actions={
        <>
          {providers.data?.length === 0 ? null : (
            <Button size="sm" variant="outline" onClick={() => setOpened({ what: "test" })}>
              <PlugZap aria-hidden />
              Test Connections
            </Button>
          )}
          <Button size="sm" onClick={() => setOpened({ what: "form" })}>
            <Plus aria-hidden />
            Add FHIR Provider
          </Button>
        </>
      }
    >
      <Loadable loaded={providers} what="FHIR providers" failed="Failed to fetch FHIR providers" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={DatabaseZap}
              title="No FHIR providers configured yet."
              description={'Click "Add FHIR Provider" to configure your first EHR integration.'}
            />
          ) : (
            <PlatformProviderList
              providers={list}
              onEdit={(providerId) => setOpened({ what: "form", providerId })}
              onTest={(providerId) => setOpened({ what: "test", providerId })}
            />
          )
        }
      </Loadable>
      <Suspense fallback={null}>
        {opened?.what === "form" && (edited || opened.providerId === undefined) ? (
          <PlatformProviderDialog provider={edited} onClose={close} />
        ) : null}
        {opened?.what === "test" ? <PlatformTestDialog providers={providers} providerId={opened.providerId} onClose={close} /> : null}
      </Suspense>
    </Panel>
  );
};

const pageSize = 25;

type Props = { providers: readonly FhirProvider[]; onEdit: (id: string) => void; onTest: (id: string) => void };

const PlatformProviderList = ({ providers, ...acts }: Props) => {
  const [text, setText] = useState("");
  const found = filterProviders(providers, text);
  const shown = useIncrementalList(found, undefined, pageSize);
  return (
    <Stack gap="5">
      <StatList
        label="FHIR providers in figures"
        counts={[
          { name: "Active Providers", value: formatCount(providers.filter(({ isActive }) => isActive).length) },
          ...typeCounts(providers).map(({ name, count }) => ({ name, value: formatCount(count) })),
        ]}
      />
      {providers.length < minRowsForSearch ? null : (
        <Flex as="search" aria-label="FHIR providers" align="center" gap="3" wrap={{ base: "wrap", md: "nowrap" }}>
          <SearchField label="Search providers" placeholder="Name, type or organization" value={text} onSearch={setText} />
          <Text as="output" textStyle="sm" color="fg.muted" flexShrink="0">
            {`${found.length} of ${providers.length} providers found`}
          </Text>
        </Flex>
      )}
      {found.length === 0 ? (
        <Text color="fg.muted">No provider has this text in its name, type, address or organization.</Text>
      ) : (
        <>
          <PlatformProviderTable providers={shown.data} {...acts} />
          {shown.hasMore ? <LoadMore pages={shown} what="providers" /> : null}
        </>
      )}
    </Stack>
  );
};

export default PlatformProvidersPanel;
