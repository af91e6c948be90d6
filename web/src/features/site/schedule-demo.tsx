/// <reference types="vite/client" />
import { Box } from "@chakra-ui/react/box";
import { lazy, Suspense } from "react";
import { Heading } from "@chakra-ui/react/heading";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Badge } from "@chakra-ui/react/badge";
import { usePublicConfig } from "../../lib/api/public-config.ts";
import { PageSection } from "../../components/layout/page-section.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { supportHours } from "./content/support.ts";

const DemoCalendar = lazy(() => import("./demo-calendar.tsx"));

export const ScheduleDemo = ({ look = "plain" }: { look?: "plain" | "tinted" }) => {
  const url = usePublicConfig()?.schedulingUrl;
  return (
    <PageSection
      id="schedule-a-demo"
      look={look}
      title="Schedule a demo"
      lead="Half an hour, a live call to an agent, and your questions. Tell us how your front desk works today."
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

const AskForDemo = () => (
  <>
    <Heading as="h3" size="lg">
      Tell us a time that works for you
    </Heading>
    <Text color="fg.muted" maxW="prose">
      {`We answer ${supportHours.map(({ days, hours }) => `${days} ${hours}`).join(", ")} (US Eastern).`}
    </Text>
    <HStack gap="3" wrap="wrap">
      <ButtonLink to="/contact?topic=demo" size="lg">
        Ask for a demo
      </ButtonLink>
    </HStack>
    {import.meta.env.DEV ? (
      <Text textStyle="sm" color="fg.muted">
        DEMO_SCHEDULING_URL puts a calendar here.
      </Text>
    ) : null}
  </>
);

/** `otherwise` is shown without a promotion, in the same height. */
export const Promotion = ({ otherwise }: { otherwise: string }) => {
  const promotion = usePublicConfig()?.promotion;
  return (
    <Text as="p" textStyle="label" color="teal.fg" minH="6" mb="4" display="flex" alignItems="center">
      {promotion?.active ? (
        <Badge textTransform="none" letterSpacing="normal" whiteSpace="normal">
          {`${promotion.label}: ${promotion.remaining} ${promotion.remaining === 1 ? "place" : "places"} left`}
        </Badge>
      ) : (
        otherwise
      )}
    </Text>
  );
};
