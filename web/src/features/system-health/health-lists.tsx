import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { SystemHealth } from "@vitaline/contract";
import type { ReactNode } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { healthLabel } from "./health-format.ts";

export const HealthBadge = ({ status }: { status: string }) => {
  const { label, colorPalette } = healthLabel(status);
  return (
    <Badge colorPalette={colorPalette} flexShrink="0">
      <chakra.span boxSize="2" borderRadius="full" bg="colorPalette.border" aria-hidden />
      {label}
    </Badge>
  );
};

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Heading as="h3" size="md" mb="2">
      {title}
    </Heading>
    <chakra.ul
      listStyleType="none"
      aria-label={title}
      display="grid"
      gridTemplateColumns={{ base: "1fr", lg: "repeat(2, minmax(0, 1fr))" }}
      columnGap="10"
    >
      {children}
    </chakra.ul>
  </section>
);

type Row = { name: string; note: string; aside?: string; status: string };

const HealthRow = ({ name, note, aside, status }: Row) => (
  <chakra.li
    display="flex"
    alignItems="center"
    justifyContent="space-between"
    gap="3"
    py="3"
    borderTopWidth="1px"
    borderColor="border.muted"
  >
    <chakra.div minW="0" overflowWrap="anywhere">
      <Text fontWeight="semibold">{name}</Text>
      <Text textStyle="sm" color="fg.muted">
        {note}
      </Text>
      {aside === undefined ? null : (
        <Text textStyle="xs" color="fg.muted">
          {aside}
        </Text>
      )}
    </chakra.div>
    <HealthBadge status={status} />
  </chakra.li>
);

export const HealthLists = ({ health: { services, databaseStatus, fhirConnectivity } }: { health: SystemHealth }) => (
  <>
    <Section title="Services">
      {services.map(({ name, status, responseTime }, at) => (
        <HealthRow
          key={`${at} ${name}`}
          name={name}
          status={status}
          note={responseTime === null ? "N/A" : formatMilliseconds(responseTime)}
        />
      ))}
    </Section>
    <Section title="Infrastructure">
      <HealthRow name="Database" note="PostgreSQL" aside="Vitaline uses Amazon DynamoDB instead." status={databaseStatus} />
      <HealthRow name="FHIR Gateway" note="EHR Connectivity" status={fhirConnectivity} />
    </Section>
  </>
);
