import { Box } from "@chakra-ui/react/box";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { OfficeCard } from "@vitaline/contract";
import { type ComponentType, type SVGProps, useState } from "react";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Clock from "lucide-react/dist/esm/icons/clock.mjs";
import Database from "lucide-react/dist/esm/icons/database.mjs";
import MessageSquareText from "lucide-react/dist/esm/icons/message-square-text.mjs";
import PhoneForwarded from "lucide-react/dist/esm/icons/phone-forwarded.mjs";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { analyticsAddress, newOffice, officeAddress, type OfficePart } from "./office-route.ts";

type Feature = {
  title: string;
  text: string;
  action: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  addressOf: (officeId: string) => string;
};

const at = (part: OfficePart) => (officeId: string) => officeAddress(officeId, part);

const features: readonly Feature[] = [
  {
    title: "Individual voice agents",
    text: "Voice agents that answer calls for this office only.",
    action: "Assign voice agents",
    icon: Bot,
    addressOf: at("agents"),
  },
  {
    title: "Location-specific FHIR",
    text: "Its own record system instead of the organization's.",
    action: "Choose the record system",
    icon: Database,
    addressOf: at("record-system"),
  },
  {
    title: "Business hours override",
    text: "Its own hours for each day, with breaks and closed days.",
    action: "Set business hours",
    icon: Clock,
    addressOf: at("hours"),
  },
  {
    title: "Staff routing",
    text: "Who callers are transferred to, by reason and on-duty hours.",
    action: "Set staff routing",
    icon: PhoneForwarded,
    addressOf: at("routing"),
  },
  {
    title: "Local analytics",
    text: "Calls, outcomes and tools for this office only.",
    action: "See analytics",
    icon: ChartColumn,
    addressOf: analyticsAddress,
  },
  {
    title: "Template overrides",
    text: "Its own confirmation, reminder and follow-up texts for patients.",
    action: "Write message texts",
    icon: MessageSquareText,
    addressOf: at("messages"),
  },
];

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
