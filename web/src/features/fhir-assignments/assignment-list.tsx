import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import type { TenantAssignments } from "@vitaline/contract";
import { organizationTypeNames } from "../../lib/format/labels.ts";
import { AssignmentLine } from "./assignment-line.tsx";
import type { Place } from "./replaced.ts";

type Props = { rows: readonly TenantAssignments[]; onChange: (place: Place) => void };

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
        <AssignmentLine
          name="Tenant default"
          whose={name}
          isActive
          value={defaultFhirProvider?.name ?? "Not configured"}
          isOwn={defaultFhirProvider !== null}
          onChange={() => onChange({ tenantId })}
        />
        {offices.map((office) => (
          <AssignmentLine
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
