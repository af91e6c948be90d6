import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

type Props = { label: string; /** As a length of CSS. */ maxH?: string; children: ReactNode };

/** The latest few of something: a list that scrolls by itself, which the keyboard reaches for that. */
export const ScrollList = ({ label, maxH = "15rem", children }: Props) => (
  <chakra.div
    role="region"
    aria-label={label}
    tabIndex={0}
    maxH={maxH}
    overflowY="auto"
    outline="0"
    focusVisibleRing="outside"
    borderRadius="l1"
    pe="2"
  >
    <chakra.ul listStyleType="none" aria-label={label}>
      {children}
    </chakra.ul>
  </chakra.div>
);
