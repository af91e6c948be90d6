import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Badge } from "@chakra-ui/react/badge";
import { Card } from "@chakra-ui/react/card";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Faq } from "../../components/layout/faq.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { CheckList, PageSection } from "../../components/layout/page-section.tsx";
import { type Comparison, overage, plansCompared, pricingQuestions, type Tier, tiers, volumesCompared } from "./content/pricing.ts";
import { Promotion, ScheduleDemo } from "./schedule-demo.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";

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

const TierCard = ({ tier: { id, name, lead, price, setup, licences, minutes, isMostPopular } }: { tier: Tier }) => {
  const isCustom = price === "Custom";
  return (
    <Card.Root
      as="article"
      aria-labelledby={`tier-${id}`}
      size="lg"
      {...(isMostPopular && { borderColor: "teal.border", boxShadow: "lg" })}
    >
      <Card.Body gap="6">
        <div>
          <chakra.div display="flex" alignItems="center" justifyContent="space-between" gap="3" minH="7">
            <Heading as="h2" id={`tier-${id}`} size="xl">
              {name}
            </Heading>
            {isMostPopular ? <Badge variant="solid">Most Popular</Badge> : null}
          </chakra.div>
          <Text color="fg.muted" mt="1">
            {lead}
          </Text>
        </div>
        <div>
          <Text>
            <chakra.span textStyle="4xl" fontWeight="semibold" letterSpacing="tight">
              {price}
            </chakra.span>
            {isCustom ? null : <chakra.span color="fg.muted"> per month</chakra.span>}
          </Text>
          <Text textStyle="sm" color="fg.muted">
            {isCustom ? "Setup on request" : `Setup ${setup}, once`}
          </Text>
        </div>
        <CheckList items={[licences, minutes, `Overage ${overage}`]} />
        <ButtonLink to={`/contact?topic=${id}`} size="lg" variant={isMostPopular ? "solid" : "outline"} mt="auto">
          {isCustom ? "Talk to us" : `Choose ${name}`}
        </ButtonLink>
      </Card.Body>
    </Card.Root>
  );
};

/** Scrolls horizontally if it does not fit, and takes the focus for keyboard scrolling. */
const ComparisonTable = ({ caption, columns, rows }: Comparison) => (
  <chakra.section
    aria-label={caption}
    tabIndex={0}
    overflowX="auto"
    borderWidth="1px"
    borderColor="border"
    borderRadius="l3"
    bg="bg.panel"
    outline="0"
    focusVisibleRing="outside"
  >
    <chakra.table
      w="full"
      minW="30rem"
      tableLayout="fixed"
      textAlign="start"
      textStyle="sm"
      fontVariantNumeric="tabular-nums"
      css={{
        "& :is(th, td)": { px: { base: "4", md: "5" }, py: "3", textAlign: "start", fontWeight: "normal" },
        "& :is(thead th, tbody th, caption)": { fontWeight: "semibold" },
        "& tbody tr": { borderTopWidth: "1px", borderColor: "border.muted" },
        "& td": { color: "fg.muted" },
      }}
    >
      <chakra.caption captionSide="top" textAlign="start" px="5" py="3.5" textStyle="md" borderBottomWidth="1px" borderColor="border">
        {caption}
      </chakra.caption>
      <chakra.thead bg="bg.subtle">
        <tr>
          <chakra.td w={{ base: "9.5rem", md: "40%" }} />
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </chakra.thead>
      <tbody>
        {rows.map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={columns[index]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </chakra.table>
  </chakra.section>
);

export default PricingPage;
