import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { ActiveBadge } from "../data/badges.tsx";
import { RowList, RowListItem } from "./row-list.tsx";
import { useScrollStop } from "../../lib/dom/scroll.ts";

/** `details` that repeat the title are omitted. */
export type SummaryLine = { id: string; title: string; details: readonly string[]; isActive: boolean };

export const SummaryRow = ({ line: { title, details, isActive }, children }: { line: SummaryLine; children?: ReactNode }) => {
  const further = details.filter((detail) => detail !== title).join(" · ");
  return (
    <RowListItem>
      <chakra.div minW="0">
        <chakra.p fontWeight="semibold" overflowWrap="anywhere">
          {title}
        </chakra.p>
        {further === "" ? null : (
          <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">
            {further}
          </chakra.p>
        )}
      </chakra.div>
      <chakra.div
        display="flex"
        flexDirection={{ base: "column", sm: "row" }}
        alignItems={{ base: "flex-end", sm: "center" }}
        gap={{ base: "2", sm: "3" }}
        flexShrink="0"
      >
        <ActiveBadge isActive={isActive} />
        {children}
      </chakra.div>
    </RowListItem>
  );
};

export const SummaryRows = ({ label, lines }: { label: string; lines: readonly SummaryLine[] }) => (
  <RowList label={label}>
    {lines.map((line) => (
      <SummaryRow key={line.id} line={line} />
    ))}
  </RowList>
);

/** Scrolls, and takes the focus, only if it is higher than usual. */
export const RecentRows = ({ label, lines }: { label: string; lines: readonly SummaryLine[] }) => {
  const { frame, isStop } = useScrollStop();
  return (
    <chakra.div
      ref={frame}
      role="group"
      aria-label={label}
      maxH="32rem"
      overflowY="auto"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
      px="4"
      py="3"
      outline="0"
      focusVisibleRing="outside"
      {...(isStop && { tabIndex: 0 })}
    >
      <SummaryRows label={label} lines={lines} />
    </chakra.div>
  );
};
