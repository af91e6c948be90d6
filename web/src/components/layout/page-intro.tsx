import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Text } from "@chakra-ui/react/text";
import type { ReactNode } from "react";
import { PageHeading } from "./page-heading.tsx";

type Props = {
  title: string;
  documentTitle?: string;
  /** Also the page's description for search engines. */
  lead: string;
  label?: string;
  children?: ReactNode;
};

export const PageIntro = ({ title, documentTitle = title, lead, label, children }: Props) => (
  <Box bg="bg.subtle" borderBottomWidth="1px" borderColor="border.muted">
    <meta name="description" content={lead} />
    <Container py={{ base: "12", md: "16" }}>
      {label === undefined ? null : (
        <Text as="p" textStyle="label" color="teal.fg" mb="4">
          {label}
        </Text>
      )}
      <PageHeading size={{ base: "4xl", md: "5xl" }} documentTitle={documentTitle} maxW="3xl">
        {title}
      </PageHeading>
      <Text mt="4" maxW="2xl" textStyle={{ base: "md", md: "lg" }} color="fg.muted">
        {lead}
      </Text>
      {children}
    </Container>
  </Box>
);
