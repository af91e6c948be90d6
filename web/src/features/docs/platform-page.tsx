import { Heading } from "@chakra-ui/react/heading";
import { HStack, Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder, type Snippet } from "@vitaline/contract";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { platforms, type PlatformSlug } from "./content/connect.ts";
import written from "./content/snippets.json" with { type: "json" };
import { PageIntro } from "../../components/layout/page-intro.tsx";

const snippets = written as readonly Snippet[];

const PlatformPage = ({ slug }: { slug: PlatformSlug }) => {
  const { platform, title, lead, tools, calls } = platforms.find((one) => one.slug === slug) ?? platforms[0];
  const parts = snippets.filter((snippet) => snippet.platform === platform);
  return (
    <>
      <PageIntro label="Documentation" title={title} lead={lead}>
        <HStack as="nav" aria-label="Voice platforms" mt="6" columnGap="5" rowGap="3" wrap="wrap" textStyle="sm">
          <TextLink to="/docs">All steps</TextLink>
          {platforms.map((one) => (
            <TextLink key={one.slug} to={`/docs/${one.slug}`} aria-current={one.slug === slug ? "page" : undefined}>
              {one.name}
            </TextLink>
          ))}
        </HStack>
      </PageIntro>
      <PageSection id="how" title="How it works" isSplit>
        <chakra.dl display="grid" gap="4">
          <div>
            <chakra.dt fontWeight="semibold">Tools</chakra.dt>
            <chakra.dd color="fg.muted">{tools}</chakra.dd>
          </div>
          <div>
            <chakra.dt fontWeight="semibold">Calls</chakra.dt>
            <chakra.dd color="fg.muted">{calls}</chakra.dd>
          </div>
        </chakra.dl>
      </PageSection>
      <PageSection
        id="configuration"
        look="tinted"
        title="What to paste"
        lead={`With two of the tools, and with ${keyPlaceholder} and YOUR_ADDRESS in place of yours. Your dashboard shows all tools and your own values under “Developers”, “Platform Configuration”.`}
      >
        <Stack gap="10">
          {parts.map(({ id, title: part, about, text }) => (
            <div key={id}>
              <Heading as="h3" size="lg" mb="1">
                {part}
              </Heading>
              <Text color="fg.muted" mb="4" maxW="3xl" overflowWrap="anywhere">
                {about}
              </Text>
              <CodeBlock label={part} text={text} />
            </div>
          ))}
        </Stack>
      </PageSection>
    </>
  );
};

export default PlatformPage;
