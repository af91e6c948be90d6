import { Stack } from "@chakra-ui/react/stack";
import type { Tenant } from "@vitaline/contract";
import type { ReactNode } from "react";
import type { EachTenant } from "../api/use-each-tenant.ts";
import { Announcement } from "./announcement.tsx";
import { EachTenantNote } from "./each-tenant-note.tsx";
import { LoadFailure } from "./load-failure.tsx";
import { RowSkeletons } from "./row-skeletons.tsx";

type Props<Row> = {
  each: EachTenant<readonly Row[]>;
  /** What the rows are, many of them, as in "Loading {what}..." */ what: string;
  empty: ReactNode;
  /** Of those organizations that have any. */ children: (groups: readonly { tenant: Tenant; data: readonly Row[] }[]) => ReactNode;
};

/** What all organizations have of a kind, in its states: the first to come, some of it, none, or not to be read. */
export const EachTenantBody = <Row,>({ each, what, empty, children }: Props<Row>) => {
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
