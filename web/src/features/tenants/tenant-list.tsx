import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import type { Tenant } from "@vitaline/contract";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore, useIncrementalList } from "../../components/table/load-more.tsx";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { type ColumnSort, SortPicker } from "../../components/table/sorting.tsx";
import type { Opening } from "./tenant-route.ts";
import type { SortedBy, useTenantList } from "./use-tenant-list.ts";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { BreakableEmail, DateTime } from "../../components/data/text.tsx";
import { organizationTypeNames } from "../../lib/format/labels.ts";

type List = ReturnType<typeof useTenantList>;
type Props = { list: List; onOpen: (tenant: Tenant, how: Opening) => void };

export const TenantList = ({ list, onOpen }: Props) => {
  const { pages, found, isNarrowed, clear, columnSort } = list;
  const shown = useIncrementalList(found, pages);
  const isNothingFound = found.length === 0 && isNarrowed && !pages.hasMore;
  return (
    <>
      <Filters list={list} />
      {isNothingFound ? (
        <Empty icon={SearchX} title="No matching tenants" description="No organization matches these words and this status.">
          <Button size="sm" variant="outline" onClick={clear}>
            Clear search
          </Button>
        </Empty>
      ) : (
        <>
          <TenantTable tenants={shown.data} columnSort={columnSort} onOpen={onOpen} />
          <LoadMore pages={shown} what="tenants" />
        </>
      )}
    </>
  );
};

const statuses = [
  ["", "All statuses"],
  ["active", "Active"],
  ["inactive", "Inactive"],
] as const;

const titles: Record<SortedBy, string> = { name: "Name", type: "Type", email: "Contact Email", status: "Status", created: "Created" };

const Filters = ({ list: { typed, status, search, pickStatus, picker } }: { list: List }) => (
  <Flex gap="3" wrap="wrap" mb="4">
    <SearchField label="Search tenants" placeholder="Search by name, type or contact email" value={typed} onSearch={search} />
    <InlineSelect label="Status" value={status ?? ""} options={statuses} onPick={pickStatus} />
    <SortPicker {...picker} ownOrder="Oldest first" titles={titles} />
  </Flex>
);

type TenantTableProps = {
  tenants: readonly Tenant[];
  columnSort: (name: SortedBy) => ColumnSort;
  onOpen: (tenant: Tenant, how: Opening) => void;
};

const TenantTable = ({ tenants, columnSort, onOpen }: TenantTableProps) => {
  const action = (tenant: Tenant, how: Opening, label: string) => (
    <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onOpen(tenant, how)}>
      {label}
      <VisuallyHidden>{` ${tenant.name}`}</VisuallyHidden>
    </Button>
  );
  const columns: Column<Tenant>[] = [
    { title: "Name", cell: ({ name }) => breakable(name), sort: columnSort("name") },
    {
      title: "Type",
      cell: ({ organizationType }) => <chakra.span whiteSpace="nowrap">{organizationTypeNames[organizationType]}</chakra.span>,
      sort: columnSort("type"),
    },
    { title: "Contact Email", cell: ({ contactEmail }) => <BreakableEmail email={contactEmail} />, sort: columnSort("email") },
    { title: "Status", cell: ({ isActive }) => <ActiveBadge isActive={isActive} />, sort: columnSort("status") },
    { title: "Created", cell: ({ createdAt }) => <DateTime at={createdAt} />, sort: columnSort("created") },
    {
      title: "Actions",
      isNumeric: true,
      cell: (tenant) => (
        <Flex gap="2" justify="flex-end">
          {action(tenant, "view", "View")}
          {action(tenant, "edit", "Edit")}
        </Flex>
      ),
    },
  ];
  return <DataTable caption="Tenants" columns={columns} rows={tenants} keyOf={({ id }) => id} />;
};

const breakable = (text: string) => <chakra.span overflowWrap="anywhere">{text}</chakra.span>;
