import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type FhirProvider, fhirProviders } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { AuthorizeButton } from "../authorization.tsx";
import { ConnectionStatus } from "../health/connection-badge.tsx";
import { scopeCount, typeNames, versionName } from "../provider-format.ts";

type RowHandlers = { onEdit: (id: string) => void; onTest: (id: string) => void };

export const PlatformProviderTable = ({ providers, ...acts }: RowHandlers & { providers: readonly FhirProvider[] }) => (
  <DataTable caption="FHIR providers" columns={columns(acts)} rows={providers} keyOf={({ id }) => id} />
);

const columns = (acts: RowHandlers): Column<FhirProvider>[] => [
  { title: "Provider", cell: (provider) => <Name {...provider} /> },
  { title: "FHIR version", cell: ({ fhirVersion }) => versionName(fhirVersion) },
  { title: "Access", cell: (provider) => <Access {...provider} /> },
  { title: "Status", cell: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
  { title: "Connection", cell: (provider) => <ConnectionStatus {...provider} /> },
  { title: "Actions", cell: (provider) => <RowActions provider={provider} {...acts} /> },
];

const Name = ({ name, providerType, ownerTenantName }: FhirProvider) => (
  <chakra.div minW={{ lg: "40" }} overflowWrap="anywhere">
    <Text fontWeight="semibold">{name}</Text>
    <Text textStyle="xs" color="fg.muted">
      {ownerTenantName === null ? typeNames[providerType] : `${typeNames[providerType]}, managed by ${ownerTenantName}`}
    </Text>
  </chakra.div>
);

const Access = ({ access, resourceCount, scopes }: FhirProvider) => (
  <div>
    <Badge colorPalette={access === "Read/Write" ? "teal" : "gray"}>{access}</Badge>
    <Text textStyle="xs" color="fg.muted" mt="1" whiteSpace="nowrap">
      {`${pluralize(resourceCount, "resource")}, ${pluralize(scopeCount(scopes), "scope")}`}
    </Text>
  </div>
);

const pluralize = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;

const RowActions = ({ provider: { id, name, grant, isAuthorized }, onEdit, onTest }: RowHandlers & { provider: FhirProvider }) => (
  <Flex gap="2" wrap="wrap" justify={{ base: "flex-end", lg: "flex-start" }}>
    {grant === "authorization_code" ? (
      <AuthorizeButton
        name={name}
        isAuthorized={isAuthorized}
        begin={() => call(fhirProviders.authorizeFhirProvider, { params: { id } })}
      />
    ) : null}
    <Button size="sm" variant="outline" onClick={() => onEdit(id)}>
      Edit
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
    <Button size="sm" variant="outline" onClick={() => onTest(id)}>
      Test
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
  </Flex>
);
