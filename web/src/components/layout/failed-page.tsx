import { Button } from "@chakra-ui/react/button";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { PageHeading } from "./page-heading.tsx";

/** A chunk that failed to load needs a reload of the page. */
export const FailedPage = () => (
  <Container py="16" maxW="xl">
    <Card.Root role="alert">
      <Card.Body gap="4">
        <PageHeading size="2xl">Something went wrong</PageHeading>
        <Text color="fg.muted">This page could not be shown. Nothing you saved is lost. Try again, or start from the home page.</Text>
        <HStack gap="3" wrap="wrap">
          <Button onClick={() => location.reload()}>Try again</Button>
          <Button variant="outline" asChild>
            <a href="/">Home</a>
          </Button>
        </HStack>
      </Card.Body>
    </Card.Root>
  </Container>
);
