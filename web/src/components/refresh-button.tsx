import { Button } from "@chakra-ui/react/button";
import { HStack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import RefreshCw from "lucide-react/dist/esm/icons/refresh-cw.mjs";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { explain } from "../api/api-error.ts";
import { forgetUnseen } from "../api/on-screen.ts";
import { announce } from "../app/toaster.ts";
import { formatClock } from "../format/times.ts";
import { useZone } from "../format/zone.ts";

/** Asks again for everything on the page, and says when what is shown arrived. */
export const RefreshButton = ({ receivedAt }: { receivedAt: Date | undefined }) => {
  const { cache, mutate } = useSWRConfig();
  const zone = useZone();
  const [isRunning, setIsRunning] = useState(false);

  const refresh = async () => {
    setIsRunning(true);
    try {
      const arrived = mutate(() => true);
      // Of parts that are not open now: they ask again when they are, and a failure of theirs is none of this page's.
      forgetUnseen(cache, () => true);
      await arrived;
    } finally {
      setIsRunning(false);
    }
    const failure = [...cache.keys()].map((key) => cache.get(key)?.error as unknown).find((error) => error !== undefined);
    if (failure !== undefined) announce({ type: "error", title: "Error", description: explain(failure) });
  };

  return (
    <HStack gap="3" flexDirection={{ base: "row-reverse", md: "row" }}>
      <chakra.output textStyle="sm" color="fg.muted">
        {receivedAt ? `Updated ${formatClock(receivedAt, zone)}` : ""}
      </chakra.output>
      <Button variant="outline" size="sm" aria-disabled={isRunning} onClick={() => isRunning || void refresh()}>
        <RefreshCw aria-hidden />
        {isRunning ? "Refreshing..." : "Refresh"}
      </Button>
    </HStack>
  );
};
