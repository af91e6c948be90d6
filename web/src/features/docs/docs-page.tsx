import { Card } from "@chakra-ui/react/card";
import { Heading } from "@chakra-ui/react/heading";
import { Link } from "@chakra-ui/react/link";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { TextLink } from "../../components/layout/links.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { platforms, steps } from "./content/connect.ts";
import { workingDay } from "./content/working-day.ts";
import { PageIntro } from "../../components/layout/page-intro.tsx";

const DocsPage = () => (
  <>
    <PageIntro
      label="Documentation"
      title="From an account to the first call"
      documentTitle="Documentation"
      lead="How to connect your record system and your voice platform, how to see that it works, and where the daily work is."
    />
    <PageSection id="steps" title="Five steps" isSplit>
      <chakra.ol display="grid" gap="6" ps="6">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <Heading as="h3" size="md">
              {title}
            </Heading>
            <Text color="fg.muted">{text}</Text>
          </li>
        ))}
      </chakra.ol>
    </PageSection>
    <PageSection
      id="platforms"
      look="tinted"
      title="Voice platforms"
      lead="What is pasted at each of them, from the same source as your dashboard."
    >
      <SimpleGrid columns={{ base: 1, md: 2, lg: 3 }} gap="5">
        {platforms.map(({ slug, name, lead }) => (
          <Card.Root key={slug}>
            <Card.Body gap="2">
              <Heading as="h3" size="lg">
                <TextLink to={`/docs/${slug}`}>{name}</TextLink>
              </Heading>
              <Text color="fg.muted">{lead}</Text>
            </Card.Body>
          </Card.Root>
        ))}
      </SimpleGrid>
    </PageSection>
    <PageSection id="working-day" title="Your working day" isSplit>
      <chakra.dl display="grid" gap="6">
        {workingDay.map(({ title, text }) => (
          <div key={title}>
            <Heading as="dt" size="md">
              {title}
            </Heading>
            <Text as="dd" color="fg.muted">
              {text}
            </Text>
          </div>
        ))}
      </chakra.dl>
    </PageSection>
    <PageSection id="further" title="More" isSplit>
      <chakra.ul display="grid" gap="3" ps="6">
        <li>
          <TextLink to="/docs/api">API reference</TextLink>, with what each voice platform sends and gets.
        </li>
        <li>
          <Link href="/api/openapi.json">The whole API as OpenAPI 3.1</Link>, to import into your tools.
        </li>
        <li>
          <TextLink to="/security">Security and compliance</TextLink>: what is built, and what has to be signed.
        </li>
        <li>
          <TextLink to="/faq">Frequently asked questions</TextLink>
        </li>
        <li>
          <TextLink to="/contact">Support</TextLink> answers within its hours.
        </li>
      </chakra.ul>
    </PageSection>
  </>
);

export default DocsPage;
