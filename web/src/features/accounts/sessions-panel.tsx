import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { accounts, type OpenSession } from "@vitaline/contract";
import { useState } from "react";
import { explain } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useAuth } from "../../app/auth.tsx";
import { announce } from "../../app/toaster.ts";
import { Loadable } from "../../components/loadable.tsx";
import { Modal } from "../../components/modal.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowList, RowListItem } from "../../components/row-list.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { formatMoment } from "../../format/times.ts";

const tellFailure = (error: unknown): void => announce({ type: "error", title: "Error", description: explain(error) });

const SessionRow = ({ session, onEnded }: { session: OpenSession; onEnded: () => void }) => {
  const [isBusy, setIsBusy] = useState(false);
  const device = session.userAgent ?? "Unknown device";
  const end = async () => {
    setIsBusy(true);
    try {
      await call(accounts.endSession, { params: { sessionId: session.id } });
      announce({ type: "success", title: "Signed out", description: device });
      onEnded();
    } catch (error) {
      tellFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <RowListItem>
      <Box minW="0">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {session.viewAs ? `${device}, viewing a tenant` : device}
        </Text>
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {[session.clientAddress, `last active ${formatMoment(session.lastSeen)}`].filter(Boolean).join(" · ")}
        </Text>
      </Box>
      {session.current ? (
        <Badge colorPalette="green" flexShrink="0">
          This device
        </Badge>
      ) : (
        <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || void end()}>
          {isBusy ? "Signing out..." : "Sign out"}
          <VisuallyHidden>{` ${device}`}</VisuallyHidden>
        </Button>
      )}
    </RowListItem>
  );
};

const SignOutEverywhere = () => {
  const { forget } = useAuth();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const leave = async () => {
    setIsBusy(true);
    try {
      await call(accounts.logoutEverywhere, {});
      forget();
    } catch (error) {
      tellFailure(error);
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  const close = () => setIsAsking(false);
  return (
    <>
      <Button variant="outline" mt="6" alignSelf="flex-start" onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      {isAsking ? (
        <Modal
          title="Sign out everywhere?"
          onClose={close}
          actions={
            <>
              <Button variant="outline" onClick={close}>
                Cancel
              </Button>
              <Button colorPalette="red" aria-disabled={isBusy} onClick={() => isBusy || void leave()}>
                {isBusy ? "Signing out..." : "Sign out everywhere"}
              </Button>
            </>
          }
        >
          Every device you are signed in on has to sign in again, this one included.
        </Modal>
      ) : null}
    </>
  );
};

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
