import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Faq } from "../../components/layout/faq.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { ComparisonTable } from "./comparison-table.tsx";
import { plansCompared, pricingQuestions, tiers, volumesCompared } from "./content/pricing.ts";
import { Promotion } from "./promotion.tsx";
import { ScheduleDemo } from "./schedule-demo.tsx";
import { TierCard } from "./tier-card.tsx";

const PricingPage = () => (
  <>
    <meta
      name="description"
      content="What Vitaline costs: Light, Core and Enterprise, with bundled minutes and $0.18 for each minute beyond them."
    />
    <Box bg="bg.subtle" borderBottomWidth="1px" borderColor="border.muted">
      <Container py={{ base: "12", md: "16" }}>
        <Promotion otherwise="Pricing" />
        <PageHeading size={{ base: "4xl", md: "5xl" }} documentTitle="Pricing" maxW="3xl">
          Pricing that follows your phone
        </PageHeading>
        <Text mt="4" mb={{ base: "8", md: "12" }} maxW="2xl" textStyle={{ base: "md", md: "lg" }} color="fg.muted">
          A monthly price with minutes in it, one price for every minute beyond, and setup in 24-48 hours.
        </Text>
        <SimpleGrid columns={{ base: 1, lg: 3 }} gap="5">
          {tiers.map((tier) => (
            <TierCard key={tier.id} tier={tier} />
          ))}
        </SimpleGrid>
      </Container>
    </Box>
    <PageSection id="compare" title="Compare" lead="By plan, and by how often your phone rings.">
      <Stack gap="8">
        <ComparisonTable {...plansCompared} />
        <ComparisonTable {...volumesCompared} />
      </Stack>
    </PageSection>
    <PageSection id="questions" look="tinted" isSplit title="Frequently asked questions">
      <Faq questions={pricingQuestions} />
    </PageSection>
    <ScheduleDemo />
  </>
);

export default PricingPage;
