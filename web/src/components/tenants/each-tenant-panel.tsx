import { Button } from "@chakra-ui/react/button";
import type { ComponentType, ReactNode, SVGProps } from "react";
import { Stack } from "@chakra-ui/react/stack";
import type { Tenant } from "@vitaline/contract";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { EachTenant } from "../../lib/api/use-each-tenant.ts";
import { type Count, StatList } from "../data/stat-card.tsx";
import { Empty } from "../feedback/empty.tsx";
import { newest, type OfTenant } from "../table/latest-rows.tsx";
import { Panel } from "../layout/panel.tsx";
import { RecentRows, type SummaryLine } from "../table/recent-rows.tsx";
import { type TenantGroup, TenantGroups } from "./tenant-groups.tsx";
import { Announcement } from "../feedback/alerts.tsx";
import { LoadFailure, RowSkeletons } from "../feedback/loadable.tsx";
import { formatCount } from "../../lib/format/numbers.ts";

type EachTenantNoteProps = {
  each: Pick<EachTenant<unknown>, "tenants" | "loaded" | "skipped" | "isLoading" | "isRefreshing" | "refresh">;
  /** As in "Failed to load {what} of". */
  what: string;
};

const named = 3;

/** "a, b, c and 4 more" */
const joinNames = (names: readonly string[]): string =>
  names.length > named ? `${names.slice(0, named).join(", ")} and ${names.length - named} more` : names.join(", ");

/** Shows the number of loaded tenants and the tenants that failed to load. */
const EachTenantNote = ({ each: { tenants, loaded, skipped, isLoading, isRefreshing, refresh }, what }: EachTenantNoteProps) =>
  isLoading || skipped.length > 0 ? (
    <Flex align="center" gap="3" wrap="wrap" textStyle="sm" color="fg.muted">
      <chakra.output>
        {tenants.data ? `${formatCount(loaded.length)} of ${formatCount(tenants.data.length)} organizations loaded` : ""}
      </chakra.output>
      {skipped.length === 0 ? null : (
        <>
          <chakra.span role="alert" color="fg.error" overflowWrap="anywhere">
            {`Failed to load ${what} of ${joinNames(skipped.map(({ name }) => name))}.`}
          </chakra.span>
          <Button size="sm" variant="outline" aria-disabled={isRefreshing} onClick={() => isRefreshing || refresh()}>
            {isRefreshing ? "Retrying..." : "Retry"}
          </Button>
        </>
      )}
    </Flex>
  ) : null;

type EachTenantBodyProps<Row> = {
  each: EachTenant<readonly Row[]>;
  /** The plural of the rows, as in "Loading {what}..." */
  what: string;
  empty: ReactNode;
  children: (groups: readonly { tenant: Tenant; data: readonly Row[] }[]) => ReactNode;
};

const EachTenantBody = <Row,>({ each, what, empty, children }: EachTenantBodyProps<Row>) => {
  const { tenants, loaded, skipped, isLoading } = each;
  const groups = loaded.filter(({ data }) => data.length > 0);
  if (!tenants.data && tenants.error !== undefined)
    return (
      <LoadFailure
        what={what}
        title={`Failed to fetch ${what}`}
        error={tenants.error}
        onRetry={tenants.refresh}
        isRetrying={tenants.isRefreshing}
      />
    );
  return (
    <Stack gap="5">
      {isLoading ? <Announcement text={`Loading ${what}...`} /> : null}
      {groups.length > 0 ? children(groups) : isLoading ? <RowSkeletons /> : skipped.length > 0 ? null : empty}
      <EachTenantNote each={each} what={what} />
    </Stack>
  );
};

type Icon = ComponentType<SVGProps<SVGSVGElement>>;
type Props<Row> = {
  title: string;
  description: string;
  button: { name: string; icon: Icon };
  each: EachTenant<Row[]>;
  /** The plural of the rows, as in "Loading {what}..." */
  what: string;
  empty: { icon: Icon; title: string; description: string };
  counts: { label: string; leastWidth?: string; of: (rows: readonly Row[]) => Count[] };
  newestLines: (newest: readonly OfTenant<Row>[]) => SummaryLine[];
  action: string;
  onOpen: (tenantId?: string) => void;
  children: (group: TenantGroup<Row>) => ReactNode;
};

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
            <StatList
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
