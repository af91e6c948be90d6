import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { useRef } from "react";
import { Announcement, Refusal } from "../../components/feedback/notices.tsx";
import { EarlierRuns } from "./earlier-runs.tsx";
import { RunResult } from "./run-result.tsx";
import type { TestCallState } from "./use-test-call.ts";

const lead = "As in a phone call: an identity that one run verifies holds for those that follow.";

/** The runs of one test call, the last one whole. */
export const TestCall = ({ testCall: { runs, refusal, isBusy, startOver } }: { testCall: TestCallState }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [last, ...earlier] = runs;
  const isBegun = last !== undefined || refusal !== undefined;
  const begin = () => {
    startOver();
    // The button goes with what it took away.
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
        {lead}
      </Text>
      <Announcement text={last && refusal === undefined ? `${last.name}: ${last.answer.speech}` : ""} />
      {refusal === undefined ? null : <Refusal title="The tool was not run" error={refusal} />}
      {last ? (
        <RunResult run={last} />
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
