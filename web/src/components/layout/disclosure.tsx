import { chakra } from "@chakra-ui/react/styled-system";
import ChevronRight from "lucide-react/dist/esm/icons/chevron-right.mjs";
import type { ReactNode } from "react";

type Props = {
  title: ReactNode;
  /** Stands at the end of the title's line. */ aside?: ReactNode;
  /** Whether it is open at first. */ isOpen?: boolean;
  /** It was opened, at first or by somebody. */ onOpen?: () => void;
  children: ReactNode;
};

/** A line that opens to more; the browser's own element. */
export const Disclosure = ({ title, aside, isOpen = false, onOpen, children }: Props) => (
  <chakra.details
    open={isOpen}
    onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    css={{ "&[open] > summary svg": { transform: "rotate(90deg)" } }}
  >
    <chakra.summary
      display="flex"
      alignItems="center"
      gap="2"
      py="2"
      cursor="button"
      listStyleType="none"
      borderRadius="l1"
      focusVisibleRing="outside"
      css={{ "&::-webkit-details-marker": { display: "none" } }}
    >
      <chakra.span color="fg.muted" flexShrink="0">
        <ChevronRight width={16} height={16} aria-hidden />
      </chakra.span>
      <chakra.span flex="1" minW="0" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
        {title}
      </chakra.span>
      {aside}
    </chakra.summary>
    <chakra.div ps="6" pb="4" textStyle="sm">
      {children}
    </chakra.div>
  </chakra.details>
);
