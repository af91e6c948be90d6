import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Tenant } from "@vitaline/contract";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import type { ColumnSort } from "../../components/table/sorting.tsx";
import { organizationTypeNames } from "../../lib/format/labels.ts";
import type { SortedBy } from "./use-tenant-list.ts";

export type Opening = "view" | "edit";

type Props = {
  tenants: readonly Tenant[];
  columnSort: (name: SortedBy) => ColumnSort;
  onOpen: (tenant: Tenant, how: Opening) => void;
};

const breakable = (text: string) => <chakra.span overflowWrap="anywhere">{text}</chakra.span>;

/** The organizations of the platform, with the way to each of them. */
export const TenantTable = ({ tenants, columnSort, onOpen }: Props) => {
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
    { title: "Contact Email", cell: ({ contactEmail }) => breakable(contactEmail), sort: columnSort("email") },
    { title: "Status", cell: ({ isActive }) => <ActiveBadge isActive={isActive} />, sort: columnSort("status") },
    { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} />, sort: columnSort("created") },
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
