import { Box } from "@chakra-ui/react/box";
import { Container } from "@chakra-ui/react/container";
import { Heading } from "@chakra-ui/react/heading";
import { Text } from "@chakra-ui/react/text";
import type { ReactNode } from "react";
import { chakra } from "@chakra-ui/react/styled-system";
import Check from "lucide-react/dist/esm/icons/check.mjs";

export const CheckList = ({ items }: { items: readonly string[] }) => (
  <chakra.ul listStyleType="none" display="grid" gap="3">
    {items.map((item) => (
      <chakra.li key={item} display="flex" gap="3">
        <chakra.span color="teal.fg" mt="1" flexShrink="0">
          <Check width={18} height={18} aria-hidden />
        </chakra.span>
        {item}
      </chakra.li>
    ))}
  </chakra.ul>
);

const looks = {
  plain: {},
  tinted: { bg: "bg.subtle", borderYWidth: "1px", borderColor: "border.muted" },
  /** The class applies the dark tokens in both color modes. */
  ink: { className: "dark", bg: "blue.950", color: "fg" },
};

type Props = {
  id: string;
  title: string;
  lead?: string;
  look?: keyof typeof looks;
  /** On a wide screen the title stands beside the content. */
  isSplit?: boolean;
  children: ReactNode;
};

const split = { display: { lg: "grid" }, gridTemplateColumns: { lg: "minmax(0, 2fr) minmax(0, 3fr)" }, columnGap: "16" };

export const PageSection = ({ id, title, lead, look = "plain", isSplit = false, children }: Props) => (
  <Box as="section" aria-labelledby={id} {...looks[look]}>
    <Container py={{ base: "14", md: "20" }} {...(isSplit && split)}>
      <Box mb={{ base: "8", ...(isSplit ? { lg: "0" } : { md: "10" }) }}>
        <Heading as="h2" id={id} size={{ base: "2xl", md: "3xl" }} maxW="3xl">
          {title}
        </Heading>
        {lead === undefined ? null : (
          <Text mt="3" maxW="2xl" color="fg.muted" textStyle={{ base: "md", md: "lg" }}>
            {lead}
          </Text>
        )}
      </Box>
      <Box>{children}</Box>
    </Container>
  </Box>
);
