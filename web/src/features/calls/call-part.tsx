import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

/** A titled part of an open call. */
export const CallPart = ({ title, children }: { title: string; children: ReactNode }) => {
  const titleId = useId();
  return (
    <chakra.section aria-labelledby={titleId} minW="0">
      <Heading as="h3" size="md" id={titleId} mb="3">
        {title}
      </Heading>
      {children}
    </chakra.section>
  );
};
