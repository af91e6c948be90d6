import { Grid } from "@chakra-ui/react/grid";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { useRef } from "react";
import { useMay } from "../../lib/session/may.ts";
import { GetStarted } from "../onboarding/get-started.tsx";
import { CallsInProgress } from "./calls-in-progress.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { NeedsFollowUp } from "./needs-follow-up.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { TopTools } from "./top-tools.tsx";

export const OverviewTab = () => {
  const isSettingUp = useMay("GET /api/tenant/dashboard/fhir-providers");
  const top = useRef<HTMLDivElement>(null);
  return (
    <Stack gap="panels" ref={top} tabIndex={-1} outline="0">
      {isSettingUp ? <GetStarted onDismissed={() => top.current?.focus()} /> : null}
      <Grid templateColumns={{ base: "minmax(0, 1fr)", "2xl": "minmax(0, 3fr) minmax(0, 1fr)" }} gap="panels">
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="panels">
          <RecentCalls />
          <TopTools />
        </SimpleGrid>
        <SimpleGrid columns={{ base: 1, md: 2, lg: 3, "2xl": 1 }} gap="panels">
          <NeedsFollowUp />
          <CallsInProgress />
          <Grid gridColumn={{ md: "1 / -1", lg: "auto" }}>
            <MonthUsage />
          </Grid>
        </SimpleGrid>
      </Grid>
    </Stack>
  );
};
