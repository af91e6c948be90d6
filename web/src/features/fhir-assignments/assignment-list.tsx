import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { TenantAssignments } from "@vitaline/contract";
import { organizationTypeNames } from "../../format/organization-types.ts";
import type { Place } from "./replaced.ts";

type Props = { rows: readonly TenantAssignments[]; onChange: (place: Place) => void };

type LineProps = { name: string; whose: string; isActive: boolean; value: string; isOwn: boolean; onChange: () => void };

/** One that can be given a record system, and which it has. */
const Line = ({ name, whose, isActive, value, isOwn, onChange }: LineProps) => (
  <chakra.li display="flex" flexWrap="wrap" alignItems="center" columnGap="4" rowGap="1" py="1.5">
    <Text textStyle="sm" color="fg.muted" flex="1 1 9rem" minW="0" overflowWrap="anywhere">
      {name}
      {isActive ? null : " (Inactive)"}
    </Text>
    <Text textStyle="sm" flex="1 1 9rem" minW="0" overflowWrap="anywhere" color={isOwn ? "fg" : "fg.muted"}>
      {value}
    </Text>
    <Button size="sm" variant="outline" onClick={onChange}>
      Change
      <VisuallyHidden>{` the FHIR provider of ${whose}`}</VisuallyHidden>
    </Button>
  </chakra.li>
);

const Tenant = ({ row, onChange }: { row: TenantAssignments; onChange: Props["onChange"] }) => {
  const { tenantId, name, organizationType, isActive, defaultFhirProvider, offices } = row;
  return (
    <chakra.li py="4" borderColor="border.muted" borderTopWidth="1px">
      <Flex gap="2" align="center" wrap="wrap" mb="1">
        <Heading as="h3" size="md" overflowWrap="anywhere">
          {name}
        </Heading>
        <Badge colorPalette="gray">{organizationTypeNames[organizationType]}</Badge>
        {isActive ? null : <Badge colorPalette="gray">Inactive</Badge>}
      </Flex>
      <chakra.ul listStyleType="none" aria-label={`FHIR providers of ${name}`}>
        <Line
          name="Tenant default"
          whose={name}
          isActive
          value={defaultFhirProvider?.name ?? "Not configured"}
          isOwn={defaultFhirProvider !== null}
          onChange={() => onChange({ tenantId })}
        />
        {offices.map((office) => (
          <Line
            key={office.id}
            name={office.name}
            whose={`${office.name}, ${name}`}
            isActive={office.isActive}
            value={office.fhirProvider?.name ?? "Inherits default"}
            isOwn={office.fhirProvider !== null}
            onChange={() => onChange({ tenantId, officeId: office.id })}
          />
        ))}
      </chakra.ul>
    </chakra.li>
  );
};

/** Each tenant with what its offices use. */
export const AssignmentList = ({ rows, onChange }: Props) => (
  <chakra.ul
    listStyleType="none"
    aria-label="Provider assignments"
    display="grid"
    gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }}
    columnGap="10"
  >
    {rows.map((row) => (
      <Tenant key={row.tenantId} row={row} onChange={onChange} />
    ))}
  </chakra.ul>
);
