import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { tools } from "@vitaline/contract";
import { BreakableName } from "../../components/data/text.tsx";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import type { Run } from "./use-test-call.ts";

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** The request as it left, without who sent it. */
const requestText = ({ name, body }: Run): string =>
  `${tools.testTool.method} ${tools.testTool.path.replace("{name}", name)}\n\n${asJson(body)}`;

export const RunBadge = ({ run: { answer } }: { run: Run }) => (
  <Badge colorPalette={answer.ok ? "green" : "orange"}>{answer.ok ? "Answered" : `Refused: ${answer.code ?? "no reason"}`}</Badge>
);

/** What came of a run: the sentence first, then everything that went to and fro. */
export const RunResult = ({ run }: { run: Run }) => (
  <Stack gap="5">
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <chakra.span fontWeight="semibold" overflowWrap="anywhere">
        <BreakableName name={run.name} />
      </chakra.span>
      <RunBadge run={run} />
    </Flex>
    <chakra.figure m="0">
      <chakra.figcaption textStyle="sm" color="fg.muted" mb="1">
        What a caller would hear
      </chakra.figcaption>
      <chakra.blockquote m="0" ps="4" borderInlineStartWidth="3px" borderColor="teal.solid" textStyle="lg" overflowWrap="anywhere">
        {run.answer.speech || <Text color="fg.muted">Nothing.</Text>}
      </chakra.blockquote>
    </chakra.figure>
    <DetailList
      details={[
        ["Took", formatMilliseconds(run.answer.ms)],
        ["Code", run.answer.code ?? undefined],
        [
          "Request ID",
          <chakra.code key="id" fontFamily="mono" textStyle="xs">
            {run.answer.requestId}
          </chakra.code>,
        ],
      ]}
    />
    <CodeBlock label="Test request" text={requestText(run)} />
    <CodeBlock label="Test response" text={asJson(run.answer)} />
  </Stack>
);
