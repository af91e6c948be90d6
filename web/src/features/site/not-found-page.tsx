import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../../components/layout/links.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";

const NotFoundPage = () => (
  <Container py="16" maxW="lg">
    <Card.Root size="lg">
      <meta name="robots" content="noindex" />
      <Card.Body gap="5">
        <PageHeading size="2xl">Page Not Found</PageHeading>
        <Text color="fg.muted">There is no page at this address. Check the address, or go on from here:</Text>
        <HStack gap="3" wrap="wrap">
          <ButtonLink to="/">Home</ButtonLink>
          <ButtonLink to="/contact" variant="outline">
            Contact support
          </ButtonLink>
        </HStack>
        <Text textStyle="xs" color="fg.muted">
          For developers: Did you forget to add the page to the router?
        </Text>
      </Card.Body>
    </Card.Root>
  </Container>
);

export default NotFoundPage;
