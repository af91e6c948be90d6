import { Container } from "@chakra-ui/react/container";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { legalTexts } from "./content/legal.ts";
import { PageIntro } from "../../components/layout/page-intro.tsx";

const LegalPage = ({ text }: { text: keyof typeof legalTexts }) => {
  const { title, lead, sections } = legalTexts[text];
  const isTemplate = sections.some((section) => section.text.some((paragraph) => paragraph.includes("[")));
  return (
    <>
      {isTemplate ? <meta name="robots" content="noindex" /> : null}
      <PageIntro label={isTemplate ? "Template" : "Legal"} title={title} lead={lead}>
        {isTemplate ? (
          <chakra.p
            role="note"
            mt="6"
            p="4"
            maxW="3xl"
            borderWidth="1px"
            borderColor="orange.border"
            borderRadius="l2"
            bg="orange.subtle"
            color="fg"
          >
            This is a template and binds no one. The operator of this installation completes what stands in square brackets and has it
            reviewed by counsel before anyone relies on it.
          </chakra.p>
        ) : null}
      </PageIntro>
      <Container py={{ base: "10", md: "14" }}>
        <Stack gap="8" maxW="prose">
          {sections.map((section) => (
            <section key={section.title}>
              <Heading as="h2" size="xl" mb="3">
                {section.title}
              </Heading>
              <Stack gap="3">
                {section.text.map((paragraph) => (
                  <Text key={paragraph}>{paragraph}</Text>
                ))}
              </Stack>
            </section>
          ))}
        </Stack>
      </Container>
    </>
  );
};

export default LegalPage;
