import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { TenantFhirProvider } from "@vitaline/contract";
import Database from "lucide-react/dist/esm/icons/database.mjs";
import { type ReactNode, useId } from "react";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { TextLink } from "../../../components/layout/links.tsx";
import { authMethodName, connectionStatuses, typeNames, versionName } from "../provider-format.ts";

const Connection = ({ status }: { status: TenantFhirProvider["connectionStatus"] }) => {
  const { name, colorPalette } = connectionStatuses[status];
  return (
    <Badge colorPalette={colorPalette}>
      <chakra.span boxSize="2" borderRadius="full" bg="colorPalette.solid" aria-hidden />
      {name}
    </Badge>
  );
};

const Usage = ({ isDefault }: { isDefault: boolean }) =>
  isDefault ? "Every office without a record system of its own" : <TextLink to="?tab=offices">Offices that choose it</TextLink>;

export const providerDetails = (provider: TenantFhirProvider): (readonly [string, ReactNode])[] => [
  ["Type", typeNames[provider.providerType]],
  ["FHIR version", versionName(provider.fhirVersion)],
  ["Authentication", authMethodName(provider.authMethod)],
  ["Base URL", provider.baseUrl],
  ["Connection", <Connection key="connection" status={provider.connectionStatus} />],
  ["Used by", <Usage key="use" isDefault={provider.isDefault} />],
  ["Managed by", provider.isOwn ? "Your organization" : "The platform"],
];

export const ProviderCard = ({ provider, note, children }: { provider: TenantFhirProvider; note?: ReactNode; children: ReactNode }) => {
  const nameId = useId();
  return (
    <chakra.article
      aria-labelledby={nameId}
      display="flex"
      flexDirection="column"
      gap="4"
      p="5"
      minW="0"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
    >
      <Flex gap="3" align="center">
        <Flex align="center" justify="center" boxSize="10" borderRadius="l2" bg="teal.subtle" color="teal.fg" flexShrink="0" aria-hidden>
          <Database width={20} height={20} />
        </Flex>
        <Heading as="h3" size="md" id={nameId} flex="1" minW="0" overflowWrap="anywhere">
          {provider.providerName}
        </Heading>
        <ActiveBadge isActive={provider.isActive} />
      </Flex>
      <DetailList details={providerDetails(provider)} />
      {note === undefined ? null : (
        <Text textStyle="sm" color="orange.fg">
          {note}
        </Text>
      )}
      <Flex gap="2" wrap="wrap" mt="auto" pt="1">
        {children}
      </Flex>
    </chakra.article>
  );
};
