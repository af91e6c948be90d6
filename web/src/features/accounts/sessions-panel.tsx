import { accounts } from "@vitaline/contract";
import { useApi } from "../../api/use-api.ts";
import { Loadable } from "../../components/loadable.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowList } from "../../components/row-list.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { SessionRow } from "./session-row.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

/** Where one is signed in, and the way to end it. */
export const SessionsPanel = () => {
  const loaded = useApi(accounts.listSessions, {});
  return (
    <Panel title="My sessions" description="Where you are signed in. End what you do not know, and change your password.">
      <Loadable loaded={loaded} what="sessions" skeleton={<RowSkeletons />}>
        {(sessions) => (
          <RowList label="My sessions">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={loaded.refresh} />
            ))}
          </RowList>
        )}
      </Loadable>
      <SignOutEverywhere />
    </Panel>
  );
};
