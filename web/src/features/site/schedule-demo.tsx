import { Box } from "@chakra-ui/react/box";
import { lazy, Suspense } from "react";
import { usePublicConfig } from "../../lib/api/public-config.ts";
import { PageSection } from "../../components/layout/page-section.tsx";
import { AskForDemo } from "./ask-for-demo.tsx";

const DemoCalendar = lazy(() => import("./demo-calendar.tsx"));

/** Where a demo is booked: in the calendar that this installation names, else by the contact form. Both take the same place. */
export const ScheduleDemo = ({ look = "plain" }: { look?: "plain" | "tinted" }) => {
  const url = usePublicConfig()?.schedulingUrl;
  return (
    <PageSection
      id="schedule-a-demo"
      look={look}
      title="Schedule a demo"
      lead="Half an hour, a live call to an agent, and your questions. Bring the way your front desk works today."
    >
      <Box
        display="flex"
        flexDirection="column"
        alignItems="center"
        justifyContent="center"
        textAlign="center"
        gap="5"
        minH={{ base: "20rem", sm: "17rem" }}
        p={{ base: "4", sm: "6" }}
        bg={look === "tinted" ? "bg.panel" : "bg.subtle"}
        borderWidth="1px"
        borderColor="border"
        borderRadius="xl"
      >
        {url ? (
          <Suspense fallback={<AskForDemo />}>
            <DemoCalendar url={url} />
          </Suspense>
        ) : (
          <AskForDemo />
        )}
      </Box>
    </PageSection>
  );
};
