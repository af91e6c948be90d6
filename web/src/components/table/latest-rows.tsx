import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useState } from "react";
import type { Tenant } from "@vitaline/contract";
import { useIsTooWide } from "../../lib/dom/scroll.ts";

const shown = 5;

export type OfTenant<Row> = { tenant: Tenant; row: Row };

/** The newest few of what all organizations have, each with its organization. */
export const newest = <Row extends { createdAt: string }>(groups: readonly { tenant: Tenant; data: readonly Row[] }[]): OfTenant<Row>[] =>
  groups
    .flatMap(({ tenant, data }) => data.map((row) => ({ tenant, row })))
    .toSorted((a, b) => b.row.createdAt.localeCompare(a.row.createdAt))
    .slice(0, shown);

type Props = {
  label: string;
  /** How many there are. */ count: number;
  /** Of what is shown at first, as a length of CSS. */ maxH?: string;
  children: ReactNode;
};

/** Rows that do not fit below the others wrap into a second column, which lies beyond the edge: what is in sight is whole. */
const wholeRows = { display: "flex", flexDirection: "column", flexWrap: "wrap", "& > li": { w: "full" } } as const;

/** The latest few of a list, so many whole rows as fit, and all of them when asked for. */
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
