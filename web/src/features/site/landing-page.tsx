import { Box } from "@chakra-ui/react/box";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../../components/button-link.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { EndpointList } from "./endpoint-list.tsx";

const features = [
  {
    title: "Core Platform",
    text: "Each organization has its own administrators, API key and call records, kept apart from every other organization's.",
  },
  {
    title: "VAPI Integration",
    text: "A Vapi assistant calls one address to verify who is speaking, read their record and book their appointment.",
  },
  {
    title: "Services Ready",
    text: "Patient verification, patient information and appointment scheduling work inside your EHR over FHIR R4.",
  },
];

const LandingPage = () => (
  <>
    <meta name="description" content="Voice agents that verify patients, read their record and book appointments in your EHR." />
    <Box bg="bg.subtle" borderBottomWidth="1px" borderColor="border.muted">
      <Container py={{ base: "14", md: "24" }}>
        <PageHeading size={{ base: "4xl", md: "5xl" }} maxW="3xl">
          Healthcare AI Voice Agent Platform
        </PageHeading>
        <Text mt="5" mb="8" maxW="2xl" textStyle={{ base: "md", md: "lg" }} color="fg.muted">
          Your voice agent answers the phone. Vitaline is what it works with: it checks who is calling, reads and writes the patient's
          record, and shows your team what happened on every call.
        </Text>
        <HStack gap="3" wrap="wrap">
          <ButtonLink to="/login" size="lg">
            Tenant login
          </ButtonLink>
          <ButtonLink to="/admin-login" size="lg" variant="outline">
            System admin login
          </ButtonLink>
        </HStack>
      </Container>
    </Box>
    <Container py={{ base: "12", md: "16" }}>
      <SimpleGrid columns={{ base: 1, md: 3 }} gap="5">
        {features.map(({ title, text }) => (
          <Card.Root key={title}>
            <Card.Body gap="2">
              <Heading as="h2" size="lg">
                {title}
              </Heading>
              <Text color="fg.muted">{text}</Text>
            </Card.Body>
          </Card.Root>
        ))}
      </SimpleGrid>
      <EndpointList />
    </Container>
  </>
);

export default LandingPage;
