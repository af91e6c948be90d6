import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { ConnectionTestResult } from "@vitaline/contract";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import CircleX from "lucide-react/dist/esm/icons/circle-x.mjs";
import TriangleAlert from "lucide-react/dist/esm/icons/triangle-alert.mjs";

type Step = ConnectionTestResult["details"][number];

const stepNames: Record<Step["step"], string> = {
  address: "Reach the server",
  discovery: "Find the token address",
  token: "Get a token",
  capability: "Check the FHIR version",
  patient: "Read the patient",
};

/** A code without a failure is a warning. */
const lookOf = ({ ok, code }: Step) => {
  if (!ok) return { Icon: CircleX, colorPalette: "red", name: "Failed" };
  return code === undefined
    ? { Icon: CircleCheck, colorPalette: "green", name: "Passed" }
    : { Icon: TriangleAlert, colorPalette: "orange", name: "Warning" };
};

const StepItem = ({ step, isLast }: { step: Step; isLast: boolean }) => {
  const { Icon, colorPalette, name } = lookOf(step);
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

/** The way that a test went, step by step. */
export const ConnectionSteps = ({ steps }: { steps: readonly Step[] }) => (
  <chakra.ol listStyleType="none" aria-label="Steps of the test">
    {steps.map((step, index) => (
      <StepItem key={step.step} step={step} isLast={index === steps.length - 1} />
    ))}
  </chakra.ol>
);
