import { Alert } from "@chakra-ui/react/alert";
import { Badge } from "@chakra-ui/react/badge";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ConnectionTestResult as Result } from "@vitaline/contract";
import { useEffect, useRef, useState } from "react";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { Text } from "@chakra-ui/react/text";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import CircleX from "lucide-react/dist/esm/icons/circle-x.mjs";
import TriangleAlert from "lucide-react/dist/esm/icons/triangle-alert.mjs";
import { CodeBlock } from "../../../components/data/copy-button.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";

type Step = Result["details"][number];

const stepNames: Record<Step["step"], string> = {
  address: "Reach the server",
  discovery: "Find the token endpoint",
  token: "Get a token",
  capability: "Check the FHIR version",
  patient: "Read the patient",
};

/** A passed step with a code is a warning. */
const stepStatus = ({ ok, code }: Step) => {
  if (!ok) return { Icon: CircleX, colorPalette: "red", name: "Failed" };
  return code === undefined
    ? { Icon: CircleCheck, colorPalette: "green", name: "Passed" }
    : { Icon: TriangleAlert, colorPalette: "orange", name: "Warning" };
};

const StepItem = ({ step, isLast }: { step: Step; isLast: boolean }) => {
  const { Icon, colorPalette, name } = stepStatus(step);
  return (
    <chakra.li display="flex" gap="3" colorPalette={colorPalette}>
      <chakra.div display="flex" flexDirection="column" alignItems="center" color="colorPalette.fg" aria-hidden>
        <Icon width={20} height={20} />
        {isLast ? null : <chakra.span flex="1" w="2px" my="1" bg="border" />}
      </chakra.div>
      <chakra.div flex="1" minW="0" pb={isLast ? "0" : "4"}>
        <chakra.div display="flex" justifyContent="space-between" alignItems="center" gap="3" flexWrap="wrap">
          <Text as="span" fontWeight="semibold" textStyle="sm">
            {stepNames[step.step]}
          </Text>
          <chakra.span display="flex" alignItems="center" gap="2">
            <chakra.span textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">{`${step.ms} ms`}</chakra.span>
            <Badge colorPalette={colorPalette}>{name}</Badge>
          </chakra.span>
        </chakra.div>
        <Text textStyle="sm" color="fg.muted">
          {step.message}
        </Text>
      </chakra.div>
    </chakra.li>
  );
};

const ConnectionSteps = ({ steps }: { steps: readonly Step[] }) => (
  <chakra.ol listStyleType="none" aria-label="Steps of the test">
    {steps.map((step, index) => (
      <StepItem key={step.step} step={step} isLast={index === steps.length - 1} />
    ))}
  </chakra.ol>
);

const BirthDate = ({ date }: { date: string }) => {
  const [isShown, setIsShown] = useState(false);
  return (
    <Flex as="span" gap="3" align="center" wrap="wrap">
      {isShown ? date : <chakra.span aria-label="Hidden">••••-••-••</chakra.span>}
      <Button size="sm" variant="outline" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? "Hide birth date" : "Show birth date"}
      </Button>
    </Flex>
  );
};

const TestedPatient = ({ patient }: { patient: NonNullable<Result["patientData"]> }) => (
  <div>
    <Heading as="h3" size="md" mb="2">
      Patient
    </Heading>
    <DetailList
      details={[
        ["ID", patient.id],
        ["Name", patient.name ?? "Not given"],
        ["Birth date", patient.birthDate === null ? "Not given" : <BirthDate key="birth-date" date={patient.birthDate} />],
        ["Gender", patient.gender ?? "Not given"],
      ]}
    />
  </div>
);

/** Without patient data */
const detailsOf = ({ error, details }: Result): string => JSON.stringify({ error, details }, null, 2);

type Props = { result: Result; titleOf: (toolName: string) => string };

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
              <Alert.Description>{`The saved scopes lack permissions for: ${toolsNotAllowed.map(titleOf).join(", ")}.`}</Alert.Description>
            </Alert.Content>
          </Alert.Root>
        )}
        {success ? null : <CodeBlock label="Error Details" text={detailsOf(result)} />}
      </Stack>
    </chakra.section>
  );
};
