import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Text } from "@chakra-ui/react/text";
import { PageHeading } from "../../components/page-heading.tsx";

const supportHours = [
  { days: "Monday to Friday", hours: "9-6 EST" },
  { days: "Saturday", hours: "10-4 EST" },
  { days: "Sunday", hours: "Closed" },
];

const ContactPage = () => (
  <Container py="16" maxW="3xl">
    <PageHeading size="4xl">Contact support</PageHeading>
    <Text color="fg.muted" mt="3" mb="8" textStyle="lg">
      The team that set up your organization answers questions about sign-in, calls and integrations.
    </Text>
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
      <Card.Root>
        <Card.Header>
          <Card.Title as="h2">Support hours</Card.Title>
          <Card.Description>US Eastern time</Card.Description>
        </Card.Header>
        <Card.Body gap="2">
          {supportHours.map(({ days, hours }) => (
            <Text key={days} display="flex" justifyContent="space-between" gap="4">
              <span>{days}</span>
              <Text as="span" fontWeight="semibold">
                {hours}
              </Text>
            </Text>
          ))}
        </Card.Body>
      </Card.Root>
      <Card.Root>
        <Card.Header>
          <Card.Title as="h2">Before you ask</Card.Title>
        </Card.Header>
        <Card.Body gap="3" color="fg.muted">
          <Text>Cannot sign in? A system admin creates accounts and can help you with yours.</Text>
          <Text>Saw an error? Note the request ID that stands beside it: it leads straight to what happened.</Text>
          <Text>Never send patient information with a question.</Text>
        </Card.Body>
      </Card.Root>
    </SimpleGrid>
  </Container>
);

export default ContactPage;
