import { accounts } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList } from "../../components/table/row-list.tsx";
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
