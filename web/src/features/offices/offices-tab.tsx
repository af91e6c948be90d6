import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { tenantOffices } from "@vitaline/contract";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { OfficeCards } from "./office-cards.tsx";
import { OfficeFeatures } from "./office-features.tsx";
import { newOffice, useOfficePlace } from "./use-office-place.ts";

const OfficeDialog = lazy(() => import("./office-dialog.tsx"));

const CardSkeletons = () => (
  <SimpleGrid columns={{ base: 1, lg: 2 }} gap="5" aria-hidden>
    <Skeleton h="72" />
    <Skeleton h="72" />
  </SimpleGrid>
);

const OfficesTab = () => {
  const offices = useApi(tenantOffices.officeCards, {});
  const { officeId, open } = useOfficePlace();
  return (
    <Stack gap="5">
      <Panel
        title="Office Management"
        description="Where your organization sees its patients, and what holds at each place."
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
                description="Add your first office, so that voice agents know its address, its hours and whom to put calls through to."
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

export default OfficesTab;
