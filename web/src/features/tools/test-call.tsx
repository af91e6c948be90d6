import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ReactNode, useRef, useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { type ModelText, tools } from "@vitaline/contract";
import { Announcement, Refusal } from "../../components/feedback/alerts.tsx";
import type { Run, TestCallState } from "./use-test-call.ts";
import { ToolName } from "../../components/data/tool-name.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { ModelPreview } from "./model-preview.tsx";

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

const requestText = ({ name, body }: Run): string =>
  `${tools.testTool.method} ${tools.testTool.path.replace("{name}", name)}\n\n${asJson(body)}`;

/** The texts for models are shown above it, one at a time. */
const responseText = ({ answer: { modelTexts: _shown, ...answer } }: Run): string => asJson(answer);

const RunBadge = ({ run: { answer } }: { run: Run }) => (
  <Badge colorPalette={answer.ok ? "green" : "orange"}>{answer.ok ? "Answered" : `Refused: ${answer.code ?? "no reason"}`}</Badge>
);

const RunResult = ({ run, children }: { run: Run; children: ReactNode }) => (
  <Stack gap="5">
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <chakra.span fontWeight="semibold" overflowWrap="anywhere">
        <ToolName name={run.name} />
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
    {children}
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
    <CodeBlock label="Test response" text={responseText(run)} />
  </Stack>
);

const EarlierRuns = ({ runs }: { runs: readonly Run[] }) =>
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
                <ToolName name={run.name} />
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

const intro = "As in a phone call: an identity that one run verifies holds for those that follow.";

export const TestCall = ({ testCall: { runs, refusal, isBusy, startOver } }: { testCall: TestCallState }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [platform, setPlatform] = useState<ModelText["platform"]>();
  const [last, ...earlier] = runs;
  const isBegun = last !== undefined || refusal !== undefined;
  const begin = () => {
    startOver();
    // The pressed button disappears, so focus moves to the heading.
    heading.current?.focus();
  };
  return (
    <Stack gap="5" as="section" aria-labelledby="test-call-title">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <Heading as="h3" size="md" id="test-call-title" ref={heading} tabIndex={-1} outline="none">
          Test call
        </Heading>
        {isBegun ? (
          <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || begin()}>
            Start over
          </Button>
        ) : null}
      </Flex>
      <Text textStyle="sm" color="fg.muted">
        {intro}
      </Text>
      <Announcement text={last && refusal === undefined ? `${last.name}: ${last.answer.speech}` : ""} />
      {refusal === undefined ? null : <Refusal title="The tool was not run" error={refusal} />}
      {last ? (
        <RunResult run={last}>
          <ModelPreview texts={last.answer.modelTexts} platform={platform} onPick={setPlatform} />
        </RunResult>
      ) : isBegun ? null : (
        <chakra.p
          borderWidth="1px"
          borderStyle="dashed"
          borderColor="border.emphasized"
          borderRadius="l2"
          px="4"
          py="8"
          textAlign="center"
          color="fg.muted"
        >
          Fill in the arguments and run the tool. Its answer appears here.
        </chakra.p>
      )}
      <EarlierRuns runs={earlier} />
    </Stack>
  );
};
