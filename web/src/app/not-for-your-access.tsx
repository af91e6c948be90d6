import { Container } from "@chakra-ui/react/container";
import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../components/layout/links.tsx";
import { PageHeading } from "../components/layout/page-heading.tsx";

/** In place of a page that the user's access does not open. */
const NotForYourAccess = () => (
  <Container py={{ base: "8", md: "16" }} maxW="lg">
    <PageHeading size="2xl">You do not have access to this page</PageHeading>
    <Text color="fg.muted" mt="3" mb="6">
      An administrator of your organization can change your access under Settings, Team.
    </Text>
    <ButtonLink to="/tenant">Go to the dashboard</ButtonLink>
  </Container>
);

export default NotForYourAccess;
