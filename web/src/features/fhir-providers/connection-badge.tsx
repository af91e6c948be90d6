import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import type { FhirProvider } from "@vitaline/contract";
import { connectionLooks } from "./provider-names.ts";

type Props = { /** Absent as long as nobody knows it. */ status: FhirProvider["connectionStatus"] | undefined };

/** What the last check found, among providers: what is not healthy stands out, even if nobody knows yet. */
export const ConnectionBadge = ({ status = "unknown" }: Props) => (
  <Badge colorPalette={status === "healthy" ? "green" : "red"}>
    <chakra.span boxSize="2" borderRadius="full" bg="colorPalette.solid" aria-hidden />
    {connectionLooks[status].name}
  </Badge>
);
