import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { ReactNode } from "react";
import { ButtonLink, TextLink } from "../../components/layout/links.tsx";
import { CheckList, PageSection } from "../../components/layout/page-section.tsx";
import { duties, notClaimed, type Safeguard, safeguards, technicalSafeguards } from "./content/security.ts";
import { PageIntro } from "../../components/layout/page-intro.tsx";

const SecurityPage = () => (
  <>
    <PageIntro
      label="Security and compliance"
      title="What guards patient data, and where you can see it"
      documentTitle="Security and compliance"
      lead="What is built into Vitaline, the place in the product that shows it, and what the operator and your organization have to sign and to do."
    />
    <PageSection id="built" title="What is built" lead="Each with the place where you can check it.">
      <Stack gap="12">
        {safeguards.map(({ title, items }) => (
          <div key={title}>
            <Heading as="h3" size="xl" mb="5">
              {title}
            </Heading>
            <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, md: 2 }} columnGap="10" rowGap="8">
              {items.map((item) => (
                <Built key={item.title} {...item} />
              ))}
            </SimpleGrid>
          </div>
        ))}
      </Stack>
    </PageSection>
    <PageSection
      id="security-rule"
      look="tinted"
      title="The technical safeguards of the HIPAA Security Rule"
      lead="45 CFR 164.312, standard by standard: what the product does, and what stays with you."
    >
      <chakra.ul listStyleType="none" borderTopWidth="1px" borderColor="border">
        {technicalSafeguards.map(({ rule, name, built, yours }) => (
          <chakra.li
            key={rule}
            display="grid"
            gridTemplateColumns={{ md: "minmax(0, 4fr) minmax(0, 5fr) minmax(0, 5fr)" }}
            gap={{ base: "3", md: "6" }}
            py="5"
            borderBottomWidth="1px"
            borderColor="border"
          >
            <div>
              <Heading as="h3" size="md">
                {name}
              </Heading>
              <Text textStyle="sm" color="fg.muted">
                {rule}
              </Text>
            </div>
            <Part name="In the product">{built}</Part>
            <Part name="With you">{yours}</Part>
          </chakra.li>
        ))}
      </chakra.ul>
    </PageSection>
    <PageSection
      id="duties"
      title="What has to be signed and done"
      lead="Software does not make an organization compliant. This is the rest."
    >
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="10">
        {duties.map(({ who, items }) => (
          <div key={who}>
            <Heading as="h3" size="lg" mb="4">
              {who}
            </Heading>
            <CheckList items={items} />
          </div>
        ))}
      </SimpleGrid>
    </PageSection>
    <PageSection id="not-claimed" look="tinted" isSplit title="What is not claimed">
      <Stack gap="4" maxW="prose">
        {notClaimed.map((text) => (
          <Text key={text}>{text}</Text>
        ))}
        <Text>
          The <TextLink to="/privacy">privacy policy</TextLink> and the <TextLink to="/terms">terms of service</TextLink> are templates
          until the operator has completed them.
        </Text>
        <div>
          <ButtonLink to="/contact?topic=security">Ask for the agreement</ButtonLink>
        </div>
      </Stack>
    </PageSection>
  </>
);

const Built = ({ title, text, where }: Safeguard) => (
  <li>
    <Heading as="h4" size="md" mb="1">
      {title}
    </Heading>
    <Text color="fg.muted">{text}</Text>
    <Text mt="2" textStyle="sm">
      <chakra.span fontWeight="semibold">Where to see it: </chakra.span>
      {where}
    </Text>
  </li>
);

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text textStyle="sm" fontWeight="semibold">
      {name}
    </Text>
    <Text color="fg.muted">{children}</Text>
  </div>
);

export default SecurityPage;
