import { chakra } from "@chakra-ui/react/styled-system";
import ChevronRight from "lucide-react/dist/esm/icons/chevron-right.mjs";
import type { ReactNode } from "react";

type Props = {
  title: ReactNode;
  /** Shown at the end of the title's line. */
  aside?: ReactNode;
  /** Initially open. */
  isOpen?: boolean;
  /** Also called if it is initially open. */
  onOpen?: () => void;
  children: ReactNode;
};

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
