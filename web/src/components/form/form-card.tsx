import { Card } from "@chakra-ui/react/card";
import { Text } from "@chakra-ui/react/text";
import type { ReactNode } from "react";
import { PageHeading } from "../layout/page-heading.tsx";

type Props = {
  title: string;
  lead: string;
  /** The card replaces another one at the same address. */
  isStep?: boolean;
  children: ReactNode;
};

/** A page of one card about an account. Search engines are told to skip it. */
export const FormCard = ({ title, lead, isStep = false, children }: Props) => (
  <Card.Root size="lg">
    <meta name="robots" content="noindex" />
    <Card.Body gap="6">
      <div>
        <PageHeading size="2xl" isStep={isStep}>
          {title}
        </PageHeading>
        <Text color="fg.muted" mt="1">
          {lead}
        </Text>
      </div>
      {children}
    </Card.Body>
  </Card.Root>
);
