import { Box } from "@chakra-ui/react/box";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { OfficeCard } from "@vitaline/contract";
import { useState } from "react";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { type Feature, features } from "./features.ts";
import { newOffice, officeAddress } from "./use-office-place.ts";

type Of = { office: Pick<OfficeCard, "id" | "name"> | undefined };

const FeatureCard = ({ feature: { icon: Icon, title, text, action, addressOf }, office }: Of & { feature: Feature }) => (
  <chakra.li display="flex" gap="3.5">
    <Box boxSize="9" borderRadius="l2" bg="teal.subtle" color="teal.fg" display="grid" placeItems="center" flexShrink="0" aria-hidden>
      <Icon width={18} height={18} />
    </Box>
    <Box minW="0">
      <chakra.h3 fontWeight="semibold">{title}</chakra.h3>
      <chakra.p textStyle="sm" color="fg.muted" mt="0.5" mb="1.5">
        {text}
      </chakra.p>
      <TextLink textStyle="sm" fontWeight="semibold" to={office ? addressOf(office.id) : officeAddress(newOffice)}>
        {office ? action : "Add an office first"}
        <VisuallyHidden>{office ? ` at ${office.name}` : `: ${title}`}</VisuallyHidden>
      </TextLink>
    </Box>
  </chakra.li>
);

/** What an office can have of its own, each with the way to where it is set. */
export const OfficeFeatures = ({ offices }: { offices: readonly OfficeCard[] }) => {
  const [chosen, setChosen] = useState("");
  const office = offices.find(({ id }) => id === chosen) ?? offices[0];
  return (
    <Panel title="Office-Level Features" description="Each office follows your organization, except for what you set for it here.">
      {offices.length > 1 ? (
        <Box maxW="sm" mb="6">
          <ChoiceField
            label="Office"
            error={undefined}
            value={office?.id ?? ""}
            options={offices.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ target }) => setChosen(target.value)}
          />
        </Box>
      ) : null}
      <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, md: 2, lg: 3 }} columnGap="8" rowGap="6">
        {features.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} office={office} />
        ))}
      </SimpleGrid>
    </Panel>
  );
};
