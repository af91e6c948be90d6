import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { type OfficeCard as Office, tenantOffices } from "@vitaline/contract";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useId } from "react";
import { Card } from "@chakra-ui/react/card";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Pencil from "lucide-react/dist/esm/icons/pencil.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { OfficeFeatures } from "./office-features.tsx";
import { analyticsAddress, newOffice, officeAddress, useOfficeRoute } from "./office-route.ts";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { formatTimeZone } from "../../lib/format/times.ts";
import { formatWeeklyHours } from "./hours-text.ts";

const OfficeDialog = lazy(() => import("./office-dialog.tsx"));

const OfficesTab = () => {
  const offices = useApi(tenantOffices.officeCards, {});
  const { officeId, open } = useOfficeRoute();
  return (
    <Stack gap="panels">
      <Panel
        title="Office Management"
        description="Where your organization sees its patients, and each office's settings."
        actions={
          <Button size="sm" onClick={() => open(newOffice)}>
            <Plus aria-hidden />
            Add Office
          </Button>
        }
      >
        <Loadable loaded={offices} what="offices" skeleton={<CardSkeletons />}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                icon={Building2}
                title="No Offices Configured"
                description="Add your first office, so that voice agents know its address, its hours and who to transfer calls to."
              />
            ) : (
              <OfficeCards offices={list} />
            )
          }
        </Loadable>
      </Panel>
      <OfficeFeatures offices={offices.data ?? []} />
      {officeId === undefined ? null : (
        <Suspense fallback={null}>
          <OfficeDialog key={officeId} officeId={officeId} />
        </Suspense>
      )}
    </Stack>
  );
};

const CardSkeletons = () => (
  <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 3 }} gap="panels" aria-hidden>
    <Skeleton h="72" />
    <Skeleton h="72" />
  </SimpleGrid>
);

const OfficeCards = ({ offices }: { offices: readonly Office[] }) => (
  <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 3 }} gap="panels">
    {offices.map((office) => (
      <OfficeCard key={office.id} office={office} />
    ))}
  </SimpleGrid>
);

const notSet = <chakra.span color="fg.muted">Not set</chakra.span>;

const OfficeCard = ({ office }: { office: Office }) => {
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

const Hours = ({ hours }: { hours: Office["businessHours"] }) => (
  <>
    {formatWeeklyHours(hours).map((line) => (
      <chakra.span key={line} display="block">
        {line}
      </chakra.span>
    ))}
    <chakra.span color="fg.muted">{formatTimeZone(hours.timezone)}</chakra.span>
  </>
);

export default OfficesTab;
