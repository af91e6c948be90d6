import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { formatDay, useZone } from "../../lib/format/times.ts";
import { certificateState } from "./certificate-words.ts";

/** When a certificate runs out, and a warning when that is soon. */
export const Certificate = ({ expiry, now }: { expiry: string; now: Date }) => {
  const zone = useZone();
  const state = certificateState(expiry, now);
  return (
    <Flex as="span" gap="2" align="center" wrap="wrap">
      {`Certificate expires ${formatDay(expiry, zone)}`}
      {state === undefined ? null : <Badge colorPalette={state.colorPalette}>{state.words}</Badge>}
    </Flex>
  );
};
