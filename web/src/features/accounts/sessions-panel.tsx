import { accounts, type OpenSession } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { call } from "../../lib/api/call.ts";
import { useAction, useInlineAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

export const SessionsPanel = () => {
  const loaded = useApi(accounts.listSessions, {});
  return (
    <Panel title="My sessions" description="Where you are signed in. If you do not recognize one, end it and change your password.">
      <Loadable loaded={loaded} what="sessions" skeleton={<RowSkeletons />}>
        {(sessions) => (
          <RowList label="My sessions">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={loaded.refresh} />
            ))}
          </RowList>
        )}
      </Loadable>
      <LogOutEverywhere />
    </Panel>
  );
};

const SessionRow = ({ session, onEnded }: { session: OpenSession; onEnded: () => void }) => {
  const device = session.userAgent ?? "Unknown device";
  const zone = useZone();
  const { run, isBusy } = useAction(async () => {
    await call(accounts.endSession, { params: { sessionId: session.id } });
    announce({ type: "success", title: "Logged out", description: device });
    onEnded();
  });
  return (
    <RowListItem>
      <Box minW="0">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {session.viewAs ? `${device}, viewing a tenant` : device}
        </Text>
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {[session.clientAddress, `last active ${formatMoment(session.lastSeen, zone)}`].filter(Boolean).join(" · ")}
        </Text>
      </Box>
      {session.current ? (
        <Badge colorPalette="green" flexShrink="0">
          This device
        </Badge>
      ) : (
        <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
          {isBusy ? "Logging out..." : "Log out"}
          <VisuallyHidden>{` ${device}`}</VisuallyHidden>
        </Button>
      )}
    </RowListItem>
  );
};

const LogOutEverywhere = () => {
  const { forget } = useAuth();
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure } = useInlineAction(async () => {
    await call(accounts.logoutEverywhere, {});
    forget();
  });
  return (
    <>
      <Button variant="outline" mt="6" alignSelf="flex-start" onClick={() => setIsAsking(true)}>
        Log out everywhere
      </Button>
      {isAsking ? (
        <Confirmation
          title="Log out everywhere?"
          action="Log out everywhere"
          busyAction="Logging out..."
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onConfirm={() => run()}
          onCancel={() => setIsAsking(false)}
        >
          Every device you are signed in on has to sign in again, this one included.
        </Confirmation>
      ) : null}
    </>
  );
};
