import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

/** A titled part of the dialog. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const titleId = useId();
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      <Stack gap="3" align="flex-start" textStyle="sm">
        {children}
      </Stack>
    </chakra.section>
  );
};
