import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { accounts, type OpenSession } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { RowListItem } from "../../components/table/row-list.tsx";
import { formatMoment } from "../../lib/format/times.ts";

/** One place where one is signed in, and the way to end that. */
export const SessionRow = ({ session, onEnded }: { session: OpenSession; onEnded: () => void }) => {
  const device = session.userAgent ?? "Unknown device";
  const { run, isBusy } = useAction(async () => {
    await call(accounts.endSession, { params: { sessionId: session.id } });
    announce({ type: "success", title: "Signed out", description: device });
    onEnded();
  });
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
        <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
          {isBusy ? "Signing out..." : "Sign out"}
          <VisuallyHidden>{` ${device}`}</VisuallyHidden>
        </Button>
      )}
    </RowListItem>
  );
};
