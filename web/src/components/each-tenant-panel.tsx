import { Button } from "@chakra-ui/react/button";
import type { ComponentType, ReactNode, SVGProps } from "react";
import type { EachTenant } from "../api/use-each-tenant.ts";
import { Counts, type Count } from "./counts.tsx";
import { EachTenantBody } from "./each-tenant-body.tsx";
import { Empty } from "./empty.tsx";
import { newest, type OfTenant } from "./newest.ts";
import { Panel } from "./panel.tsx";
import { RecentRows, type SummaryLine } from "./recent-rows.tsx";
import type { TenantGroup } from "./tenant-group.tsx";
import { TenantGroups } from "./tenant-groups.tsx";

type Icon = ComponentType<SVGProps<SVGSVGElement>>;
type Props<Row> = {
  title: string;
  description: string;
  /** Opens what they are changed in, for no organization yet. */ button: { name: string; icon: Icon };
  each: EachTenant<Row[]>;
  /** What the rows are, many of them, as in "Loading {what}..." */ what: string;
  empty: { icon: Icon; title: string; description: string };
  counts: { label: string; leastWidth?: string; of: (rows: readonly Row[]) => Count[] };
  newestLines: (newest: readonly OfTenant<Row>[]) => SummaryLine[];
  /** As on the button of an organization's rows. */ action: string;
  onOpen: (tenantId?: string) => void;
  /** An organization's rows. */ children: (group: TenantGroup<Row>) => ReactNode;
};

/** What all organizations have of a kind: how many, the newest few, and all of it organization by organization. */
export const EachTenantPanel = <Row extends { createdAt: string }>(props: Props<Row>) => {
  const { title, description, button, each, what, empty, counts, newestLines, action, onOpen, children } = props;
  const countOf = ({ length }: readonly Row[]): string => `${length} ${length === 1 ? what.replace(/s$/, "") : what}`;
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <Button size="sm" aria-haspopup="dialog" onClick={() => onOpen()}>
          <button.icon aria-hidden />
          {button.name}
        </Button>
      }
    >
      <EachTenantBody each={each} what={what} empty={<Empty {...empty} />}>
        {(groups) => (
          <>
            <Counts
              label={counts.label}
              counts={counts.of(groups.flatMap(({ data }) => data))}
              {...(counts.leastWidth && { leastWidth: counts.leastWidth })}
            />
            <RecentRows label={`Most recent ${what}`} lines={newestLines(newest(groups))} />
            <TenantGroups
              title={`${what.charAt(0).toUpperCase()}${what.slice(1)} by organization`}
              groups={groups}
              empty={each.isLoading ? undefined : each.loaded.length - groups.length}
              {...{ countOf, action, onOpen }}
            >
              {children}
            </TenantGroups>
          </>
        )}
      </EachTenantBody>
    </Panel>
  );
};
