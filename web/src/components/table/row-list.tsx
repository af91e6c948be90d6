import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export const RowList = ({ label, children }: { label: string; children: ReactNode }) => (
  <chakra.ul listStyleType="none" aria-label={label} my="-3">
    {children}
  </chakra.ul>
);

export const RowListItem = ({ children }: { children: ReactNode }) => (
  <chakra.li
    display="flex"
    alignItems="center"
    justifyContent="space-between"
    gap="3"
    py="3"
    borderColor="border.muted"
    _notFirst={{ borderTopWidth: "1px" }}
  >
    {children}
  </chakra.li>
);
