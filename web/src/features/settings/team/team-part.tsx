import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { team, type User } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { BreakableEmail, DateTime } from "../../../components/data/text.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { usePages } from "../../../lib/api/use-pages.ts";
import { useAuth } from "../../../lib/session/auth.tsx";
import { accessNames } from "../../../lib/session/may.ts";
import { isLocked, isOnlyInvited, nameOf } from "../../users/user-status.tsx";
import { AccessTable } from "./access-table.tsx";

const InviteDialog = lazy(() => import("./invite-dialog.tsx"));
const ColleagueDialog = lazy(() => import("./colleague-dialog.tsx"));

const TeamPart = () => {
  const pages = usePages(team.listTeam, {});
  const [isInviting, setIsInviting] = useState(false);
  const [opened, setOpened] = useState<User>();
  // A list that is read again loses its further pages, and the colleague with them.
  const colleague = pages.data?.find(({ id }) => id === opened?.id) ?? opened;
  const change = (now: User) => {
    setOpened((before) => (before?.id === now.id ? now : before));
    pages.replace(now);
  };
  return (
    <Stack gap="5">
      <Panel
        title="Team"
        description="Everyone who can sign in for your organization. Each change is in the audit log."
        actions={
          <Button size="sm" aria-haspopup="dialog" onClick={() => setIsInviting(true)}>
            <Plus aria-hidden />
            Invite Colleague
          </Button>
        }
      >
        <Loadable loaded={pages} what="the team" skeleton={<RowSkeletons />}>
          {(rows: User[]) => (
            <>
              <TeamTable rows={rows} onEdit={setOpened} />
              <LoadMore pages={pages} what="colleagues" />
            </>
          )}
        </Loadable>
      </Panel>
      <AccessTable />
      <Suspense fallback={null}>
        {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
        {colleague ? (
          <ColleagueDialog key={colleague.id} colleague={colleague} onChanged={change} onClose={() => setOpened(undefined)} />
        ) : null}
      </Suspense>
    </Stack>
  );
};

const TeamTable = ({ rows, onEdit }: { rows: readonly User[]; onEdit: (user: User) => void }) => {
  const { user: oneself } = useAuth();
  const columns: readonly Column<User>[] = [
    {
      title: "Name",
      cell: (user) => (
        <div>
          <chakra.span fontWeight="medium">{nameOf(user)}</chakra.span>
          {user.id === oneself?.id ? <chakra.span color="fg.muted">{" (you)"}</chakra.span> : null}
          <chakra.p color="fg.muted">
            <BreakableEmail email={user.email} />
          </chakra.p>
        </div>
      ),
    },
    { title: "Access", cell: ({ access = "administrator" }) => accessNames[access] },
    { title: "Status", cell: (user) => <Status user={user} /> },
    { title: "Second factor", cell: ({ hasTotp }) => (hasTotp ? "On" : "Off") },
    { title: "Last sign-in", cell: ({ lastLogin }) => (lastLogin === null ? "Never" : <DateTime at={lastLogin} />) },
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
  return <DataTable caption="Team" columns={columns} rows={rows} keyOf={({ id }) => id} />;
};

const statusOf = (user: User): [palette: string, label: string] => {
  if (!user.isActive) return ["gray", "Removed"];
  if (isLocked(user)) return ["orange", "Locked"];
  return isOnlyInvited(user) ? ["blue", "Invited"] : ["green", "Active"];
};

const Status = ({ user }: { user: User }) => {
  const [palette, label] = statusOf(user);
  return (
    <Badge colorPalette={palette} flexShrink="0">
      {label}
    </Badge>
  );
};

export default TeamPart;
