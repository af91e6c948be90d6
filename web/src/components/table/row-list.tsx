import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

/** Of the app's density; the public site has but one. */
export const rowSpace = "var(--vl-spacing-row, 0.75rem)";

export const RowList = ({ label, children }: { label: string; children: ReactNode }) => (
  <chakra.ul listStyleType="none" aria-label={label} my={`calc(${rowSpace} * -1)`}>
    {children}
  </chakra.ul>
);

export const RowListItem = ({ children }: { children: ReactNode }) => (
  <chakra.li
    display="flex"
    alignItems="center"
    justifyContent="space-between"
    gap="3"
    py={rowSpace}
    borderColor="border.muted"
    _notFirst={{ borderTopWidth: "1px" }}
  >
    {children}
  </chakra.li>
);
