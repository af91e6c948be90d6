import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useState } from "react";
import type { Tenant } from "@vitaline/contract";
import { useIsTooWide } from "../../lib/dom/scroll.ts";

const shown = 5;

export type OfTenant<Row> = { tenant: Tenant; row: Row };

/** The newest rows of all tenants. */
export const newest = <Row extends { createdAt: string }>(groups: readonly { tenant: Tenant; data: readonly Row[] }[]): OfTenant<Row>[] =>
  groups
    .flatMap(({ tenant, data }) => data.map((row) => ({ tenant, row })))
    .toSorted((a, b) => b.row.createdAt.localeCompare(a.row.createdAt))
    .slice(0, shown);

type Props = {
  label: string;
  count: number;
  /** A CSS length: the height of the collapsed list. */
  maxH?: string;
  children: ReactNode;
};

/** Rows that do not fit wrap into a hidden second column, so that only whole rows are visible. */
const wholeRows = { display: "flex", flexDirection: "column", flexWrap: "wrap", "& > li": { w: "full" } } as const;

/** Shows as many whole rows as fit, and all of them on request. */
export const LatestRows = ({ label, count, maxH = "15rem", children }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { frame, isTooWide } = useIsTooWide();
  return (
    <div>
      <chakra.div ref={frame} overflow="hidden">
        <chakra.ul listStyleType="none" aria-label={label} css={isOpen ? {} : { ...wholeRows, maxH }}>
          {children}
        </chakra.ul>
      </chakra.div>
      {isOpen || isTooWide ? (
        <Button size="sm" variant="outline" mt="3" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Show the latest only" : `Show all ${count}`}
        </Button>
      ) : null}
    </div>
  );
};
