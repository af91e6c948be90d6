import { Alert } from "@chakra-ui/react/alert";
import type { SystemHealth } from "@vitaline/contract";
import { explain } from "../../lib/api/api-error.ts";
import type { Loaded } from "../../lib/api/use-api.ts";
import { formatClock, useZone } from "../../lib/format/times.ts";

/** What is shown is older than it should be: nobody must take it for how things are now. */
export const NotRefreshed = ({ loaded: { data, error, receivedAt } }: { loaded: Loaded<SystemHealth> }) => {
  const zone = useZone();
  if (data === undefined || error === undefined) return null;
  const known = receivedAt ? formatClock(receivedAt, zone) : "an earlier time";
  return (
    <Alert.Root status="warning" role="alert">
      <Alert.Description>{`The last refresh failed: ${explain(error)} What is shown was known at ${known}.`}</Alert.Description>
    </Alert.Root>
  );
};
