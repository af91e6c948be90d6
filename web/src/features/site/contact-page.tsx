import { Box } from "@chakra-ui/react/box";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Faq } from "../../components/layout/faq.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { ContactDetails } from "./contact-details.tsx";
import { ContactForm, MessageSent } from "./contact-form.tsx";
import { contactQuestions } from "./content/contact.ts";
import { beginningOf } from "./content/topics.ts";

const ContactPage = () => {
  const [search] = useSearchParams();
  const [isSent, setIsSent] = useState(false);
  const topic = search.get("topic");
  return (
    <>
      <meta name="description" content="Write to the people behind Vitaline: demos, plans, support." />
      <Container py={{ base: "10", md: "16" }}>
        <PageHeading size={{ base: "3xl", md: "4xl" }}>Contact us</PageHeading>
        <Text color="fg.muted" mt="3" mb={{ base: "8", md: "10" }} maxW="2xl" textStyle={{ base: "md", md: "lg" }}>
          A demo, a plan, a question about sign-in, calls or integrations: write to us, and a person answers.
        </Text>
        <chakra.div display="grid" gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 22rem" }} gap="8" alignItems="start">
          {isSent ? (
            <MessageSent onAgain={() => setIsSent(false)} />
          ) : (
            <Card.Root size="lg">
              <Card.Body>
                <ContactForm key={topic} beginning={beginningOf(topic)} onSent={() => setIsSent(true)} />
              </Card.Body>
            </Card.Root>
          )}
          <Box>
            <ContactDetails />
          </Box>
        </chakra.div>
      </Container>
      <PageSection id="questions" look="tinted" isSplit title="Frequently asked questions">
        <Faq questions={contactQuestions} />
      </PageSection>
    </>
  );
};

export default ContactPage;
