import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { ActiveBadge } from "../data/badges.tsx";
import { RowList, RowListItem } from "./row-list.tsx";
import { useScrollStop } from "../../lib/dom/scroll.ts";

/** What a line of a summary says: what it is, then of what kind and whose. What says the title again is left out. */
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

/** The few newest of many, whole; only what is larger than usual scrolls by itself, and the keyboard reaches it for that. */
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
