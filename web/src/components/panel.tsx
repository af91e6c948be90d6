import { Card } from "@chakra-ui/react/card";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

type Props = {
  title: string;
  /** Beside the title: what waits, in a word. */ badge?: ReactNode;
  description?: string;
  /** Buttons beside the title. */ actions?: ReactNode;
  children: ReactNode;
};

/** A titled part of a page that screen readers can jump to. */
export const Panel = ({ title, badge, description, actions, children }: Props) => {
  const titleId = useId();
  return (
    <Card.Root as="section" aria-labelledby={titleId}>
      <Card.Header>
        <Flex justify="space-between" align={description === undefined ? "center" : "flex-start"} wrap="wrap" columnGap="4" rowGap="3">
          <chakra.div flex="1 1 10rem" minW="0">
            <Flex align="center" wrap="wrap" columnGap="3" rowGap="1">
              <Card.Title as="h2" id={titleId}>
                {title}
              </Card.Title>
              {badge}
            </Flex>
            {description === undefined ? null : <Card.Description mt="1">{description}</Card.Description>}
          </chakra.div>
          {actions === undefined ? null : (
            <Flex gap="2" wrap="wrap">
              {actions}
            </Flex>
          )}
        </Flex>
      </Card.Header>
      <Card.Body>{children}</Card.Body>
    </Card.Root>
  );
};
