import { Card } from "@chakra-ui/react/card";
import { type ReactNode, useId } from "react";

type Props = { title: string; description?: string; children: ReactNode };

/** A titled part of a page that screen readers can jump to. */
export const Panel = ({ title, description, children }: Props) => {
  const titleId = useId();
  return (
    <Card.Root as="section" aria-labelledby={titleId}>
      <Card.Header>
        <Card.Title as="h2" id={titleId}>
          {title}
        </Card.Title>
        {description === undefined ? null : <Card.Description>{description}</Card.Description>}
      </Card.Header>
      <Card.Body>{children}</Card.Body>
    </Card.Root>
  );
};
