import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { ConnectionBadge } from "./connection-badge.tsx";
import { type Found, type TestAllOptions, useTestAll } from "./use-test-all.ts";

const FoundRow = ({ name, found: { status, message } }: { name: string; found: Found }) => (
  <RowListItem>
    <chakra.div minW="0">
      <Text fontWeight="medium" overflowWrap="anywhere">
        {name}
      </Text>
      {message === undefined ? null : (
        <Text textStyle="sm" color="fg.muted">
          {message}
        </Text>
      )}
    </chakra.div>
    <ConnectionBadge status={status} />
  </RowListItem>
);

/** Tries every record system that is switched on, without reading a patient. */
export const TestAll = ({ providers, onTested }: TestAllOptions) => {
  const { found, run, isBusy } = useTestAll({ providers, onTested });
  const done = Object.keys(found ?? {}).length;
  return (
    <chakra.section aria-label="Test all" borderTopWidth="1px" borderColor="border" mt="6" pt="5">
      <Flex justify="space-between" align="flex-start" gap="4" wrap="wrap">
        <chakra.div flex="1 1 14rem">
          <Heading as="h3" size="md">
            All connections
          </Heading>
          <Text textStyle="sm" color="fg.muted" mt="1">
            Reaches every enabled provider and asks it for a token. No patient is read.
          </Text>
        </chakra.div>
        <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={run}>
          {isBusy ? "Testing..." : "Test all"}
        </Button>
      </Flex>
      <Text as="output" textStyle="sm" color="fg.muted" display="block" my="3" minH="5">
        {found === undefined ? "" : `${done} of ${providers.length} tested`}
      </Text>
      {done === 0 ? null : (
        <RowList label="Tested connections">
          {providers.map(({ id, name }) => (found?.[id] === undefined ? null : <FoundRow key={id} name={name} found={found[id]} />))}
        </RowList>
      )}
    </chakra.section>
  );
};
