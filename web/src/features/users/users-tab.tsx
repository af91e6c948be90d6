import { Button } from "@chakra-ui/react/button";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { Flex } from "@chakra-ui/react/flex";
import type { User } from "@vitaline/contract";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { type SortedBy, useUserList } from "./use-user-list.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore, useIncrementalList } from "../../components/table/load-more.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { type ColumnSort, SortPicker } from "../../components/table/sorting.tsx";
import { accessNames } from "../../lib/session/may.ts";
import { roleNames } from "../../lib/session/areas.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { BreakableEmail, DateTime } from "../../components/data/text.tsx";
import { nameOf, pendingStep, StatusBadge } from "./user-status.tsx";

const AddUserDialog = lazy(() => import("./add-user-dialog.tsx"));
const EditUserDialog = lazy(() => import("./edit-user-dialog.tsx"));

const UsersTab = () => {
  const list = useUserList();
  const [opened, setOpened] = useState<string>();
  const { pages } = list;
  const user = pages.data?.find(({ id }) => id === opened);
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Users"
      description="All users who can sign in: system administrators and the administrators of organizations."
      actions={
        <Button size="sm" aria-haspopup="dialog" onClick={() => setOpened("new")}>
          <Plus aria-hidden />
          Add User
        </Button>
      }
    >
      <Loadable loaded={pages} what="users" failed="Error loading users: Failed to fetch users" skeleton={<RowSkeletons />}>
        {() => <UserList list={list} onEdit={({ id }) => setOpened(id)} />}
      </Loadable>
      <Suspense fallback={null}>
        {opened === "new" ? <AddUserDialog onClose={close} /> : null}
        {user ? <EditUserDialog key={user.id} user={user} onChanged={pages.replace} onClose={close} /> : null}
      </Suspense>
    </Panel>
  );
};

type Props = { list: ReturnType<typeof useUserList>; onEdit: (user: User) => void };

const titles: Record<SortedBy, string> = {
  email: "Email",
  name: "Name",
  role: "Role",
  tenant: "Tenant",
  status: "Status",
  "last-login": "Last Login",
  created: "Created",
};

const UserList = ({ list: { pages, found, typed, isSearch, search, columnSort, picker }, onEdit }: Props) => {
  const shown = useIncrementalList(found, pages);
  return (
    <>
      <Flex gap="3" wrap="wrap" mb="4">
        <SearchField label="Search users" placeholder="Search by email, name or organization" value={typed} onSearch={search} />
        <SortPicker {...picker} ownOrder="Oldest first" titles={titles} />
      </Flex>
      {found.length === 0 && isSearch && !pages.hasMore ? (
        <Empty icon={SearchX} title="No users found" description="No user's email, name or organization contains all of these words.">
          <Button size="sm" variant="outline" onClick={() => search("")}>
            Clear search
          </Button>
        </Empty>
      ) : (
        <>
          <UserTable users={shown.data} columnSort={columnSort} onEdit={onEdit} />
          <LoadMore pages={shown} what="users" />
        </>
      )}
    </>
  );
};

type UserTableProps = { users: readonly User[]; columnSort: (name: SortedBy) => ColumnSort; onEdit: (user: User) => void };

const UserTable = ({ users, columnSort, onEdit }: UserTableProps) => {
  const columns: Column<User>[] = [
    { title: "Email", cell: ({ email }) => <BreakableEmail email={email} />, sort: columnSort("email") },
    {
      title: "Name",
      cell: ({ firstName, lastName }) => breakable(`${firstName} ${lastName}`.trim() || "Not set"),
      sort: columnSort("name"),
    },
    {
      title: "Role",
      cell: ({ role, access }) => (
        <chakra.span whiteSpace="nowrap">
          {access === undefined ? roleNames[role] : `${roleNames[role]} · ${accessNames[access]}`}
        </chakra.span>
      ),
      sort: columnSort("role"),
    },
    {
      title: "Tenant",
      cell: ({ role, tenantName }) => (role === "tenant_admin" ? breakable(tenantName ?? "Unknown") : null),
      sort: columnSort("tenant"),
    },
    { title: "Status", cell: (user) => <Status user={user} />, sort: columnSort("status") },
    {
      title: "Last Login",
      cell: ({ lastLogin }) => (lastLogin === null ? "Never" : <DateTime at={lastLogin} />),
      sort: columnSort("last-login"),
    },
    { title: "Created", cell: ({ createdAt }) => <DateTime at={createdAt} />, sort: columnSort("created") },
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

const breakable = (text: string) => <chakra.span overflowWrap="anywhere">{text}</chakra.span>;

const Status = ({ user }: { user: User }) => {
  const pending = pendingStep(user);
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

export default UsersTab;
