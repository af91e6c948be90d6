import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { BreakableName } from "../../components/data/text.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { RunBadge } from "./run-result.tsx";
import type { Run } from "./use-test-call.ts";

/** What was run before under the same identity. */
export const EarlierRuns = ({ runs }: { runs: readonly Run[] }) =>
  runs.length === 0 ? null : (
    <div>
      <Heading as="h3" size="sm" mb="4">
        Earlier in this test call
      </Heading>
      <RowList label="Earlier in this test call">
        {runs.map((run) => (
          <RowListItem key={run.id}>
            <Flex w="full" justify="space-between" align="center" wrap="wrap" columnGap="3" rowGap="1">
              <Text fontWeight="medium">
                <BreakableName name={run.name} />
                <chakra.span textStyle="sm" color="fg.muted" fontWeight="normal" ms="2">
                  {formatMilliseconds(run.answer.ms)}
                </chakra.span>
              </Text>
              <RunBadge run={run} />
            </Flex>
          </RowListItem>
        ))}
      </RowList>
    </div>
  );
