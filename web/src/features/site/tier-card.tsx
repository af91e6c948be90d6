import { Badge } from "@chakra-ui/react/badge";
import { Card } from "@chakra-ui/react/card";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../../components/layout/links.tsx";
import { CheckList } from "../../components/layout/page-section.tsx";
import { overage, type Tier } from "./content/pricing.ts";

export const TierCard = ({ tier: { id, name, lead, price, setup, licences, minutes, isMostPopular } }: { tier: Tier }) => {
  const isCustom = price === "Custom";
  return (
    <Card.Root
      as="article"
      aria-labelledby={`tier-${id}`}
      size="lg"
      {...(isMostPopular && { borderColor: "teal.border", boxShadow: "lg" })}
    >
      <Card.Body gap="6">
        <div>
          <chakra.div display="flex" alignItems="center" justifyContent="space-between" gap="3" minH="7">
            <Heading as="h2" id={`tier-${id}`} size="xl">
              {name}
            </Heading>
            {isMostPopular ? <Badge variant="solid">Most Popular</Badge> : null}
          </chakra.div>
          <Text color="fg.muted" mt="1">
            {lead}
          </Text>
        </div>
        <div>
          <Text>
            <chakra.span textStyle="4xl" fontWeight="semibold" letterSpacing="tight">
              {price}
            </chakra.span>
            {isCustom ? null : <chakra.span color="fg.muted"> per month</chakra.span>}
          </Text>
          <Text textStyle="sm" color="fg.muted">
            {isCustom ? "Setup on request" : `Setup ${setup}, once`}
          </Text>
        </div>
        <CheckList items={[licences, minutes, `Overage ${overage}`]} />
        <ButtonLink to={`/contact?topic=${id}`} size="lg" variant={isMostPopular ? "solid" : "outline"} mt="auto">
          {isCustom ? "Talk to us" : `Choose ${name}`}
        </ButtonLink>
      </Card.Body>
    </Card.Root>
  );
};
