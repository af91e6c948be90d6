/// <reference types="vite/client" />
import { Heading } from "@chakra-ui/react/heading";
import { HStack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../../components/layout/links.tsx";
import { supportHours } from "./content/support.ts";

/** Instead of a calendar, where this installation has none. */
export const AskForDemo = () => (
  <>
    <Heading as="h3" size="lg">
      Tell us a time that suits you
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
