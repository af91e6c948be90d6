import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { HStack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { lazy, Suspense } from "react";
import { ButtonLink, TextLink } from "../../components/layout/links.tsx";
import { CheckList, PageSection } from "../../components/layout/page-section.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { CallFigure } from "./call-figure.tsx";
import { complianceClaims, endpoints, facts, integrations, organizations, parts, privacyClaims, tasks } from "./content/landing.ts";
import { Promotion, ScheduleDemo } from "./schedule-demo.tsx";

/** Apart, as the page works without it: its markup is in the document. */
const ProductPictures = lazy(() => import("./product-pictures.tsx"));

const LandingPage = () => (
  <>
    <meta
      name="description"
      content="HIPAA-compliant voice agents for healthcare: they verify patients, read and write the record in your EHR, book appointments and send reminders."
    />
    <Hero />
    <Facts />
    <PageSection id="platform" look="tinted" title="One platform behind every call">
      <Parts />
    </PageSection>
    <PageSection
      id="product"
      title="What your team sees"
      lead="Screens of the product itself, with the data of a demo clinic and invented patients."
    >
      <Suspense fallback={null}>
        <ProductPictures />
      </Suspense>
    </PageSection>
    <PageSection
      id="features"
      look="tinted"
      title="Features: what your agent takes off the desk"
      lead="The calls that fill a front desk's day, from first ring to entry in the record."
    >
      <Tasks />
    </PageSection>
    <PageSection
      id="ehr-integration"
      title="EHR integration, and everything around it"
      lead="The agent works in the systems you have. What it books is in your schedule, and what it did is in your dashboard."
    >
      <Integrations />
    </PageSection>
    <PageSection
      id="hipaa"
      look="ink"
      isSplit
      title="HIPAA-compliant from the first ring"
      lead="The server guards patient data, even if a caller tricks the voice model."
    >
      <CheckList items={privacyClaims} />
    </PageSection>
    <PageSection id="compliance" isSplit title="Compliance you can show" lead="When an auditor asks who saw what, the answer is a report.">
      <CheckList items={complianceClaims} />
      <TextLink to="/security" mt="6">
        Security and compliance in full
      </TextLink>
    </PageSection>
    <PageSection id="organizations" look="tinted" isSplit title="For every kind of practice">
      <Organizations />
    </PageSection>
    <PageSection id="endpoints" title="Active endpoints" lead="What voice platforms and dashboards connect to.">
      <EndpointList />
    </PageSection>
    <ScheduleDemo look="tinted" />
  </>
);

const Hero = () => (
  <Box bg="bg.subtle" borderBottomWidth="1px" borderColor="border.muted">
    <Container py={{ base: "12", md: "20" }}>
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap={{ base: "10", lg: "16" }} alignItems="center">
        <Box>
          <Promotion otherwise="For hospitals, clinics and practices" />
          <PageHeading size={{ base: "4xl", md: "5xl" }}>Healthcare AI Voice Agent Platform</PageHeading>
          <Text mt="5" mb="8" maxW="xl" textStyle={{ base: "md", md: "lg" }} color="fg.muted">
            Your patients call, and an agent answers: at once, at any hour. Vitaline is the HIPAA-compliant platform it works with. It
            verifies who is speaking, reads and writes the record in your EHR, and shows your team what happened on every call.
          </Text>
          <HStack gap="3" wrap="wrap">
            <Button asChild size="lg">
              <a href="#schedule-a-demo">Schedule a demo</a>
            </Button>
            <ButtonLink to="/pricing" size="lg" variant="outline">
              See pricing
            </ButtonLink>
          </HStack>
        </Box>
        <CallFigure />
      </SimpleGrid>
    </Container>
  </Box>
);

const Facts = () => (
  <Container py={{ base: "8", md: "10" }}>
    <chakra.dl display="grid" gridTemplateColumns={{ base: "1fr 1fr", lg: "repeat(4, 1fr)" }} gap={{ base: "6", lg: "8" }}>
      {facts.map(({ figure, text }) => (
        <chakra.div key={figure} display="flex" flexDirection="column-reverse" justifyContent="flex-end" gap="0.5">
          <chakra.dt textStyle="sm" color="fg.muted">
            {text}
          </chakra.dt>
          <chakra.dd textStyle={{ base: "lg", md: "xl" }} fontWeight="semibold" letterSpacing="tight">
            {figure}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  </Container>
);

const Parts = () => (
  <SimpleGrid columns={{ base: 1, md: 3 }} gap="5">
    {parts.map(({ title, text }) => (
      <Card.Root key={title} as="article">
        <Card.Body gap="2">
          <Heading as="h3" size="lg">
            {title}
          </Heading>
          <Text color="fg.muted">{text}</Text>
        </Card.Body>
      </Card.Root>
    ))}
  </SimpleGrid>
);

const Tasks = () => (
  <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, sm: 2, lg: 3 }} columnGap="10" rowGap="9">
    {tasks.map(({ icon: Icon, title, text }) => (
      <li key={title}>
        <chakra.span display="grid" placeItems="center" boxSize="10" borderRadius="l2" bg="teal.subtle" color="teal.fg" mb="3">
          <Icon width={20} height={20} aria-hidden />
        </chakra.span>
        <Heading as="h3" size="md" mb="1">
          {title}
        </Heading>
        <Text color="fg.muted">{text}</Text>
      </li>
    ))}
  </SimpleGrid>
);

const Integrations = () => (
  <chakra.dl borderTopWidth="1px" borderColor="border">
    {integrations.map(({ title, text }) => (
      <chakra.div
        key={title}
        display="grid"
        gridTemplateColumns={{ md: "18rem 1fr" }}
        gap={{ base: "1", md: "6" }}
        py="4"
        borderBottomWidth="1px"
        borderColor="border"
      >
        <chakra.dt fontWeight="semibold">{title}</chakra.dt>
        <chakra.dd color="fg.muted">{text}</chakra.dd>
      </chakra.div>
    ))}
  </chakra.dl>
);

const Organizations = () => (
  <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" gap="3">
    {organizations.map((kind) => (
      <chakra.li key={kind} px="4" py="2" borderRadius="full" borderWidth="1px" borderColor="border" bg="bg.panel" fontWeight="medium">
        {kind}
      </chakra.li>
    ))}
  </chakra.ul>
);

const EndpointList = () => (
  <chakra.ul
    listStyleType="none"
    borderWidth="1px"
    borderColor="border"
    borderRadius="l3"
    overflow="hidden"
    bg="bg.panel"
    aria-labelledby="endpoints"
  >
    {endpoints.map(({ route, text }) => (
      <chakra.li
        key={route}
        px="5"
        py="3.5"
        display="grid"
        gap="1"
        alignItems="baseline"
        gridTemplateColumns={{ md: "20rem 1fr" }}
        borderColor="border.muted"
        _notFirst={{ borderTopWidth: "1px" }}
      >
        <chakra.code fontFamily="mono" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
          {route}
        </chakra.code>
        <chakra.span textStyle="sm" color="fg.muted">
          {text}
        </chakra.span>
      </chakra.li>
    ))}
  </chakra.ul>
);

export default LandingPage;
