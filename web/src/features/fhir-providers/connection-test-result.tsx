import { Alert } from "@chakra-ui/react/alert";
import { Badge } from "@chakra-ui/react/badge";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ConnectionTestResult as Result } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { ConnectionSteps } from "./connection-steps.tsx";
import { TestedPatient } from "./tested-patient.tsx";

/** The details of a failure, without anything of a patient. */
const detailsOf = ({ error, details }: Result): string => JSON.stringify({ error, details }, null, 2);

type Props = { result: Result; /** What people call a tool. */ titleOf: (toolName: string) => string };

/** What came of a test. It comes into view when it arrives. */
export const ConnectionTestResult = ({ result, titleOf }: Props) => {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "start" }), [result]);
  const { success, message, details, patientData, toolsNotAllowed } = result;
  return (
    <chakra.section ref={section} aria-label="Test result" borderTopWidth="1px" borderColor="border" mt="6" pt="5" scrollMarginTop="40">
      <Stack gap="5">
        <chakra.output display="flex" alignItems="baseline" gap="3">
          <Badge colorPalette={success ? "green" : "red"} variant="solid" flexShrink="0">
            {success ? "SUCCESS" : "FAILED"}
          </Badge>
          <span>{message}</span>
        </chakra.output>
        <ConnectionSteps steps={details} />
        {patientData === null ? null : <TestedPatient patient={patientData} />}
        {toolsNotAllowed.length === 0 ? null : (
          <Alert.Root status="warning">
            <Alert.Content>
              <Alert.Title>Some operations will not work here</Alert.Title>
              <Alert.Description>{`The saved scopes do not hold what they need: ${toolsNotAllowed.map(titleOf).join(", ")}.`}</Alert.Description>
            </Alert.Content>
          </Alert.Root>
        )}
        {success ? null : <CodeBlock label="Error Details" text={detailsOf(result)} />}
      </Stack>
    </chakra.section>
  );
};
