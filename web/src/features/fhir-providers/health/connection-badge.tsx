import { Badge } from "@chakra-ui/react/badge";
import { Text } from "@chakra-ui/react/text";
import type { FhirProvider } from "@vitaline/contract";
import { chakra } from "@chakra-ui/react/styled-system";
import { useIsChecking } from "./connection-checks.ts";
import { connectionLooks } from "../provider-format.ts";

type StatusDotProps = { status: FhirProvider["connectionStatus"]; /** As a step of the theme's sizes. */ size: "2" | "2.5" };

/** A connection's status as a colour, beside its word: green, red, or grey as long as nobody knows it. */
export const StatusDot = ({ status, size }: StatusDotProps) => (
  <chakra.span
    colorPalette={connectionLooks[status].colorPalette}
    boxSize={size}
    borderRadius="full"
    bg="colorPalette.solid"
    flexShrink="0"
    aria-hidden
  />
);

type Props = { /** Absent as long as nobody knows it. */ status: FhirProvider["connectionStatus"] | undefined };

/** What the last check found, among providers: what is not healthy stands out, even if nobody knows yet. Its dot is that of Connection Health. */
export const ConnectionBadge = ({ status = "unknown" }: Props) => (
  <Badge colorPalette={status === "healthy" ? "green" : "red"}>
    <StatusDot status={status} size="2" />
    {connectionLooks[status].name}
  </Badge>
);

/** The same of one that is checked now and then. */
export const Connection = ({ id, connectionStatus }: Pick<FhirProvider, "id" | "connectionStatus">) => (
  <>
    <ConnectionBadge status={connectionStatus} />
    {useIsChecking(id) ? (
      <Text textStyle="xs" color="fg.muted" mt="1">
        Checking...
      </Text>
    ) : null}
  </>
);
