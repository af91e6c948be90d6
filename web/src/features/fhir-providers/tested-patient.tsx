import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ConnectionTestResult } from "@vitaline/contract";
import { useState } from "react";
import { DetailList } from "../../components/table/detail-list.tsx";

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

/** The patient that a test has read: as much as tells that it is the right one. */
export const TestedPatient = ({ patient }: { patient: NonNullable<ConnectionTestResult["patientData"]> }) => (
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
