import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type KeptEvent, keptEvents } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { Moment } from "../../components/data/text.tsx";

const Replay = ({ tenantId, id, onReplayed }: { tenantId: string; id: string; onReplayed: (event: KeptEvent) => void }) => {
  const { run, isBusy } = useAction(async () => {
    onReplayed(await call(keptEvents.replayKeptEvent, { params: { tenantId, id } }));
    announce({ type: "success", title: "Replay started", description: "The event is processed again within about a minute." });
  });
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={run}>
      {isBusy ? "Replaying..." : "Replay"}
      <VisuallyHidden>{` the event ${id}`}</VisuallyHidden>
    </Button>
  );
};

/** Whether and how an event is tried again: by somebody, by itself, or not at all. */
export const Again = ({
  event: { id, tenantId, replayable, nextTryAt },
  ...rest
}: {
  event: KeptEvent;
  onReplayed: (event: KeptEvent) => void;
}) => {
  if (replayable && tenantId !== null) return <Replay tenantId={tenantId} id={id} {...rest} />;
  return (
    <Text as="span" color="fg.muted">
      {nextTryAt === null ? "Not possible" : <>By itself, {<Moment at={nextTryAt} />}</>}
    </Text>
  );
};
