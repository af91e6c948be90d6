import { Card } from "@chakra-ui/react/card";
import { Link } from "@chakra-ui/react/link";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { usePublicConfig } from "../../lib/api/public-config.ts";
import { supportHours } from "./content/support.ts";

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <chakra.div display="flex" justifyContent="space-between" gap="4" flexWrap="wrap">
    <chakra.dt color="fg.muted">{name}</chakra.dt>
    <chakra.dd fontWeight="semibold" overflowWrap="anywhere">
      {children}
    </chakra.dd>
  </chakra.div>
);

/** How else to reach the people behind the platform. The last lines come with this installation's settings. */
export const ContactDetails = () => {
  const { email, phone } = usePublicConfig()?.support ?? {};
  return (
    <Card.Root as="section" aria-labelledby="contact-information">
      <Card.Header>
        <Card.Title as="h2" id="contact-information">
          Contact information
        </Card.Title>
        <Card.Description>Support hours, EST (US Eastern)</Card.Description>
      </Card.Header>
      <Card.Body>
        <chakra.dl display="grid" gap="2.5" minH="9rem" alignContent="start">
          {supportHours.map(({ days, hours }) => (
            <Line key={days} name={days}>
              {hours}
            </Line>
          ))}
          {email ? (
            <Line name="Email">
              <Link href={`mailto:${email}`}>{email}</Link>
            </Line>
          ) : null}
          {phone ? (
            <Line name="Phone">
              <Link href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{phone}</Link>
            </Line>
          ) : null}
        </chakra.dl>
      </Card.Body>
    </Card.Root>
  );
};
