import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { FhirProvider } from "@vitaline/contract";
import { useState } from "react";
import { Counts } from "../../components/data/stat-card.tsx";
import { LoadMore, useSteps } from "../../components/table/load-more.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { searchedFrom } from "../../lib/format/text.ts";
import { PlatformProviderTable } from "./platform-provider-table.tsx";
import { matching, typeCounts } from "./provider-counts.ts";

/** So many are drawn at once. */
const atOnce = 25;

type Props = { providers: readonly FhirProvider[]; onEdit: (id: string) => void; onTest: (id: string) => void };

/** How many there are of what, and each of them. */
export const PlatformProviderList = ({ providers, ...acts }: Props) => {
  const [text, setText] = useState("");
  const found = matching(providers, text);
  const shown = useSteps(found, undefined, atOnce);
  return (
    <Stack gap="5">
      <Counts
        label="FHIR providers in figures"
        counts={[
          { name: "Active Providers", value: formatCount(providers.filter(({ isActive }) => isActive).length) },
          ...typeCounts(providers).map(({ name, count }) => ({ name, value: formatCount(count) })),
        ]}
      />
      {providers.length < searchedFrom ? null : (
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
