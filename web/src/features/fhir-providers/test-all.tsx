import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type FhirHealth, type FhirProvider, fhirProviders } from "@vitaline/contract";
import { useState } from "react";
import { explain } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useAction } from "../../api/use-action.ts";
import { RowList, RowListItem } from "../../components/row-list.tsx";
import { ConnectionBadge } from "./connection-badge.tsx";

/** So many are asked at the same time. */
const atOnce = 4;

type Found = Pick<FhirHealth, "status" | "message">;
type Props = { providers: readonly Pick<FhirProvider, "id" | "name">[]; /** Once all have been tried. */ onTested: () => void };

const check = (id: string): Promise<Found> =>
  call(fhirProviders.checkFhirProvider, { params: { id } }).catch((error: unknown) => ({ status: "unknown", message: explain(error) }));

/** Tries every record system that is switched on, without reading a patient. */
export const TestAll = ({ providers, onTested }: Props) => {
  const [found, setFound] = useState<Readonly<Record<string, Found>>>();
  const { run, isBusy } = useAction(async () => {
    setFound({});
    const waiting = [...providers];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id } = next;
        const one = await check(id);
        setFound((known) => ({ ...known, [id]: one }));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    onTested();
  });
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
          {providers.map(({ id, name }) =>
            found?.[id] === undefined ? null : (
              <RowListItem key={id}>
                <chakra.div minW="0">
                  <Text fontWeight="medium" overflowWrap="anywhere">
                    {name}
                  </Text>
                  {found[id].message === undefined ? null : (
                    <Text textStyle="sm" color="fg.muted">
                      {found[id].message}
                    </Text>
                  )}
                </chakra.div>
                <ConnectionBadge status={found[id].status} />
              </RowListItem>
            ),
          )}
        </RowList>
      )}
    </chakra.section>
  );
};
