import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { User } from "@vitaline/contract";
import { roleNames } from "../../lib/session/areas.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import type { ColumnSort } from "../../components/table/sorting.tsx";
import { StatusBadge } from "./status-badge.tsx";
import type { SortedBy } from "./use-user-list.ts";
import { nameOf, pendingOf } from "./user-words.ts";

type Props = { users: readonly User[]; columnSort: (name: SortedBy) => ColumnSort; onEdit: (user: User) => void };

const Status = ({ user }: { user: User }) => {
  const pending = pendingOf(user);
  return (
    <div>
      <StatusBadge user={user} />
      {pending === undefined ? null : (
        <chakra.p textStyle="xs" color="fg.muted" mt="1">
          {pending}
        </chakra.p>
      )}
    </div>
  );
};

const breakable = (text: string) => <chakra.span overflowWrap="anywhere">{text}</chakra.span>;

/** The users of the platform, with the way to each of them. */
export const UserTable = ({ users, columnSort, onEdit }: Props) => {
  const columns: Column<User>[] = [
    { title: "Email", cell: ({ email }) => breakable(email), sort: columnSort("email") },
    {
      title: "Name",
      cell: ({ firstName, lastName }) => breakable(`${firstName} ${lastName}`.trim() || "Not set"),
      sort: columnSort("name"),
    },
    { title: "Role", cell: ({ role }) => <chakra.span whiteSpace="nowrap">{roleNames[role]}</chakra.span>, sort: columnSort("role") },
    {
      title: "Tenant",
      cell: ({ role, tenantName }) => (role === "tenant_admin" ? breakable(tenantName ?? "Unknown") : null),
      sort: columnSort("tenant"),
    },
    { title: "Status", cell: (user) => <Status user={user} />, sort: columnSort("status") },
    {
      title: "Last Login",
      cell: ({ lastLogin }) => (lastLogin === null ? "Never" : <Moment at={lastLogin} />),
      sort: columnSort("last-login"),
    },
    { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} />, sort: columnSort("created") },
    {
      title: "Actions",
      isNumeric: true,
      cell: (user) => (
        <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onEdit(user)}>
          Edit
          <VisuallyHidden>{` ${nameOf(user)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Users" columns={columns} rows={users} keyOf={({ id }) => id} />;
};
