import { chakra, type HTMLChakraProps } from "@chakra-ui/react/styled-system";
import { formatExactly, formatMoment } from "../format/times.ts";
import { useZone } from "../format/zone.ts";

/** A moment as people say it; the whole date with its zone is its title. */
export const Moment = ({ at, ...rest }: { at: string } & HTMLChakraProps<"time">) => {
  const zone = useZone();
  return (
    <chakra.time dateTime={at} title={formatExactly(at, zone)} whiteSpace="nowrap" {...rest}>
      {formatMoment(at, zone)}
    </chakra.time>
  );
};
