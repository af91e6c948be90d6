import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { FhirHealth, FhirProvider } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";
import { ConnectionBadge } from "../health/connection-badge.tsx";
import { explain } from "../../../lib/api/api-error.ts";
import { limitConcurrency } from "../../../lib/api/limit-concurrency.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { checkConnection } from "../health/connection-checks.ts";

/** Checks that run at the same time. */
const concurrency = 4;

type CheckResult = Pick<FhirHealth, "status" | "message">;
type TestAllOptions = {
  providers: readonly Pick<FhirProvider, "id" | "name">[];
  /** Called when all are tested, or when the dialog was closed before */
  onTested: () => void;
};

const check = (id: string): Promise<CheckResult> =>
  checkConnection(id).catch((error: unknown) => ({ status: "unknown", message: explain(error) }));

/** `found` holds the results by provider id. Checks not yet started are skipped after unmount. */
const useTestAll = ({ providers, onTested }: TestAllOptions) => {
  const [found, setFound] = useState<Readonly<Record<string, CheckResult>>>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const { run, isBusy } = useAction(async () => {
    setFound({});
    const inTurn = limitConcurrency(concurrency);
    const tryOne = async (id: string) => {
      if (isGone.current) return;
      const one = await check(id);
      setFound((known) => ({ ...known, [id]: one }));
    };
    await Promise.all(providers.map(({ id }) => inTurn(() => tryOne(id))));
    onTested();
  });
  return { found, run, isBusy };
};

const ResultRow = ({ name, found: { status, message } }: { name: string; found: CheckResult }) => (
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
          {providers.map(({ id, name }) => (found?.[id] === undefined ? null : <ResultRow key={id} name={name} found={found[id]} />))}
        </RowList>
      )}
    </chakra.section>
  );
};
