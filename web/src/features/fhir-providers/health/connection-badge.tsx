import { Badge } from "@chakra-ui/react/badge";
import { Text } from "@chakra-ui/react/text";
import type { FhirProvider } from "@vitaline/contract";
import { chakra } from "@chakra-ui/react/styled-system";
import { useIsChecking } from "./connection-checks.ts";
import { connectionStatuses } from "../provider-format.ts";

type StatusDotProps = { status: FhirProvider["connectionStatus"]; size: "2" | "2.5" };

export const StatusDot = ({ status, size }: StatusDotProps) => (
  <chakra.span
    colorPalette={connectionStatuses[status].colorPalette}
    boxSize={size}
    borderRadius="full"
    bg="colorPalette.solid"
    flexShrink="0"
    aria-hidden
  />
);

type Props = { status: FhirProvider["connectionStatus"] | undefined };

/** Unknown is red too: anything that is not healthy needs attention. */
export const ConnectionBadge = ({ status = "unknown" }: Props) => (
  <Badge colorPalette={status === "healthy" ? "green" : "red"}>
    <StatusDot status={status} size="2" />
    {connectionStatuses[status].name}
  </Badge>
);

export const ConnectionStatus = ({ id, connectionStatus }: Pick<FhirProvider, "id" | "connectionStatus">) => (
  <>
    <ConnectionBadge status={connectionStatus} />
    {useIsChecking(id) ? (
      <Text textStyle="xs" color="fg.muted" mt="1">
        Checking...
      </Text>
    ) : null}
  </>
);
