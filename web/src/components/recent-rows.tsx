import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { ActiveBadge } from "./active-badge.tsx";
import { RowList, RowListItem } from "./row-list.tsx";

/** What a line of a summary says: what it is, then of what kind and whose. */
export type SummaryLine = { id: string; title: string; details: readonly string[]; isActive: boolean };

export const SummaryRow = ({ line: { title, details, isActive }, children }: { line: SummaryLine; children?: ReactNode }) => (
  <RowListItem>
    <chakra.div minW="0">
      <chakra.p fontWeight="semibold" overflowWrap="anywhere">
        {title}
      </chakra.p>
      <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {details.join(" · ")}
      </chakra.p>
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

/** The few newest of many, in a frame that scrolls by itself; the keyboard reaches it for that. */
export const RecentRows = ({ label, lines }: { label: string; lines: readonly SummaryLine[] }) => (
  <chakra.div
    role="group"
    aria-label={label}
    tabIndex={0}
    maxH="15rem"
    overflowY="auto"
    borderWidth="1px"
    borderColor="border"
    borderRadius="l2"
    px="4"
    py="3"
    outline="0"
    focusVisibleRing="outside"
  >
    <RowList label={label}>
      {lines.map((line) => (
        <SummaryRow key={line.id} line={line} />
      ))}
    </RowList>
  </chakra.div>
);
