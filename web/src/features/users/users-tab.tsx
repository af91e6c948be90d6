import { Button } from "@chakra-ui/react/button";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useUserList } from "./use-user-list.ts";
import { UserList } from "./user-list.tsx";

const AddUserDialog = lazy(() => import("./add-user-dialog.tsx"));
const EditUserDialog = lazy(() => import("./edit-user-dialog.tsx"));

/** Everybody who can sign in, on the platform and in its organizations. */
const UsersTab = () => {
  const list = useUserList();
  const [opened, setOpened] = useState<string>();
  const { pages } = list;
  const user = pages.data?.find(({ id }) => id === opened);
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Users"
      description="Everybody who can sign in: system administrators, and the administrators of organizations."
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

export default UsersTab;
