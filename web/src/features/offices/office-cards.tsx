import { Card } from "@chakra-ui/react/card";
import { Flex } from "@chakra-ui/react/flex";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { OfficeCard as OfficeFacts } from "@vitaline/contract";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Pencil from "lucide-react/dist/esm/icons/pencil.mjs";
import { useId } from "react";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { hoursInWords, zoneInWords } from "./hours-in-words.ts";
import { analyticsAddress, officeAddress } from "./use-office-place.ts";

const Hours = ({ hours }: { hours: OfficeFacts["businessHours"] }) => (
  <>
    {hoursInWords(hours).map((line) => (
      <chakra.span key={line} display="block">
        {line}
      </chakra.span>
    ))}
    <chakra.span color="fg.muted">{zoneInWords(hours.timezone)}</chakra.span>
  </>
);

const notSet = <chakra.span color="fg.muted">Not set</chakra.span>;

const OfficeCard = ({ office }: { office: OfficeFacts }) => {
  const titleId = useId();
  const { id, name, isActive, address, phoneNumber, staffCount, businessHours, voiceAgentCount, fhirEnabled } = office;
  return (
    <Card.Root as="article" size="sm" aria-labelledby={titleId} boxShadow="none">
      <Card.Body gap="4">
        <Flex justify="space-between" align="flex-start" gap="3">
          <chakra.h3 id={titleId} fontWeight="semibold" overflowWrap="anywhere" minW="0">
            {name}
          </chakra.h3>
          <ActiveBadge isActive={isActive} />
        </Flex>
        <DetailList
          details={[
            ["Address", address ?? notSet],
            ["Phone", phoneNumber ?? notSet],
            ["Staff", staffCount === null ? notSet : formatCount(staffCount)],
            ["Business hours", <Hours key="hours" hours={businessHours} />],
            ["Voice agents", voiceAgentCount === 0 ? "None" : formatCount(voiceAgentCount)],
            ["FHIR", fhirEnabled ? "Enabled" : "Not enabled"],
          ]}
        />
        <Flex gap="2" mt="auto" pt="1" wrap="wrap">
          <ButtonLink to={officeAddress(id)} size="sm" variant="outline">
            <Pencil aria-hidden />
            Edit
            <VisuallyHidden>{` ${name}`}</VisuallyHidden>
          </ButtonLink>
          <ButtonLink to={analyticsAddress(id)} size="sm" variant="ghost">
            <ChartColumn aria-hidden />
            Analytics
            <VisuallyHidden>{` of ${name}`}</VisuallyHidden>
          </ButtonLink>
        </Flex>
      </Card.Body>
    </Card.Root>
  );
};

/** What each office is and has, and the way to change it. */
export const OfficeCards = ({ offices }: { offices: readonly OfficeFacts[] }) => (
  <SimpleGrid columns={{ base: 1, lg: 2 }} gap="5">
    {offices.map((office) => (
      <OfficeCard key={office.id} office={office} />
    ))}
  </SimpleGrid>
);
